// Weights outside the model file: where they may lie, and how much of the file must be there.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/mapped_file.h"
#include "graph/tensor_reader.h"

namespace berth::graph {

// Maps each data file of one model once.
class ExternalData {
 public:
  explicit ExternalData(const std::filesystem::path& model_file);

  // The bytes of a tensor of `size` bytes. Throws Error{invalid_input, not_found, io}; its `where` names the tensor.
  [[nodiscard]] std::span<const std::byte> find(const ExternalReference& reference, std::uint64_t size,
                                                const std::string& tensor);

  [[nodiscard]] std::vector<std::shared_ptr<const void>> files() const;

 private:
  std::filesystem::path resolve(const std::string& location, const std::string& where) const;
  const MappedFile& map(const std::filesystem::path& path, const std::string& location, const std::string& where);

  std::filesystem::path model_file_;
  std::vector<std::filesystem::path> folders_;  // resolved; data must lie below one of them
  std::map<std::filesystem::path, std::shared_ptr<const MappedFile>> files_;
};

}  // namespace berth::graph
