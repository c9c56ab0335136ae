// The texts that a verification runs on.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "berth/text.h"

namespace berth::workflow {

// Twelve texts: English, Chinese, mixed, long, empty. The last one is the longest.
[[nodiscard]] const std::vector<std::string>& bundled_texts();
// Four more, short, for the self-test of a bundle.
[[nodiscard]] const std::vector<std::string>& selftest_extras();

// One text a line; blank lines are empty texts. Error{invalid_input} when there is none.
[[nodiscard]] std::vector<std::string> read_texts(const std::filesystem::path& file);

// Rows of token ids made from texts, cut to lengths that keep the reference's work bounded.
struct TextRow {
  std::string text;
  text::Encoding encoding;
};

struct RowLimits {
  std::size_t model = 512;                       // tokens that the model takes
  bool full = false;                             // only the model's limit counts
};

[[nodiscard]] std::vector<TextRow> tokenize(const std::vector<std::string>& texts, const text::Tokenizer& tokenizer,
                                            const RowLimits& limits);

// For a tokenizer that cannot be read yet: ids of a fixed seed, about as many as the text would have tokens. They have
// no offsets.
[[nodiscard]] std::vector<TextRow> seeded_rows(const std::vector<std::string>& texts, std::int64_t vocabulary,
                                               const RowLimits& limits);

}  // namespace berth::workflow
