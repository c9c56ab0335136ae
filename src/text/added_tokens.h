// The first stage: tokens that stand beside the model's vocabulary ([SEP], a user's own words) are found in the text
// before the model sees it. Those that are not `normalized` are looked for in the text as it came, the others in the
// normalized text.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "text/aligned_text.h"
#include "text/normalizers.h"
#include "text/trie.h"
#include "text/vocabulary.h"

namespace berth::text {

struct AddedToken {
  std::string content;
  bool single_word = false;  // only where no word character stands beside it
  bool lstrip = false;       // swallows the whitespace before it,
  bool rstrip = false;       // after it
  bool normalized = false;
  bool special = false;
  friend bool operator==(const AddedToken&, const AddedToken&) = default;
};

// As a file lists it. The id decides nothing (see AddedTokens::add); kNone where the file gives none.
struct DeclaredToken {
  AddedToken token;
  std::int32_t id = kNone;
};

class AddedTokens {
 public:
  // Gives each token its id: that of the vocabulary, or else the next free one above it; warns where the file says
  // another one. Of a content that comes twice the flags that came last count, but whether it is looked for in the
  // normalized text is decided by those that came first (as in `tokenizers`).
  void add(const std::vector<DeclaredToken>& tokens, const Vocabulary& vocabulary);
  // To be called after the last add(); the contents of `normalized` tokens pass through the normalizer.
  // Throws Error when nothing is left of one.
  void prepare(const Normalizer& normalizer);

  // The ids of its tokens, by content; a content that is not there is not an added token.
  [[nodiscard]] std::optional<std::int32_t> id_of(std::string_view content) const;
  [[nodiscard]] const AddedToken* token_of(std::int32_t id) const;
  [[nodiscard]] std::size_t id_limit() const noexcept;  // above every id; 0 without tokens

  // Cuts a text (stands in the original as it is here) at the tokens that are not `normalized`.
  [[nodiscard]] std::vector<Piece> split_raw(std::string_view text, bool special_tokens) const;
  // Cuts the pieces of a normalized text at the others. Without `special_tokens` those that are special stay text.
  void split_normalized(Pieces& pieces, bool special_tokens) const;

 private:
  void split(std::string_view text, std::size_t offset, const Trie& patterns, bool special_tokens,
             std::vector<Piece>& pieces) const;

  std::vector<AddedToken> special_;  // in the order of matching: special ones first
  std::vector<AddedToken> ordinary_;
  std::set<std::string, std::less<>> special_contents_;
  std::map<std::string, std::int32_t, std::less<>> ids_;
  std::map<std::int32_t, AddedToken> tokens_;
  Trie raw_;
  Trie normalized_;
};

}  // namespace berth::text
