// A model names its data files; the names are a stranger's. Links are resolved before the place is judged, so neither
// ".." nor a link leads out of the model's folder.
#include "graph/external_data.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "berth/error.h"
#include "graph/names.h"

namespace berth::graph {
namespace {

namespace fs = std::filesystem;

bool lies_below(const fs::path& path, const fs::path& folder) {
  return std::mismatch(path.begin(), path.end(), folder.begin(), folder.end()).second == folder.end();
}

std::uint64_t parse_number(const std::optional<std::string>& text, std::uint64_t missing, const char* name,
                           const std::string& where) {
  if (!text) return missing;
  std::uint64_t value = 0;
  const char* const end = text->data() + text->size();
  const auto [rest, failure] = std::from_chars(text->data(), end, value);
  if (failure != std::errc{} || rest != end) {
    throw Error(ErrorKind::invalid_input, where,
                "has the external data " + std::string(name) + " " + in_quotes(*text) + ", expected a number");
  }
  return value;
}

std::string range_text(std::uint64_t size, std::uint64_t offset) {
  return std::to_string(size) + " bytes" + (offset != 0 ? " from byte " + std::to_string(offset) + " on" : "");
}

}  // namespace

// A download cache of Hugging Face holds a link for each file and the files elsewhere, side by side: data may lie in
// the folder of the model file's link, or in that of the file itself.
ExternalData::ExternalData(const fs::path& model_file) : model_file_(model_file) {
  folders_.push_back(fs::canonical(fs::absolute(model_file).parent_path()));
  const fs::path real_folder = fs::canonical(model_file).parent_path();
  if (real_folder != folders_.front()) folders_.push_back(real_folder);
}

fs::path ExternalData::resolve(const std::string& location, const std::string& where) const {
  const fs::path relative(location);
  const bool is_name = !location.empty() && location.find('\0') == std::string::npos;
  if (!is_name) throw Error(ErrorKind::invalid_input, where, "has external data without the name of a file");
  if (relative.is_absolute()) {
    throw Error(ErrorKind::invalid_input, where,
                "has its external data at the absolute path " + in_quotes(location) +
                    ", expected one inside the model's folder",
                "a model must not read other files of this machine; get it from a source that you trust");
  }
  std::error_code failure;
  const fs::path resolved = fs::weakly_canonical(folders_.front() / relative, failure);
  if (failure) {
    throw Error(ErrorKind::io, where,
                "external data " + in_quotes(location) + " cannot be resolved: " + failure.message());
  }
  const bool inside = std::any_of(folders_.begin(), folders_.end(),
                                  [&](const fs::path& folder) { return lies_below(resolved, folder); });
  if (!inside) {
    throw Error(ErrorKind::invalid_input, where, "external data " + in_quotes(location) + " leaves the model's folder",
                "a model must not read other files of this machine; get it from a source that you trust");
  }
  return resolved;
}

const MappedFile& ExternalData::map(const fs::path& path, const std::string& location, const std::string& where) {
  const auto found = files_.find(path);
  if (found != files_.end()) return *found->second;
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (!fs::exists(status)) {
    throw Error(ErrorKind::not_found, where, "external data file " + in_quotes(location) + " is not there",
                "put it into the folder of the model");
  }
  if (!fs::is_regular_file(status)) {
    throw Error(ErrorKind::invalid_input, where, "external data " + in_quotes(location) + " is not a regular file");
  }
  return *files_.emplace(path, std::make_shared<const MappedFile>(path)).first->second;
}

std::span<const std::byte> ExternalData::find(const ExternalReference& reference, std::uint64_t size,
                                              const std::string& tensor) {
  const std::string where = model_file_.string() + ": tensor " + in_quotes(tensor);
  const std::uint64_t offset = parse_number(reference.offset, 0, "offset", where);
  const std::uint64_t length = parse_number(reference.length, size, "length", where);
  const fs::path path = resolve(reference.location, where);
  if (length != size) {
    throw Error(
        ErrorKind::invalid_input, where,
        "has " + std::to_string(length) + " bytes of external data, its type and shape need " + std::to_string(size));
  }
  const std::span<const std::byte> bytes = map(path, reference.location, where).bytes();
  if (offset > bytes.size() || size > bytes.size() - offset) {
    throw Error(ErrorKind::invalid_input, where,
                "needs " + range_text(size, offset) + " in " + in_quotes(reference.location) + ", which has " +
                    std::to_string(bytes.size()),
                "the data file is cut short or belongs to another model");
  }
  return bytes.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
}

std::vector<std::shared_ptr<const void>> ExternalData::files() const {
  std::vector<std::shared_ptr<const void>> files;
  for (const auto& [path, file] : files_) files.emplace_back(file);
  return files;
}

}  // namespace berth::graph
