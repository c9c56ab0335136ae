// The tokens of a model and their ids.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/trie.h"

namespace berth::text {

class Vocabulary {
 public:
  using Entries = std::vector<std::pair<std::string, std::int64_t>>;

  // Where a token stands twice, the last one counts (as Python's dict). Ids may have gaps. Throws Error with `where`
  // for an id that is negative, too large, or given to two tokens.
  Vocabulary(Entries entries, const std::string& where);

  [[nodiscard]] std::optional<std::int32_t> id_of(std::string_view token) const noexcept;
  [[nodiscard]] std::optional<std::string_view> token_of(std::int32_t id) const noexcept;
  [[nodiscard]] std::size_t count() const noexcept { return count_; }             // of tokens
  [[nodiscard]] std::size_t id_limit() const noexcept { return places_.size(); }  // above every id
  [[nodiscard]] const Trie& trie() const noexcept { return trie_; }

 private:
  struct Place {
    std::uint32_t offset = kNowhere;  // in text_
    std::uint32_t length = 0;
  };
  static constexpr std::uint32_t kNowhere = UINT32_MAX;

  std::string text_;           // all tokens, one after the other
  std::vector<Place> places_;  // by id
  std::size_t count_ = 0;
  Trie trie_;  // its values are ids
};

}  // namespace berth::text
