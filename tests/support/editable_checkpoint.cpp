// The safetensors format: eight bytes with the header's length, a JSON header, the values.
#include "support/editable_checkpoint.h"

#include <cstring>
#include <fstream>
#include <stdexcept>

#include "base/file.h"

namespace berth::test {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLimit = 64U << 20;

DType dtype_named(const std::string& name) {
  for (int i = 0; i <= static_cast<int>(DType::boolean); ++i) {
    if (name_of(static_cast<DType>(i)) == name) return static_cast<DType>(i);
  }
  throw std::runtime_error("no type " + name);
}

EditableTensor read_tensor(const json::Value& entry, std::string_view values) {
  TensorView view{dtype_named(entry.at("dtype").get<std::string>()), entry.at("shape").get<Shape>(), {}};
  const auto begin = entry.at("data_offsets").at(0).get<std::size_t>();
  const auto end = entry.at("data_offsets").at(1).get<std::size_t>();
  view.data = std::as_bytes(std::span(values)).subspan(begin, end - begin);
  EditableTensor tensor{view.shape, std::vector<double>(static_cast<std::size_t>(element_count(view.shape)))};
  widen(view, 0, element_count(view.shape), tensor.values.data());
  return tensor;
}

}  // namespace

EditableCheckpoint read_editable(const fs::path& folder) {
  EditableCheckpoint checkpoint;
  checkpoint.config = json::read_document(folder / "config.json");
  const std::string file = read_file(folder / "model.safetensors", kLimit);
  std::uint64_t length = 0;
  std::memcpy(&length, file.data(), sizeof(length));
  const std::string_view rest = std::string_view(file).substr(sizeof(length));
  const json::Value header = json::parse(rest.substr(0, length), "model.safetensors");
  for (const auto& [name, entry] : header.items()) {
    if (name != "__metadata__") checkpoint.tensors.emplace(name, read_tensor(entry, rest.substr(length)));
  }
  return checkpoint;
}

void write(const EditableCheckpoint& checkpoint, const fs::path& folder) {
  fs::create_directories(folder);
  json::Value header = json::Value::object();
  std::size_t offset = 0;
  for (const auto& [name, tensor] : checkpoint.tensors) {
    const std::size_t end = offset + tensor.values.size() * sizeof(double);
    header[name] = {{"dtype", "F64"}, {"shape", tensor.shape}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = header.dump();
  text.append((8 - text.size() % 8) % 8, ' ');
  const std::uint64_t length = text.size();
  std::ofstream file(folder / "model.safetensors", std::ios::binary | std::ios::trunc);
  file.write(reinterpret_cast<const char*>(&length), sizeof(length));
  file << text;
  for (const auto& [name, tensor] : checkpoint.tensors) {
    file.write(reinterpret_cast<const char*>(tensor.values.data()),
               static_cast<std::streamsize>(tensor.values.size() * sizeof(double)));
  }
  std::ofstream(folder / "config.json", std::ios::trunc) << checkpoint.config.dump(1);
  if (!file) throw std::runtime_error("cannot write " + folder.string());
}

}  // namespace berth::test
