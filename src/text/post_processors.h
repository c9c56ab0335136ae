// The last stage: the texts of a row and the special tokens, in the order that the model expects. A new kind is a
// struct in the variant, its template_of(), and a row in the table of tokenizer_json.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "berth/text.h"

namespace berth::text {

// A text of the row, or special tokens.
struct TemplateItem {
  std::int32_t sequence = kNone;  // 0 first text, 1 second, kNone: `special_ids`
  std::vector<std::int32_t> special_ids;
  std::int32_t type_id = 0;
};
using Template = std::vector<TemplateItem>;

// BERT's [CLS] A [SEP] B [SEP] and its like; BertProcessing, and no post-processor at all, are read as one of these.
struct TemplateProcessing {
  Template single;
  Template pair;
};

using PostProcessor = std::variant<TemplateProcessing>;

[[nodiscard]] const Template& template_of(const PostProcessor& post_processor, bool is_pair);
[[nodiscard]] std::size_t special_tokens_of(const Template& row) noexcept;

// The texts alone: A, or A then B of type 1.
[[nodiscard]] TemplateProcessing texts_only();

// [CLS] A [SEP], or [CLS] A [SEP] B [SEP] with type 1 from B on.
[[nodiscard]] TemplateProcessing bert_rows(std::int32_t cls, std::int32_t sep);

}  // namespace berth::text
