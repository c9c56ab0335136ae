// The known word that a mistyped one most likely meant.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace berth {

// Insertions, deletions, replacements and swaps of neighbours (in bytes) that turn one word into the other:
// the optimal string alignment distance.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

// The known word that is nearest, the first of equals; nothing when none is near (more than a third of it differs).
[[nodiscard]] std::optional<std::string_view> nearest(std::string_view word, std::span<const std::string_view> known);

// "did you mean WORD?", or empty: for an Error's hint.
[[nodiscard]] std::string did_you_mean(std::string_view word, std::span<const std::string_view> known);
[[nodiscard]] std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

}  // namespace berth
