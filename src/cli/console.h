// Everything that the program says: results on standard output, all else on standard error, where log lines and the
// one line of progress never tear each other.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/json.h"
#include "base/log.h"
#include "base/progress.h"
#include "berth/error.h"
#include "cli/progress_text.h"
#include "cli/terminal.h"

namespace berth::cli {

enum class Verbosity { quiet, normal, verbose };

struct ConsoleSettings {
  Verbosity verbosity = Verbosity::normal;
  bool json = false;                             // the result is one JSON document
  Terminal output{};
  Terminal messages{};
};

using Writer = std::function<void(std::string_view)>;

// Messages may come from any thread. `output` may throw ClosedPipe or Error{io}; `messages` must not throw.
class Console {
 public:
  Console(ConsoleSettings settings, Writer output, Writer messages, const Clock& clock);

  [[nodiscard]] const ConsoleSettings& settings() const noexcept { return settings_; }

  // Results.
  void print(std::string_view text);             // as it is; the caller ends its lines
  void print_json(const json::Value& document);

  // Messages.
  void note(std::string_view text);              // what was done, or "next: COMMAND"; not when quiet
  void log(Severity severity, std::string_view message);
  void fail(std::string_view text);              // the line of an error; also when quiet
  void report(const Error& error);               // on standard error, and with --json as the document of the result

  // The line of progress.
  void begin_stage(std::string_view name, std::uint64_t total, std::string_view unit);
  void advance_stage(std::uint64_t units);
  void end_stage();

 private:
  void write_line(std::string_view text);        // these three with the lock held
  void erase_line();
  void show_progress(bool finished);

  ConsoleSettings settings_;
  Writer output_;
  Writer messages_;
  const Clock& clock_;
  std::mutex mutex_;
  std::optional<Stage> stage_;
  Clock::Time stage_begin_{};
  Clock::Time last_shown_{};
  bool line_is_shown_ = false;
};

// The Progress that library calls are given: shown on the console, stopped by the cancellation.
class ConsoleProgress final : public Progress {
 public:
  ConsoleProgress(Console& console, const Cancellation& cancellation)
      : console_(console), cancellation_(cancellation) {}
  void begin(std::string_view stage, std::uint64_t total, std::string_view unit) override;
  void advance(std::uint64_t units) override;
  void end() override;
  void throw_if_cancelled() const override;

 private:
  Console& console_;
  const Cancellation& cancellation_;
};

}  // namespace berth::cli
