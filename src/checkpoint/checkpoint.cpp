// Opening a folder: find its files, read the config, map the weights, give every tensor its normalised name.
#include "berth/checkpoint.h"

#include <algorithm>
#include <utility>

#include "base/file.h"
#include "base/hash.h"
#include "base/mapped_file.h"
#include "berth/error.h"
#include "checkpoint/config.h"
#include "checkpoint/family.h"
#include "checkpoint/folder.h"
#include "checkpoint/safetensors.h"
#include "checkpoint/tensor_names.h"

namespace berth::checkpoint {

struct Checkpoint::Storage {
  std::string config_digest;        // of the bytes that were parsed, whatever becomes of the file
  std::vector<MappedFile> weights;  // in the order of weight_files_
};

namespace {

using Entries = std::map<std::string, Checkpoint::Entry, std::less<>>;

bool are_equal(const TensorView& a, const TensorView& b) {
  return a.dtype == b.dtype && a.shape == b.shape &&
         std::equal(a.data.begin(), a.data.end(), b.data.begin(), b.data.end());
}

// Tied weights that were saved twice may share a normalised name; of different values nobody can say which counts.
void insert(Entries& entries, NamedTensor tensor, std::string_view base_prefix, const std::string& file) {
  std::string name = normalised_name(tensor.name, base_prefix);
  const auto known = entries.find(name);
  if (known == entries.end()) {
    entries.emplace(std::move(name), Checkpoint::Entry{std::move(tensor.name), std::move(tensor.view)});
    return;
  }
  if (are_equal(known->second.view, tensor.view)) return;
  throw Error(ErrorKind::invalid_input, place_of(file, known->second.stored_name),
              "means the same tensor as " + shown_name(tensor.name) + ", but the two are not equal",
              "remove one of the two");
}

// TensorFlow's and Flax's matrices are transposed, and their names differ: Transformers converts them, berth does not.
void refuse_foreign_layout(const Safetensors& file, const std::string& name) {
  for (const auto& [key, value] : file.metadata) {
    if (key != "format" || (value != "tf" && value != "flax")) continue;
    throw Error(ErrorKind::unsupported, name,
                "was saved by " + std::string(value == "tf" ? "TensorFlow" : "Flax") + ", expected PyTorch's layout",
                "load the model with Transformers' PyTorch classes, then write it with save_pretrained(NEW_FOLDER)");
  }
}

}  // namespace

Checkpoint::Checkpoint() : storage_(std::make_unique<Storage>()) {}
Checkpoint::~Checkpoint() = default;
Checkpoint::Checkpoint(Checkpoint&&) noexcept = default;
Checkpoint& Checkpoint::operator=(Checkpoint&&) noexcept = default;

Checkpoint Checkpoint::open(const fs::path& folder, const OpenOptions& options) {
  const CheckpointFiles files = locate_files(folder, options.config);
  Checkpoint checkpoint;
  checkpoint.folder_ = folder;
  const std::string config = read_file(files.config, kMaxConfigBytes);
  checkpoint.config_ = parse_config(config, files.config);
  if (!options.labels.empty()) checkpoint.config_.labels = options.labels;
  checkpoint.storage_->config_digest = sha256_of(std::as_bytes(std::span(config)));

  checkpoint.weight_files_.push_back(files.weights);
  const MappedFile& mapped = checkpoint.storage_->weights.emplace_back(files.weights);
  const std::string name = files.weights.string();
  Safetensors stored = read_safetensors(mapped.bytes(), name);
  refuse_foreign_layout(stored, name);
  const Family* const family = find_family(checkpoint.config_.model_type);
  for (NamedTensor& tensor : stored.tensors) {
    insert(checkpoint.tensors_, std::move(tensor), family == nullptr ? "" : family->base_prefix, name);
  }
  checkpoint.require_intact();
  return checkpoint;
}

const TensorView* Checkpoint::find(std::string_view name) const {
  const auto found = tensors_.find(name);
  return found == tensors_.end() ? nullptr : &found->second.view;
}

std::uint64_t Checkpoint::weight_bytes() const noexcept {
  std::uint64_t bytes = 0;
  for (const MappedFile& file : storage_->weights) bytes += file.bytes().size();
  return bytes;
}

std::string Checkpoint::hash() const {
  std::string lines = storage_->config_digest + "  config.json\n";
  for (const MappedFile& file : storage_->weights) {
    lines += sha256_of(file.bytes()) + "  " + file.path().filename().string() + "\n";
  }
  require_intact();
  return sha256_of(std::as_bytes(std::span(lines)));
}

void Checkpoint::require_intact() const {
  for (const MappedFile& file : storage_->weights) file.require_intact();
}

}  // namespace berth::checkpoint
