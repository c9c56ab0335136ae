// The way of a text through the stages.
#include "berth/text.h"

#include <algorithm>
#include <array>
#include <simdjson.h>
#include <utility>

#include "base/utf8.h"
#include "berth/error.h"
#include "text/assembly.h"
#include "text/stages.h"

namespace berth::text {
namespace {

// On its way a text takes about 40 bytes of memory for each of its own.
constexpr std::size_t kMaxBytes = std::size_t{1} << 25;

std::string valid_text(std::string_view text, InvalidUtf8 policy) {
  if (text.size() > kMaxBytes) {
    throw Error(ErrorKind::limit, "text",
                "has " + std::to_string(text.size()) + " bytes, expected at most " + std::to_string(kMaxBytes));
  }
  if (simdjson::validate_utf8(text.data(), text.size())) return std::string(text);
  if (policy == InvalidUtf8::replace) return utf8::replace_invalid(text);
  throw Error(ErrorKind::invalid_input, "text",
              "is not UTF-8 at byte " + std::to_string(utf8::find_invalid(text).value_or(0)),
              "convert the text to UTF-8");
}

// Cut at added tokens and normalized between them.
Pieces normalized_pieces(const Stages& stages, std::string_view text, bool special_tokens) {
  Pieces pieces;
  std::uint32_t code_points = 0;
  for (const Piece& piece : stages.added_tokens.split_raw(text, special_tokens)) {
    AlignedText part = align(text.substr(piece.begin, piece.end - piece.begin), code_points);
    code_points = part.spans.back().end;
    if (piece.token == kNone) part = normalize(stages.normalizer, std::move(part));
    const std::size_t begin = pieces.text.size();
    pieces.text.append(std::move(part));
    if (begin < pieces.text.size()) pieces.pieces.push_back({begin, pieces.text.size(), piece.token});
  }
  stages.added_tokens.split_normalized(pieces, special_tokens);
  return pieces;
}

// Appends the tokens of a text, up to the end of the piece that brings `wanted` together. `word` numbers its words,
// or, for a text that is one of many words, is the number that all its tokens get.
void append_tokens(const Stages& stages, std::string_view text, const EncodeOptions& options, std::size_t wanted,
                   std::optional<std::int32_t> word, TextTokens& tokens) {
  const std::string valid = valid_text(text, options.invalid_utf8);
  Pieces pieces = normalized_pieces(stages, valid, options.special_tokens_in_text);
  pre_tokenize(stages.pre_tokenizer, pieces);
  std::vector<Token> found;
  std::int32_t piece_number = 0;
  for (const Piece& piece : pieces.pieces) {
    if (tokens.size() >= wanted) break;
    const std::int32_t word_id = word.value_or(piece_number++);
    if (piece.token != kNone) {
      found.assign(1, {piece.token, 0, piece.end - piece.begin});
    } else {
      found.clear();
      tokenize(stages.model, pieces.bytes_of(piece), found);
    }
    for (const Token& token : found) {
      tokens.ids.push_back(token.id);
      tokens.offsets.push_back(pieces.span_of(piece.begin + token.begin, piece.begin + token.end));
      tokens.words.push_back(word_id);
    }
  }
}

// As many tokens of one text as can change the row: one more than it holds shows that the text was cut.
std::size_t wanted_tokens(const Template& row, const EncodeOptions& options) {
  const std::optional<std::size_t> room = room_for_text(row, options);
  return room && !options.windows ? *room + 1 : SIZE_MAX;
}

}  // namespace

Encoding Tokenizer::encode(std::string_view text, const EncodeOptions& options) const {
  const Template& row = template_of(stages_->post_processor, false);
  const std::size_t wanted = wanted_tokens(row, options);
  TextTokens tokens;
  append_tokens(*stages_, text, options, wanted, std::nullopt, tokens);
  return assemble(row, {&tokens, 1}, options);
}

Encoding Tokenizer::encode_pair(std::string_view first, std::string_view second, const EncodeOptions& options) const {
  const Template& row = template_of(stages_->post_processor, true);
  std::array<TextTokens, 2> tokens;
  append_tokens(*stages_, first, options, SIZE_MAX, std::nullopt, tokens[0]);
  append_tokens(*stages_, second, options, SIZE_MAX, std::nullopt, tokens[1]);
  return assemble(row, tokens, options);
}

Encoding Tokenizer::encode_words(const std::vector<std::string>& words, const EncodeOptions& options) const {
  const Template& row = template_of(stages_->post_processor, false);
  const std::size_t wanted = wanted_tokens(row, options);
  TextTokens tokens;
  for (std::size_t i = 0; i < words.size() && tokens.size() < wanted; ++i) {
    append_tokens(*stages_, words[i], options, wanted, static_cast<std::int32_t>(i), tokens);
  }
  return assemble(row, {&tokens, 1}, options);
}

std::size_t Tokenizer::vocabulary_size() const noexcept {
  return std::max(vocabulary_of(stages_->model).id_limit(), stages_->added_tokens.id_limit());
}

std::optional<std::int32_t> Tokenizer::id_of(std::string_view token) const {
  const auto added = stages_->added_tokens.id_of(token);
  return added ? added : vocabulary_of(stages_->model).id_of(token);
}

std::string Tokenizer::token_of(std::int32_t id) const {
  if (const AddedToken* const added = stages_->added_tokens.token_of(id)) return added->content;
  if (const auto token = vocabulary_of(stages_->model).token_of(id)) return std::string(*token);
  throw Error(ErrorKind::invalid_input, "token id",
              "is " + std::to_string(id) + ", expected one of the " + std::to_string(vocabulary_size()) +
                  " that the tokenizer has");
}

std::optional<std::int32_t> Tokenizer::pad_id() const noexcept { return stages_->pad_id; }
std::optional<std::int32_t> Tokenizer::mask_id() const noexcept { return stages_->mask_id; }
std::optional<std::int32_t> Tokenizer::unknown_id() const noexcept { return unknown_id_of(stages_->model); }
std::optional<std::size_t> Tokenizer::model_max_length() const noexcept { return stages_->model_max_length; }
const std::vector<std::filesystem::path>& Tokenizer::files() const noexcept { return stages_->files; }

Tokenizer::Tokenizer(std::unique_ptr<Stages> stages) : stages_(std::move(stages)) {}
Tokenizer::~Tokenizer() = default;
Tokenizer::Tokenizer(Tokenizer&&) noexcept = default;
Tokenizer& Tokenizer::operator=(Tokenizer&&) noexcept = default;

}  // namespace berth::text
