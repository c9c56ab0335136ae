// A stage of long work as one line: how far, how fast, how long still.
#pragma once

#include <cstdint>
#include <string>

namespace berth::cli {

struct Stage {
  std::string name;                              // "verify"
  std::string unit;                              // "texts"; "bytes" are shown as MB
  std::uint64_t total = 0;                       // 0: unknown
  std::uint64_t done = 0;
  double seconds = 0;                            // since its beginning
};

// "verify  ██████░░░░░░  5/12 texts  1.4 texts/s  5 s left", at most `width` columns; the bar only when asked for.
[[nodiscard]] std::string progress_line(const Stage& stage, std::size_t width, bool bar);

// "verify: 12 texts in 3.2 s"
[[nodiscard]] std::string stage_summary(const Stage& stage);

// "0.4 s", "12 s", "3 min 20 s", "2 h 5 min"
[[nodiscard]] std::string duration_text(double seconds);

// `share` (0 … 1) of `cells` columns filled, in eighths of a column.
[[nodiscard]] std::string bar_text(double share, std::size_t cells);

}  // namespace berth::cli
