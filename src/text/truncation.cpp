// The strategies of `tokenizers` (truncation.rs): "longest first" is worked out at once, not token by token.
#include "text/truncation.h"

#include <algorithm>
#include <string>

#include "berth/error.h"

namespace berth::text {
namespace {

// Only the longer text is cut, unless both are longer than half; then each gets half, and an odd token goes to the
// longer (to the second of equals).
Lengths longest_first(Lengths lengths, std::size_t room) {
  const bool first_is_longer = lengths.first > lengths.second;
  std::size_t shorter = std::min(lengths.first, lengths.second);
  std::size_t longer = shorter > room ? shorter : std::max(shorter, room - shorter);
  if (shorter + longer > room) {
    shorter = room / 2;
    longer = shorter + room % 2;
  }
  return first_is_longer ? Lengths{longer, shorter} : Lengths{shorter, longer};
}

std::size_t cut(std::size_t length, std::size_t excess, const char* which) {
  if (length > excess) return length - excess;
  throw Error(ErrorKind::limit, std::string("the ") + which + " text",
              "has " + std::to_string(length) + " tokens, of which " + std::to_string(excess) +
                  " would have to go: the other text leaves no room for it",
              "raise the maximum length, shorten the other text, or truncate the longest first");
}

}  // namespace

Lengths truncate(Lengths lengths, std::size_t room, Truncation strategy) {
  const std::size_t total = lengths.first + lengths.second;
  if (total <= room) return lengths;
  switch (strategy) {
    case Truncation::only_first: return {cut(lengths.first, total - room, "first"), lengths.second};
    case Truncation::only_second: return {lengths.first, cut(lengths.second, total - room, "second")};
    case Truncation::longest_first: break;
  }
  return longest_first(lengths, room);
}

std::vector<Window> windows_over(std::size_t count, std::size_t length, std::size_t stride) {
  std::vector<Window> windows{{0, std::min(count, length)}};
  while (windows.back().end < count) {
    const std::size_t begin = windows.back().begin + length - stride;
    windows.push_back({begin, std::min(begin + length, count)});
  }
  return windows;
}

}  // namespace berth::text
