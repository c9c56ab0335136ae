// The third stage: text to the pieces that the model looks at one by one. Each kind refines the pieces that there are,
// so that kinds can follow each other. A new kind is a struct in the variant, its pre_tokenize(), and a row in the
// table of tokenizer_json.cpp.
#pragma once

#include <variant>

#include "text/aligned_text.h"

namespace berth::text {

// Splits at whitespace, which goes, and around each punctuation character.
struct BertPreTokenizer {};

using PreTokenizer = std::variant<std::monostate, BertPreTokenizer>;

void pre_tokenize(std::monostate, Pieces& pieces);
void pre_tokenize(const BertPreTokenizer& pre_tokenizer, Pieces& pieces);
void pre_tokenize(const PreTokenizer& pre_tokenizer, Pieces& pieces);

}  // namespace berth::text
