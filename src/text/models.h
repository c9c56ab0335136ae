// The fourth stage: a piece of text to tokens. A new kind is a struct in the variant with its tokenize() and its
// vocabulary, and a row in the table of tokenizer_json.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "text/vocabulary.h"

namespace berth::text {

// A token of one piece; begin and end are bytes of the piece.
struct Token {
  std::int32_t id;
  std::size_t begin;
  std::size_t end;
};

// The longest token that a word starts with, then the longest that continues it, and so on; one miss anywhere, or
// more than `max_input_chars_per_word` code points, makes the whole word unknown.
// (Schuster and Nakajima 2012, "Japanese and Korean voice search", as BERT uses it.)
struct WordPiece {
  Vocabulary vocabulary;
  std::int32_t unknown;
  std::optional<Trie::Node> continuing;  // where tokens with the continuing prefix begin
  std::size_t max_input_chars_per_word;
};

// Throws Error{invalid_input} with `where` when `unknown` is not in the vocabulary.
[[nodiscard]] WordPiece make_word_piece(Vocabulary vocabulary, const std::string& unknown, std::string_view prefix,
                                        std::size_t max_input_chars_per_word, const std::string& where);

using Model = std::variant<WordPiece>;

// Appends the tokens of a piece that is not empty.
void tokenize(const WordPiece& model, std::string_view piece, std::vector<Token>& tokens);
void tokenize(const Model& model, std::string_view piece, std::vector<Token>& tokens);
[[nodiscard]] const Vocabulary& vocabulary_of(const Model& model);
[[nodiscard]] std::optional<std::int32_t> unknown_id_of(const Model& model);

}  // namespace berth::text
