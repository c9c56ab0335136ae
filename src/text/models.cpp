// The kinds of model.
#include "text/models.h"

#include <utility>

#include "berth/error.h"
#include "text/code_points.h"

namespace berth::text {

WordPiece make_word_piece(Vocabulary vocabulary, const std::string& unknown, std::string_view prefix,
                          std::size_t max_input_chars_per_word, const std::string& where) {
  const auto unknown_id = vocabulary.id_of(unknown);
  if (!unknown_id) {
    throw Error(ErrorKind::invalid_input, where, "has no unknown token \"" + unknown + "\" in its vocabulary",
                "use the vocabulary that the model was trained with, or name the unknown token that it has");
  }
  const auto continuing = vocabulary.trie().walk(prefix);
  return {std::move(vocabulary), *unknown_id, continuing, max_input_chars_per_word};
}

void tokenize(const WordPiece& model, std::string_view piece, std::vector<Token>& tokens) {
  const std::size_t before = tokens.size();
  const bool too_long =
      piece.size() > model.max_input_chars_per_word && count_code_points(piece) > model.max_input_chars_per_word;
  std::size_t at = 0;
  while (!too_long && at < piece.size()) {
    if (at > 0 && !model.continuing) break;
    const Trie::Node from = at == 0 ? Trie::kRoot : *model.continuing;
    const Trie::Match match = model.vocabulary.trie().longest(piece.substr(at), from);
    if (match.length == 0) break;
    tokens.push_back({match.value, at, at + match.length});
    at += match.length;
  }
  if (at < piece.size()) {
    tokens.resize(before);
    tokens.push_back({model.unknown, 0, piece.size()});
  }
}

void tokenize(const Model& model, std::string_view piece, std::vector<Token>& tokens) {
  std::visit([&](const auto& kind) { tokenize(kind, piece, tokens); }, model);
}

std::optional<std::int32_t> unknown_id_of(const Model& model) {
  return std::visit([](const auto& kind) { return std::optional(kind.unknown); }, model);
}

const Vocabulary& vocabulary_of(const Model& model) {
  return std::visit([](const auto& kind) -> const Vocabulary& { return kind.vocabulary; }, model);
}

}  // namespace berth::text
