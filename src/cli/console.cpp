// The program's voice.
#include "cli/console.h"

#include <fmt/format.h>
#include <utility>

#include "cli/text_width.h"

namespace berth::cli {
namespace {

// A terminal is redrawn ten times a second at most; a log gets a line now and then.
constexpr double kSecondsBetweenDraws = 0.1;
constexpr double kSecondsBetweenLines = 10;

constexpr std::string_view kEraseLine = "\r\x1b[K";

std::string coloured(std::string_view text, std::string_view code, const Terminal& terminal) {
  return terminal.colour ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
}

}  // namespace

Console::Console(ConsoleSettings settings, Writer output, Writer messages, const Clock& clock)
    : settings_(settings), output_(std::move(output)), messages_(std::move(messages)), clock_(clock) {}

void Console::print(std::string_view text) {
  if (settings_.output.interactive) {  // the same screen: the result must not begin behind a bar
    const std::lock_guard lock(mutex_);
    erase_line();
  }
  output_(text);
}

void Console::print_json(const json::Value& document) {
  print(document.dump(2, ' ', false, json::Value::error_handler_t::replace) + '\n');
}

void Console::note(std::string_view text) {
  if (settings_.verbosity == Verbosity::quiet) return;
  const std::lock_guard lock(mutex_);
  write_line(printable(text, true));
}

void Console::log(Severity severity, std::string_view message) {
  if (settings_.verbosity == Verbosity::quiet) return;
  if (severity != Severity::warning && settings_.verbosity != Verbosity::verbose) return;
  const std::string_view mark = severity == Severity::warning ? "warning: " : "";
  const std::lock_guard lock(mutex_);
  write_line(fmt::format("berth: {}{}", coloured(mark, "33", settings_.messages), printable(message, true)));
}

void Console::fail(std::string_view text) {
  const std::lock_guard lock(mutex_);
  stage_.reset();
  write_line(fmt::format("berth: {}{}", coloured("error: ", "31", settings_.messages), printable(text, true)));
}

void Console::report(const Error& error) {
  fail(error.what());
  if (!error.hint().empty()) {
    const std::lock_guard lock(mutex_);
    write_line("hint: " + printable(error.hint(), true));
  }
  if (settings_.json) print_json(json::to_value(error));
}

void Console::begin_stage(std::string_view name, std::uint64_t total, std::string_view unit) {
  const std::lock_guard lock(mutex_);
  stage_ = Stage{.name = std::string(name), .unit = std::string(unit), .total = total};
  stage_begin_ = clock_.now();
  last_shown_ = stage_begin_;
}

void Console::advance_stage(std::uint64_t units) {
  const std::lock_guard lock(mutex_);
  if (!stage_) return;
  stage_->done += units;
  show_progress(false);
}

void Console::end_stage() {
  const std::lock_guard lock(mutex_);
  if (!stage_) return;
  show_progress(true);
  stage_.reset();
}

void Console::write_line(std::string_view text) {
  erase_line();
  messages_(fmt::format("{}\n", text));
}

void Console::erase_line() {
  if (line_is_shown_) messages_(kEraseLine);
  line_is_shown_ = false;
}

void Console::show_progress(bool finished) {
  if (settings_.verbosity == Verbosity::quiet) return;
  const Clock::Time now = clock_.now();
  stage_->seconds = seconds_between(stage_begin_, now);
  const bool verbose = settings_.verbosity == Verbosity::verbose;
  if (finished) {
    erase_line();
    if (verbose) write_line("berth: " + stage_summary(*stage_));
  } else if (settings_.messages.interactive) {
    if (seconds_between(last_shown_, now) < kSecondsBetweenDraws) return;
    messages_(fmt::format("{}{}", kEraseLine, progress_line(*stage_, settings_.messages.width - 1, true)));
    line_is_shown_ = true;
    last_shown_ = now;
  } else if (verbose && seconds_between(last_shown_, now) >= kSecondsBetweenLines) {
    write_line("berth: " + progress_line(*stage_, settings_.messages.width, false));
    last_shown_ = now;
  }
}

void ConsoleProgress::begin(std::string_view stage, std::uint64_t total, std::string_view unit) {
  console_.begin_stage(stage, total, unit);
}
void ConsoleProgress::advance(std::uint64_t units) { console_.advance_stage(units); }
void ConsoleProgress::end() { console_.end_stage(); }
void ConsoleProgress::throw_if_cancelled() const { cancellation_.throw_if_cancelled(); }

}  // namespace berth::cli
