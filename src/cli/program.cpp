// Finds the command, gives it what it needs, and turns every way of failing into a sentence and an exit code.
#include "cli/program.h"

#include <new>
#include <unistd.h>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/help.h"
#include "cli/interrupts.h"
#include "cli/version.h"

namespace berth::cli {
namespace {

using Words = std::span<const std::string>;

ConsoleSettings settings_for(Words words) {
  ConsoleSettings settings;
  settings.json = asks_for(words, "--json");
  if (asks_for(words, "--quiet") || asks_for(words, "-q")) settings.verbosity = Verbosity::quiet;
  if (asks_for(words, "--verbose") || asks_for(words, "-v")) settings.verbosity = Verbosity::verbose;
  settings.output = examine_terminal(STDOUT_FILENO);
  settings.messages = examine_terminal(STDERR_FILENO);
  return settings;
}

void write_message(std::string_view text) {
  try {
    write_all(STDERR_FILENO, text, "standard error");
  } catch (...) {  // when nobody can be told, there is nobody to tell that either
  }
}

ExitCode run_command(const Command& command, Words words, Console& console) {
  if (asks_for(words, "--help") || asks_for(words, "-h")) {
    console.print(help_of(command));
    return ExitCode::done;
  }
  const Arguments arguments = Arguments::parse(command, words);
  ConsoleProgress progress(console, watch_interrupts());
  return command.run({arguments, console, progress});
}

ExitCode run_help(Words words, Console& console) {
  console.print(words.empty() || words[0].starts_with('-') ? overview() : help_of(find_command(words[0])));
  return ExitCode::done;
}

ExitCode dispatch(Words words, Console& console) {
  if (words.empty()) {
    console.print(road());
    return ExitCode::done;
  }
  const std::string& first = words[0];
  if (first == "help" || first == "--help" || first == "-h") return run_help(words.subspan(1), console);
  if (first == "--version") {
    if (console.settings().json) {
      console.print_json(version_json());
    } else {
      console.print(version_text());
    }
    return ExitCode::done;
  }
  if (first.starts_with('-')) {
    throw Error(ErrorKind::usage, "", "the command comes first, found the option " + first,
                "berth help lists the commands");
  }
  return run_command(find_command(first), words.subspan(1), console);
}

Error internal_error(const std::string& what) {
  return {ErrorKind::internal, "", what,
          "this is a defect in berth: please report it, with the command and what berth --version says"};
}

// Runs in a catch block: whatever is in flight, as an Error.
Error current_error() {
  try {
    throw;
  } catch (const Error& error) {
    return error;
  } catch (const std::bad_alloc&) {
    return {ErrorKind::internal, "", "there is not enough memory",
            "give berth more memory or less to do at once; if the input is not large, please report it"};
  } catch (const std::exception& failure) {
    return internal_error(std::string("unexpected failure: ") + failure.what());
  } catch (...) {
    return internal_error("unexpected failure of an unknown kind");
  }
}

ExitCode run(Words words) {
  const Clock clock;
  Console console(
      settings_for(words), [](std::string_view text) { write_all(STDOUT_FILENO, text, "standard output"); },
      write_message, clock);
  set_log_sink([&console](Severity severity, std::string_view message) { console.log(severity, message); });
  struct Silence {  // the console does not outlive this function; threads of libraries may
    ~Silence() { set_log_sink({}); }
  } const silence;
  try {
    return dispatch(words, console);
  } catch (const ClosedPipe&) {
    return ExitCode::closed_pipe;
  } catch (...) {
    const Error error = current_error();
    console.report(error);
    return exit_code_of(error.kind());
  }
}

}  // namespace

int run_program(Words words) noexcept {
  try {
    ignore_closed_pipes();
    return static_cast<int>(run(words));
  } catch (const ClosedPipe&) {  // the report of an error found nobody
    return static_cast<int>(ExitCode::closed_pipe);
  } catch (...) {
    write_message("berth: error: the error could not be reported\n");
    return static_cast<int>(ExitCode::failed);
  }
}

}  // namespace berth::cli
