// How many columns of a terminal a text takes, and texts made to fit: as far as terminals agree on it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace berth::cli {

// Columns of valid UTF-8: 0 for combining marks and joiners, 2 for East Asian wide characters and emoji.
[[nodiscard]] std::size_t text_width(std::string_view text);

// The text padded with spaces to `width` columns, or cut to it with "…" at its end.
[[nodiscard]] std::string fit(std::string_view text, std::size_t width);

// For a terminal: invalid UTF-8 becomes U+FFFD and control characters (which could move the cursor or recolour what
// others wrote) become visible, such as \x1b. Line breaks stay when `lines` says so.
[[nodiscard]] std::string printable(std::string_view text, bool lines);

// The text broken at spaces into lines of at most `width` columns; longer words stand alone.
[[nodiscard]] std::string wrap(std::string_view text, std::size_t width, std::string_view indent);

}  // namespace berth::cli
