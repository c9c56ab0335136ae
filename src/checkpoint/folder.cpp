// Links are followed: in the Hugging Face cache every file of a snapshot is a link into blobs/.
#include "checkpoint/folder.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/utf8.h"
#include "berth/error.h"

namespace berth::checkpoint {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kConfigName = "config.json";
constexpr std::string_view kWeightsName = "model.safetensors";

constexpr std::string_view kResave =
    "load the model with Transformers' from_pretrained, then write it with save_pretrained(NEW_FOLDER)";
constexpr std::string_view kMergeShards =
    "load the model with Transformers' from_pretrained, then write it in one file with "
    "save_pretrained(NEW_FOLDER, max_shard_size=\"100GB\")";

// Weights that a folder may hold in place of model.safetensors. The first that is there is named.
struct OtherFormat {
  std::string_view name;  // of the file; with a leading dot, an extension
  std::string_view what;
  std::string_view hint;
};
constexpr auto kOtherFormats = std::to_array<OtherFormat>({
    {"adapter_config.json", "a PEFT adapter (LoRA or its kin), not a whole model",
     "merge it into its base model with PEFT's merge_and_unload(), then write that with save_pretrained(NEW_FOLDER)"},
    {"model.safetensors.index.json", "the index of safetensors in several shards, which berth does not read yet",
     kMergeShards},
    {"pytorch_model.bin", "a PyTorch pickle, which berth does not read yet", kResave},
    {"pytorch_model.bin.index.json", "the index of PyTorch pickles in several shards, which berth does not read",
     kMergeShards},
    {"tf_model.h5", "a file of TensorFlow weights, which berth does not read",
     "load them with Transformers' from_pretrained(FOLDER, from_tf=True), then write them with "
     "save_pretrained(NEW_FOLDER)"},
    {"flax_model.msgpack", "a file of Flax weights, which berth does not read",
     "load them with Transformers' from_pretrained(FOLDER, from_flax=True), then write them with "
     "save_pretrained(NEW_FOLDER)"},
    {".gguf", "a GGUF file of llama.cpp, which berth does not read", "use the checkpoint that it was made from"},
    {".ckpt.index", "a TensorFlow 1 checkpoint, which berth does not read",
     "convert it with `transformers-cli convert`, then write it with save_pretrained(NEW_FOLDER)"},
    {".safetensors", "safetensors under another name", "rename the file to model.safetensors"},
});

// The folder's entries in order of name, folders with a trailing slash.
std::vector<std::string> list(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code failure;
  for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end; entry.increment(failure)) {
    std::error_code ignored;
    names.push_back(entry->path().filename().string() + (entry->is_directory(ignored) ? "/" : ""));
  }
  if (failure) throw Error(ErrorKind::io, folder.string(), "cannot be listed: " + failure.message());
  std::sort(names.begin(), names.end());
  return names;
}

std::string enumerate(const std::vector<std::string>& names) {
  constexpr std::size_t kMaxShown = 12;
  if (names.empty()) return "the folder is empty";
  std::string text = "found are ";
  for (std::size_t i = 0; i < std::min(names.size(), kMaxShown); ++i) text += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > kMaxShown) text += " and " + std::to_string(names.size() - kMaxShown) + " more";
  return utf8::replace_invalid(text);
}

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::binary_search(names.begin(), names.end(), name);
}

void require_folder(const fs::path& folder) {
  std::error_code failure;
  const fs::file_status status = fs::status(folder, failure);
  if (status.type() == fs::file_type::not_found) {
    throw Error(ErrorKind::not_found, folder.string(), "does not exist",
                "give the folder that save_pretrained wrote; a model of the Hugging Face Hub comes into a folder with: "
                "hf download OWNER/NAME --local-dir FOLDER");
  }
  if (status.type() == fs::file_type::none) {
    throw Error(ErrorKind::io, folder.string(), "cannot be examined: " + failure.message());
  }
  if (status.type() != fs::file_type::directory) {
    throw Error(ErrorKind::invalid_input, folder.string(), "is a file, expected a checkpoint folder",
                "give the folder that holds it");
  }
}

// A download that was broken off leaves links to blobs that never came.
void require_target(const fs::path& file) {
  std::error_code ignored;
  if (!fs::is_symlink(file, ignored) || fs::exists(file, ignored)) return;
  throw Error(ErrorKind::not_found, file.string(),
              "is a link to " + fs::read_symlink(file, ignored).string() + ", which is not there",
              "the download was not finished: start it again");
}

void refuse_other_formats(const fs::path& folder, const std::vector<std::string>& names) {
  for (const OtherFormat& format : kOtherFormats) {
    const auto found = std::find_if(names.begin(), names.end(), [&](const std::string& name) {
      return format.name.front() == '.' ? name.ends_with(format.name) : name == format.name;
    });
    if (found == names.end()) continue;
    throw Error(ErrorKind::unsupported, (folder / *found).string(),
                "is " + std::string(format.what) + "; expected " + std::string(kWeightsName) + " beside it",
                std::string(format.hint));
  }
}

[[noreturn]] void fail_without_config(const fs::path& folder, const std::vector<std::string>& names) {
  const bool is_hub_cache = contains(names, "snapshots/") && contains(names, "refs/");
  throw Error(ErrorKind::not_found, folder.string(), "has no " + std::string(kConfigName) + "; " + enumerate(names),
              is_hub_cache ? "this is a model of the Hugging Face cache: give one of the folders in snapshots/"
                           : "give the folder that save_pretrained wrote");
}

}  // namespace

CheckpointFiles locate_files(const fs::path& folder, const std::optional<fs::path>& config) {
  require_folder(folder);
  const std::vector<std::string> names = list(folder);
  const bool has_weights = contains(names, kWeightsName);
  const bool has_config = config || contains(names, kConfigName);
  if (!has_weights && (has_config || contains(names, "adapter_config.json"))) refuse_other_formats(folder, names);
  if (!has_config) fail_without_config(folder, names);
  if (!has_weights) {
    throw Error(ErrorKind::not_found, folder.string(), "has no " + std::string(kWeightsName) + "; " + enumerate(names),
                "give the folder that save_pretrained wrote");
  }
  CheckpointFiles files{config.value_or(folder / kConfigName), folder / kWeightsName};
  require_target(files.config);
  require_target(files.weights);
  return files;
}

}  // namespace berth::checkpoint
