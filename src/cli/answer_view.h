// Answers as a person reads them: a label with its bar and percentage, tokens with what they are.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/terminal.h"

namespace berth::cli {

enum class Scale {
  probability,  // 0 … 1: a bar and a percentage
  number,       // anything, such as a regression: the number alone
};

struct LabelRow {
  std::string_view label;
  double score = 0;
};

struct TokenRow {
  std::string_view text;                         // the slice of the text
  std::string_view entity;
  double score = 0;
};

// Rows best first; the first label is bold where the terminal has colours.
//
//     positive  ████████████████████   99.8 %
//     negative  ░░░░░░░░░░░░░░░░░░░░    0.2 %
[[nodiscard]] std::string view_of(std::span<const LabelRow> rows, Scale scale, const Terminal& terminal);

//     Hugging  B-ORG  ███████████████████▉   99.4 %
[[nodiscard]] std::string view_of(std::span<const TokenRow> rows);

// The line above an answer: the text, cut to the terminal's width, and whether only its beginning was read.
[[nodiscard]] std::string heading_of(std::string_view text, bool truncated, const Terminal& terminal);

}  // namespace berth::cli
