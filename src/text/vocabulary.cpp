// Checks a vocabulary and lays it out both ways: token to id, and id to token.
#include "text/vocabulary.h"

#include <algorithm>

#include "base/checked.h"
#include "berth/error.h"

namespace berth::text {
namespace {

// Far above any vocabulary in use (the largest have about a million tokens), and small enough to allocate.
constexpr std::int64_t kMaxId = (1 << 22) - 1;

void check_id(std::int64_t id, const std::string& token, const std::string& where) {
  if (id >= 0 && id <= kMaxId) return;
  throw Error(id < 0 ? ErrorKind::invalid_input : ErrorKind::limit, where,
              "token \"" + token + "\" has id " + std::to_string(id) + ", expected 0 to " + std::to_string(kMaxId));
}

// Sorted by token; of equal tokens the last one stays.
void sort_and_deduplicate(Vocabulary::Entries& entries) {
  std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  const auto first_kept =
      std::unique(entries.rbegin(), entries.rend(), [](const auto& a, const auto& b) { return a.first == b.first; });
  entries.erase(entries.begin(), first_kept.base());
}

}  // namespace

Vocabulary::Vocabulary(Entries entries, const std::string& where) {
  sort_and_deduplicate(entries);
  count_ = entries.size();
  std::vector<Trie::Entry> keys;
  keys.reserve(entries.size());
  for (const auto& [token, id] : entries) {
    check_id(id, token, where);
    const auto index = static_cast<std::size_t>(id);
    if (index >= places_.size()) places_.resize(index + 1);
    if (const auto other = token_of(static_cast<std::int32_t>(id))) {
      throw Error(ErrorKind::invalid_input, where,
                  "id " + std::to_string(id) + " belongs to \"" + std::string(*other) + "\" and to \"" + token +
                      "\", expected one token for each id");
    }
    places_[index] = {checked::narrow<std::uint32_t>(text_.size(), "the vocabulary's size"),
                      checked::narrow<std::uint32_t>(token.size(), "a token's length")};
    text_ += token;
    keys.push_back({token, static_cast<std::int32_t>(id)});
  }
  trie_ = Trie(keys);
}

std::optional<std::int32_t> Vocabulary::id_of(std::string_view token) const noexcept {
  const std::int32_t id = trie_.find(token);
  return id < 0 ? std::nullopt : std::optional(id);
}

std::optional<std::string_view> Vocabulary::token_of(std::int32_t id) const noexcept {
  const auto index = static_cast<std::size_t>(id);
  if (id < 0 || index >= places_.size() || places_[index].offset == kNowhere) return std::nullopt;
  return std::string_view(text_).substr(places_[index].offset, places_[index].length);
}

}  // namespace berth::text
