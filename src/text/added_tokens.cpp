// Registering and finding added tokens. The truth is `added_vocabulary.rs` of `tokenizers` 0.22.2: leftmost longest
// match; a match that is refused (a single word that is not one) is not tried again with a shorter token.
#include "text/added_tokens.h"

#include <algorithm>

#include "base/checked.h"
#include "base/log.h"
#include "berth/error.h"
#include "text/unicode.h"

namespace berth::text {
namespace {

bool is_word_before(std::string_view text, std::size_t end) {
  return end > 0 && unicode::properties().has(code_point_before(text, end).value, unicode::kWord);
}

bool is_word_at(std::string_view text, std::size_t at) {
  return at < text.size() && unicode::properties().has(code_point_at(text, at).value, unicode::kWord);
}

// Where the whitespace that ends before text[end] begins, but not before `limit`.
std::size_t whitespace_before(std::string_view text, std::size_t end, std::size_t limit) {
  while (end > limit) {
    const auto [code_point, bytes] = code_point_before(text, end);
    if (!unicode::properties().has(code_point, unicode::kWhitespace)) break;
    end -= bytes;
  }
  return end;
}

std::size_t whitespace_after(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    const auto [code_point, bytes] = code_point_at(text, at);
    if (!unicode::properties().has(code_point, unicode::kWhitespace)) break;
    at += bytes;
  }
  return at;
}

// Keeps matching linear in the text, whatever a stranger's file says.
constexpr std::size_t kMaxContent = 1024;

void check_length(const AddedToken& token) {
  if (token.content.size() <= kMaxContent) return;
  throw Error(
      ErrorKind::limit, "added token \"" + token.content.substr(0, 20) + "…\"",
      "has " + std::to_string(token.content.size()) + " bytes, expected at most " + std::to_string(kMaxContent));
}

void warn_of_id(const std::string& content, std::int32_t declared, std::int32_t id) {
  log_warning("added token \"" + content + "\" is listed with id " + std::to_string(declared) + ", but its id is " +
              std::to_string(id) + " (from the vocabulary, or counted on from its end)");
}

Trie trie_of(const std::map<std::string, std::int32_t>& patterns) {
  std::vector<Trie::Entry> entries;
  for (const auto& [content, id] : patterns) entries.push_back({content, id});
  return Trie(entries);
}

}  // namespace

void AddedTokens::add(const std::vector<DeclaredToken>& tokens, const Vocabulary& vocabulary) {
  for (const auto& [token, declared] : tokens) {
    check_length(token);
    if (token.special && !token.content.empty() && special_contents_.insert(token.content).second) {
      special_.push_back(token);
    }
  }
  // The reference counts on from the number of tokens, which is below the largest id where the ids have gaps.
  std::size_t next = std::max(id_limit(), vocabulary.count());
  for (const auto& [token, declared] : tokens) {
    std::optional<std::int32_t> id = id_of(token.content);
    if (token.content.empty() || (id && tokens_.at(*id) == token)) continue;
    if (!id) id = vocabulary.id_of(token.content);
    if (!id) id = checked::narrow<std::int32_t>(next++, "the id of an added token");
    if (declared != kNone && declared != *id) warn_of_id(token.content, declared, *id);
    ids_.insert_or_assign(token.content, *id);
    tokens_.insert_or_assign(*id, token);
    if (!special_contents_.contains(token.content)) ordinary_.push_back(token);
  }
}

void AddedTokens::prepare(const Normalizer& normalizer) {
  std::map<std::string, std::int32_t> raw;
  std::map<std::string, std::int32_t> normalized;
  for (const auto* tokens : {&special_, &ordinary_}) {
    for (const AddedToken& token : *tokens) {
      const std::int32_t id = ids_.at(token.content);
      if (!token.normalized) {
        raw.try_emplace(token.content, id);
        continue;
      }
      std::string content = normalize(normalizer, align(token.content, 0)).bytes;
      if (content.empty()) {
        throw Error(ErrorKind::unsupported, "added token \"" + token.content + "\"",
                    "the normalizer leaves nothing of it, so it can never be found");
      }
      normalized.try_emplace(std::move(content), id);
    }
  }
  raw_ = trie_of(raw);
  normalized_ = trie_of(normalized);
}

std::optional<std::int32_t> AddedTokens::id_of(std::string_view content) const {
  const auto found = ids_.find(content);
  return found == ids_.end() ? std::nullopt : std::optional(found->second);
}

const AddedToken* AddedTokens::token_of(std::int32_t id) const {
  const auto found = tokens_.find(id);
  return found == tokens_.end() ? nullptr : &found->second;
}

std::size_t AddedTokens::id_limit() const noexcept {
  return tokens_.empty() ? 0 : static_cast<std::size_t>(tokens_.rbegin()->first) + 1;
}

void AddedTokens::split(std::string_view text, std::size_t offset, const Trie& patterns, bool special_tokens,
                        std::vector<Piece>& pieces) const {
  const auto put = [&](std::size_t begin, std::size_t end, std::int32_t token) {
    if (begin < end) pieces.push_back({offset + begin, offset + end, token});
  };
  std::size_t done = 0;
  for (std::size_t at = patterns.next_start(text, 0); at < text.size(); at = patterns.next_start(text, at)) {
    const Trie::Match match = patterns.longest(text.substr(at));
    if (match.length == 0) {
      ++at;
      continue;
    }
    std::size_t begin = at;
    std::size_t end = at + match.length;
    at = end;
    const AddedToken& token = tokens_.at(match.value);
    if (!special_tokens && special_contents_.contains(token.content)) continue;
    if (token.single_word && (is_word_before(text, begin) || is_word_at(text, end))) continue;
    // Never what the token before has taken; that one may have swallowed the beginning of this one.
    if (token.lstrip) begin = std::max(whitespace_before(text, begin, std::min(begin, done)), done);
    if (token.rstrip) end = whitespace_after(text, end);
    put(done, begin, kNone);
    put(begin, end, match.value);
    done = end;
  }
  put(done, text.size(), kNone);
}

std::vector<Piece> AddedTokens::split_raw(std::string_view text, bool special_tokens) const {
  std::vector<Piece> pieces;
  split(text, 0, raw_, special_tokens, pieces);
  return pieces;
}

void AddedTokens::split_normalized(Pieces& pieces, bool special_tokens) const {
  std::vector<Piece> refined;
  for (const Piece& piece : pieces.pieces) {
    if (piece.token != kNone) {
      refined.push_back(piece);
    } else {
      split(pieces.bytes_of(piece), piece.begin, normalized_, special_tokens, refined);
    }
  }
  pieces.pieces = std::move(refined);
}

}  // namespace berth::text
