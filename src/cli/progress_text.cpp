// Progress in words.
#include "cli/progress_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "cli/text_width.h"

namespace berth::cli {
namespace {

constexpr std::size_t kBarCells = 24;
// Before this the rate is a guess, and a guess that jumps is worse than none.
constexpr double kSecondsBeforeRate = 1.0;

bool is_bytes(const Stage& stage) { return stage.unit == "bytes"; }

std::string amount_text(const Stage& stage) {
  const auto shown = [&](std::uint64_t amount) {
    return is_bytes(stage) ? fmt::format("{:.1f}", static_cast<double>(amount) / 1e6) : fmt::format("{}", amount);
  };
  const std::string_view unit = is_bytes(stage) ? "MB" : std::string_view(stage.unit);
  return stage.total == 0 ? fmt::format("{} {}", shown(stage.done), unit)
                          : fmt::format("{}/{} {}", shown(stage.done), shown(stage.total), unit);
}

std::string rate_text(const Stage& stage) {
  const double rate = static_cast<double>(stage.done) / stage.seconds;
  if (is_bytes(stage)) return fmt::format("{:.0f} MB/s", rate / 1e6);
  return fmt::format("{:.{}f} {}/s", rate, rate < 10 ? 1 : 0, stage.unit);
}

}  // namespace

std::string duration_text(double seconds) {
  if (seconds < 9.95) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<std::uint64_t>(std::llround(std::min(seconds, 1e9)));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string bar_text(double share, std::size_t cells) {
  constexpr std::array<std::string_view, 8> kEighths{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const double clamped = std::isfinite(share) ? std::clamp(share, 0.0, 1.0) : 0.0;
  const auto eighths = static_cast<std::size_t>(std::llround(clamped * static_cast<double>(cells) * 8));
  std::string bar;
  for (std::size_t i = 0; i < eighths / 8; ++i) bar += "█";
  bar += kEighths[eighths % 8];
  const std::size_t used = (eighths + 7) / 8;
  for (std::size_t i = used; i < cells; ++i) bar += "░";
  return bar;
}

std::string progress_line(const Stage& stage, std::size_t width, bool bar) {
  std::string line = stage.name;
  if (bar && stage.total != 0) {
    line += "  " + bar_text(static_cast<double>(stage.done) / static_cast<double>(stage.total), kBarCells);
  }
  line += (bar ? "  " : ": ") + amount_text(stage);
  if (stage.seconds >= kSecondsBeforeRate && stage.done > 0) {
    line += "  " + rate_text(stage);
    if (stage.total > stage.done) {
      const double left =
          stage.seconds * static_cast<double>(stage.total - stage.done) / static_cast<double>(stage.done);
      line += "  " + duration_text(left) + " left";
    }
  }
  return text_width(line) <= width ? line : fit(line, width);
}

std::string stage_summary(const Stage& stage) {
  Stage finished = stage;
  finished.total = 0;
  return fmt::format("{}: {} in {}", stage.name, amount_text(finished), duration_text(stage.seconds));
}

}  // namespace berth::cli
