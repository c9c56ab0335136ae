// A table of first bytes ("magic numbers", as in file(1)), and plain text as the last guess.
#include "checkpoint/file_kind.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace berth::checkpoint {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kBytesLookedAt = 256;
constexpr std::size_t kBytesShown = 40;

constexpr std::string_view kDownload = "download the file again; the link may be wrong, private, or ask for a login";
constexpr std::string_view kConvert =
    "convert the folder with Transformers: load it by from_pretrained and write it by save_pretrained";

struct Magic {
  std::string_view bytes;  // lower case where it is markup
  bool is_markup;          // may stand behind white space, in any case
  std::string_view what;
  std::string_view hint;
};

constexpr auto kMagics = std::to_array<Magic>({
    {"version https://git-lfs", false, "a Git LFS pointer, not the file itself", "fetch the file with: git lfs pull"},
    {"<!doctype html", true, "an HTML page", kDownload},
    {"<html", true, "an HTML page", kDownload},
    {"<?xml", true, "an XML text", kDownload},
    {"PK\x03\x04", false, "a zip archive, as PyTorch's torch.save writes it", kConvert},
    {"\x80\x02", false, "a Python pickle, as PyTorch's older torch.save writes it", kConvert},
    {"\x89HDF\r\n", false, "an HDF5 file, as TensorFlow's Keras writes it", kConvert},
    {"GGUF", false, "a GGUF file of llama.cpp", "use the checkpoint that it was made from"},
    {"\x1F\x8B", false, "a gzip archive", "unpack it first"},
    {"\x28\xB5\x2F\xFD", false, "a Zstandard archive", "unpack it first"},
    {"\xFF\xFE", false, "a UTF-16 text", "save it as UTF-8"},
    {"\xFE\xFF", false, "a UTF-16 text", "save it as UTF-8"},
    {"\0\0\0\0\0\0\0\0"sv, false, "a file that begins with zeros, as an unfinished download leaves it", kDownload},
});

bool is_space(char byte) { return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n'; }

char to_lower(char byte) { return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte - 'A' + 'a') : byte; }

bool starts_in_any_case(std::string_view text, std::string_view lower_case) {
  return text.size() >= lower_case.size() &&
         std::equal(lower_case.begin(), lower_case.end(), text.begin(),
                    [](char expected, char found) { return expected == to_lower(found); });
}

std::string_view without_leading_space(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  return text;
}

// Printable ASCII only: text in other encodings cannot be told from weights.
bool is_plain_text(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char byte) { return is_space(byte) || (byte >= 0x20 && byte < 0x7F); });
}

}  // namespace

std::optional<FileKind> recognise(std::span<const std::byte> file) {
  if (file.empty()) return FileKind{"empty", std::string(kDownload)};
  const std::string_view start(reinterpret_cast<const char*>(file.data()), std::min(file.size(), kBytesLookedAt));
  const std::string_view text = without_leading_space(start);
  for (const Magic& magic : kMagics) {
    if (magic.is_markup ? starts_in_any_case(text, magic.bytes) : start.starts_with(magic.bytes)) {
      return FileKind{std::string(magic.what), std::string(magic.hint)};
    }
  }
  if (!is_plain_text(start)) return std::nullopt;
  if (text.starts_with('{')) return FileKind{"a JSON text", std::string(kDownload)};
  const std::string_view line = text.substr(0, std::min(text.find_first_of("\r\n"), kBytesShown));
  return FileKind{"a plain text that begins \"" + std::string(line) + "\"", std::string(kDownload)};
}

}  // namespace berth::checkpoint
