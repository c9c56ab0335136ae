// Truncation, then the template: each window of the first text with each window of the second, in the order that
// `tokenizers` gives them.
#include "text/assembly.h"

#include <algorithm>
#include <array>
#include <string>

#include "berth/error.h"

namespace berth::text {
namespace {

// Of all windows of a row together: with a large stride, or for each pair of windows of two texts, they grow with the
// product of two lengths.
constexpr std::size_t kMaxWindowTokens = std::size_t{1} << 24;

using Windows = std::vector<Window>;
// Which window of each text a row shows.
using Choice = std::array<std::size_t, 2>;

void check_stride(std::size_t stride, std::size_t length, ErrorKind kind) {
  if (stride < length) return;
  throw Error(kind, "stride",
              "is " + std::to_string(stride) + ", expected less than the " + std::to_string(length) +
                  " tokens of text that a window holds",
              "lower the stride or raise the maximum length");
}

// The order of the reference, which adds the texts to the row one after the other: those with a further window of the
// first text before those with its first window. (`order` is the order of the texts in the template.)
std::vector<Choice> choices(const std::array<Windows, 2>& windows, const std::vector<std::size_t>& order) {
  std::vector<Choice> all{{0, 0}};
  for (const std::size_t text : order) {
    std::vector<Choice> further;
    const auto extend = [&](Choice choice, std::size_t from) {
      for (choice[text] = from; choice[text] < windows[text].size(); ++choice[text]) further.push_back(choice);
    };
    for (std::size_t i = 1; i < all.size(); ++i) extend(all[i], 0);
    extend(all[0], 1);
    all.resize(1);
    all.insert(all.end(), further.begin(), further.end());
  }
  return all;
}

std::vector<std::size_t> texts_in_order(const Template& row) {
  std::vector<std::size_t> order;
  for (const TemplateItem& item : row) {
    if (item.sequence != kNone) order.push_back(static_cast<std::size_t>(item.sequence));
  }
  return order;
}

void reserve(Encoding& encoding, std::size_t size) {
  encoding.ids.reserve(size);
  encoding.type_ids.reserve(size);
  encoding.special_tokens_mask.reserve(size);
  encoding.offsets.reserve(size);
  encoding.word_ids.reserve(size);
  encoding.sequence_ids.reserve(size);
}

void append_special(Encoding& encoding, const TemplateItem& item) {
  const std::size_t size = encoding.ids.size() + item.special_ids.size();
  encoding.ids.insert(encoding.ids.end(), item.special_ids.begin(), item.special_ids.end());
  encoding.type_ids.resize(size, item.type_id);
  encoding.special_tokens_mask.resize(size, 1);
  encoding.offsets.resize(size);
  encoding.word_ids.resize(size, kNone);
  encoding.sequence_ids.resize(size, kNone);
}

void append_text(Encoding& encoding, const TextTokens& text, Window window, std::int32_t type_id,
                 std::int32_t sequence) {
  const auto append = [window](auto& target, const auto& source) {
    target.insert(target.end(), source.begin() + static_cast<std::ptrdiff_t>(window.begin),
                  source.begin() + static_cast<std::ptrdiff_t>(window.end));
  };
  append(encoding.ids, text.ids);
  append(encoding.offsets, text.offsets);
  append(encoding.word_ids, text.words);
  encoding.type_ids.resize(encoding.ids.size(), type_id);
  encoding.special_tokens_mask.resize(encoding.ids.size(), 0);
  encoding.sequence_ids.resize(encoding.ids.size(), sequence);
}

Encoding fill(const Template& row, std::span<const TextTokens> texts, const std::array<Windows, 2>& windows,
              const Choice& choice, bool special_tokens) {
  Encoding encoding;
  std::size_t size = special_tokens_of(row);
  for (std::size_t i = 0; i < texts.size(); ++i) size += windows[i][choice[i]].end - windows[i][choice[i]].begin;
  reserve(encoding, size);
  for (const TemplateItem& item : row) {
    if (item.sequence == kNone) {
      if (special_tokens) append_special(encoding, item);
      continue;
    }
    const auto text = static_cast<std::size_t>(item.sequence);
    // A quirk of the reference: the template's type reaches the first window of a text only.
    const std::int32_t type_id = choice[text] == 0 ? item.type_id : item.sequence;
    append_text(encoding, texts[text], windows[text][choice[text]], type_id, item.sequence);
  }
  return encoding;
}

std::array<Windows, 2> cut(std::span<const TextTokens> texts, const EncodeOptions& options,
                           std::optional<std::size_t> room) {
  const Lengths lengths{texts[0].size(), texts.size() > 1 ? texts[1].size() : 0};
  const Lengths kept = room ? truncate(lengths, *room, options.truncation) : lengths;
  const auto cut_one = [&](std::size_t length, std::size_t keep) {
    if (!options.windows || keep == length) return Windows{{0, keep}};
    check_stride(options.stride, keep, ErrorKind::limit);
    return windows_over(length, keep, options.stride);
  };
  return {cut_one(lengths.first, kept.first), cut_one(lengths.second, kept.second)};
}

void check_size(const std::array<Windows, 2>& windows, std::size_t length) {
  const std::size_t count = windows[0].size() * windows[1].size();
  if (count == 1 || count <= kMaxWindowTokens / length) return;
  throw Error(ErrorKind::limit, "windows",
              std::to_string(count) + " windows of " + std::to_string(length) + " tokens are too many",
              "lower the stride, raise the maximum length, or cut one of the texts only");
}

}  // namespace

std::optional<std::size_t> room_for_text(const Template& row, const EncodeOptions& options) {
  if (!options.max_length) return std::nullopt;
  const std::size_t special = options.special_tokens ? special_tokens_of(row) : 0;
  if (*options.max_length < special) {
    throw Error(ErrorKind::usage, "maximum length",
                "is " + std::to_string(*options.max_length) + ", expected at least the " + std::to_string(special) +
                    " special tokens of a row");
  }
  const std::size_t room = *options.max_length - special;
  if (options.windows || options.stride > 0) check_stride(options.stride, room, ErrorKind::usage);
  return room;
}

Encoding assemble(const Template& row, std::span<const TextTokens> texts, const EncodeOptions& options) {
  if (options.truncation == Truncation::only_second && options.max_length && texts.size() < 2) {
    throw Error(ErrorKind::usage, "truncation", "is only_second, but there is no second text");
  }
  const std::optional<std::size_t> room = room_for_text(row, options);
  const std::array<Windows, 2> windows = cut(texts, options, room);
  check_size(windows, options.max_length.value_or(1));
  Encoding encoding = fill(row, texts, windows, {0, 0}, options.special_tokens);
  for (std::size_t i = 0; i < texts.size(); ++i) encoding.truncated |= windows[i][0].end < texts[i].size();
  if (windows[0].size() * windows[1].size() == 1) return encoding;
  const std::vector<Choice> all = choices(windows, texts_in_order(row));
  encoding.overflow.reserve(all.size() - 1);
  for (std::size_t i = 1; i < all.size(); ++i) {
    encoding.overflow.push_back(fill(row, texts, windows, all[i], options.special_tokens));
    encoding.overflow.back().truncated = true;
  }
  return encoding;
}

}  // namespace berth::text
