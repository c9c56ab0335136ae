// Answers in columns.
#include "cli/answer_view.h"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

#include "cli/progress_text.h"
#include "cli/text_width.h"

namespace berth::cli {
namespace {

constexpr std::size_t kBarCells = 20;
constexpr std::size_t kWidestName = 32;

std::string score_text(double score, Scale scale) {
  if (scale == Scale::number) return fmt::format("{:.4f}", score);
  return fmt::format("{}  {:5.1f} %", bar_text(score, kBarCells), 100 * score);
}

std::size_t column_width(const std::vector<std::string>& cells) {
  std::size_t widest = 0;
  for (const std::string& cell : cells) widest = std::max(widest, text_width(cell));
  return std::min(widest, kWidestName);
}

// A heading that wraps would hide which answer belongs to which text.
std::string one_line(std::string_view text, std::size_t width) {
  const std::string shown = printable(text, false);
  return text_width(shown) <= width ? shown : fit(shown, width);
}

}  // namespace

std::string view_of(std::span<const LabelRow> rows, Scale scale, const Terminal& terminal) {
  std::vector<std::string> labels;
  for (const LabelRow& row : rows) labels.push_back(printable(row.label, false));
  const std::size_t width = column_width(labels);
  std::string view;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool bold = i == 0 && terminal.colour;
    view += fmt::format("  {}{}{}  {}\n", bold ? "\x1b[1m" : "", fit(labels[i], width), bold ? "\x1b[0m" : "",
                        score_text(rows[i].score, scale));
  }
  return view;
}

std::string view_of(std::span<const TokenRow> rows) {
  if (rows.empty()) return "  (nothing found)\n";
  std::vector<std::string> texts;
  std::vector<std::string> entities;
  for (const TokenRow& row : rows) {
    texts.push_back(printable(row.text, false));
    entities.push_back(printable(row.entity, false));
  }
  const std::size_t text_column = column_width(texts);
  const std::size_t entity_column = column_width(entities);
  std::string view;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    view += fmt::format("  {}  {}  {}\n", fit(texts[i], text_column), fit(entities[i], entity_column),
                        score_text(rows[i].score, Scale::probability));
  }
  return view;
}

std::string heading_of(std::string_view text, bool truncated, const Terminal& terminal) {
  constexpr std::string_view kMark = "  (cut: longer than the model reads)";
  const std::size_t room = terminal.width - std::min(terminal.width, truncated ? kMark.size() : 0);
  return one_line(text, std::max<std::size_t>(room, 20)) + std::string(truncated ? kMark : "") + '\n';
}

}  // namespace berth::cli
