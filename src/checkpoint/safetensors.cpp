// The layout of a safetensors file, checked from the outside in: the header's length, the header, each tensor's size,
// and that the tensors fill the rest of the file exactly.
#include "checkpoint/safetensors.h"

#include <algorithm>
#include <cstdint>
#include <tuple>

#include "base/checked.h"
#include "berth/error.h"
#include "checkpoint/file_kind.h"
#include "checkpoint/safetensors_header.h"

namespace berth::checkpoint {
namespace {

constexpr std::size_t kLengthBytes = 8;
constexpr std::uint64_t kMaxHeaderBytes = 100'000'000;  // the format's own limit

constexpr const char* kDamaged = "the file is damaged or cut off: download or save it again";

std::uint64_t read_little_endian(std::span<const std::byte> bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = kLengthBytes; i-- > 0;) value = value << 8U | std::to_integer<std::uint64_t>(bytes[i]);
  return value;
}

// A file that does not begin like the format is most often something else under this name: say what.
[[noreturn]] void fail_unreadable(std::span<const std::byte> file, const std::string& name,
                                  const std::string& finding) {
  if (const auto kind = recognise(file)) {
    throw Error(ErrorKind::invalid_input, name, "is " + kind->what + "; expected a safetensors file", kind->hint);
  }
  throw Error(ErrorKind::invalid_input, name, finding, kDamaged);
}

std::string_view header_of(std::span<const std::byte> file, const std::string& name) {
  if (file.size() < kLengthBytes) {
    fail_unreadable(file, name, "has only " + std::to_string(file.size()) + " bytes, too few for a safetensors file");
  }
  const std::uint64_t length = read_little_endian(file);
  const std::span<const std::byte> rest = file.subspan(kLengthBytes);
  const std::string claim = "says that its header has " + std::to_string(length) + " bytes";
  if (length > kMaxHeaderBytes) {
    fail_unreadable(file, name, claim + ", expected at most " + std::to_string(kMaxHeaderBytes));
  }
  if (length > rest.size()) {
    fail_unreadable(file, name, claim + ", but only " + std::to_string(rest.size()) + " follow");
  }
  if (length == 0 || rest.front() != std::byte{'{'}) {
    fail_unreadable(file, name, "has a header that does not begin with {");
  }
  return {reinterpret_cast<const char*>(rest.data()), length};
}

std::string range_of(const HeaderEntry& entry) {
  return "[" + std::to_string(entry.begin) + ", " + std::to_string(entry.end) + "]";
}

std::uint64_t bytes_needed(const HeaderEntry& entry, const std::string& where) {
  try {
    const auto count = static_cast<std::uint64_t>(element_count(entry.shape));
    return checked::multiply<std::uint64_t>(count, size_of(entry.dtype), "its size in bytes");
  } catch (const Error& failure) {
    throw Error(failure.kind(), where, "has the shape " + to_string(entry.shape) + ": " + failure.message());
  }
}

void check_size(const HeaderEntry& entry, const std::string& name) {
  const std::string where = place_of(name, entry.name);
  if (entry.end < entry.begin) {
    throw Error(ErrorKind::invalid_input, where,
                "has data_offsets " + range_of(entry) + ", which end before they begin");
  }
  const std::uint64_t needed = bytes_needed(entry, where);
  if (needed != entry.end - entry.begin) {
    throw Error(ErrorKind::invalid_input, where,
                "has the shape " + to_string(entry.shape) + " of " + std::string(name_of(entry.dtype)) +
                    ", which takes " + std::to_string(needed) + " bytes, but data_offsets " + range_of(entry) +
                    " hold " + std::to_string(entry.end - entry.begin));
  }
}

// The format has neither gaps nor shared bytes: each tensor begins where the one before it ends.
void check_coverage(std::vector<HeaderEntry>& entries, std::uint64_t available, const std::string& name) {
  std::sort(entries.begin(), entries.end(), [](const HeaderEntry& a, const HeaderEntry& b) {
    return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
  });
  std::uint64_t covered = 0;
  for (const HeaderEntry& entry : entries) {
    if (entry.begin != covered) {
      throw Error(ErrorKind::invalid_input, place_of(name, entry.name),
                  "has data_offsets " + range_of(entry) + ", which " +
                      (entry.begin < covered ? "overlap the tensor before it" : "leave a hole before it") +
                      ", expected to begin at " + std::to_string(covered));
    }
    covered = entry.end;
  }
  if (covered == available) return;
  throw Error(ErrorKind::invalid_input, name,
              "holds " + std::to_string(available) + " bytes of tensors, but its header describes " +
                  std::to_string(covered) +
                  (available < covered ? ": the end of the file is missing"
                                       : ": there are bytes at the end that belong to none"),
              kDamaged);
}

// Expects both lists sorted.
void check_unique(const Header& header, const std::string& name) {
  const auto tensor = std::adjacent_find(header.entries.begin(), header.entries.end(),
                                         [](const auto& a, const auto& b) { return a.name == b.name; });
  if (tensor != header.entries.end()) {
    throw Error(ErrorKind::invalid_input, place_of(name, tensor->name), "stands twice in the header");
  }
  const auto pair = std::adjacent_find(header.metadata.begin(), header.metadata.end(),
                                       [](const auto& a, const auto& b) { return a.first == b.first; });
  if (pair != header.metadata.end()) {
    throw Error(ErrorKind::invalid_input, place_of(name, "__metadata__: " + pair->first), "stands twice in the header");
  }
}

constexpr auto kByName = [](const auto& a, const auto& b) { return a.name < b.name; };

}  // namespace

std::string shown_name(std::string_view tensor) {
  constexpr std::size_t kMaxShown = 200;
  std::size_t size = std::min(tensor.size(), kMaxShown);
  const auto inside_character = [&](std::size_t at) {
    return (static_cast<unsigned char>(tensor[at]) & 0xC0U) == 0x80U;
  };
  while (size > 0 && size < tensor.size() && inside_character(size)) --size;
  std::string shown(tensor.substr(0, size));
  std::replace_if(
      shown.begin(), shown.end(), [](unsigned char byte) { return byte < 0x20 || byte == 0x7F; }, '?');
  return size < tensor.size() ? shown + "…" : shown;
}

std::string place_of(const std::string& file, std::string_view tensor) { return file + ": " + shown_name(tensor); }

Safetensors read_safetensors(std::span<const std::byte> file, const std::string& name) {
  const std::string_view json = header_of(file, name);
  const std::span<const std::byte> data = file.subspan(kLengthBytes + json.size());
  Header header = parse_header(json, name);
  std::sort(header.entries.begin(), header.entries.end(), kByName);
  std::sort(header.metadata.begin(), header.metadata.end());
  check_unique(header, name);
  for (const HeaderEntry& entry : header.entries) check_size(entry, name);
  check_coverage(header.entries, data.size(), name);

  Safetensors result;
  result.metadata = std::move(header.metadata);
  result.tensors.reserve(header.entries.size());
  for (HeaderEntry& entry : header.entries) {
    const auto bytes = data.subspan(entry.begin, entry.end - entry.begin);
    result.tensors.push_back({std::move(entry.name), {entry.dtype, std::move(entry.shape), bytes}});
  }
  std::sort(result.tensors.begin(), result.tensors.end(), kByName);
  return result;
}

}  // namespace berth::checkpoint
