// Opening model folders: bundles by their manifest, plain folders by what their config says.
#include "berth/bundle.h"

#include <algorithm>

#include "base/file.h"
#include "base/hash.h"
#include "base/log.h"
#include "berth/checkpoint.h"
#include "berth/encoder.h"
#include "berth/error.h"

namespace berth::bundle {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kNestedModelFile = "onnx/model.onnx";  // where Hugging Face repositories keep theirs

std::optional<fs::path> model_in(const fs::path& folder) {
  for (const std::string_view name : {kModelFile, kNestedModelFile}) {
    if (fs::is_regular_file(folder / name)) return folder / name;
  }
  return std::nullopt;
}

void require_sizes(const fs::path& folder, const Manifest& manifest) {
  for (const FileEntry& file : manifest.files) {
    std::error_code missing;
    const std::uintmax_t size = fs::file_size(folder / file.name, missing);
    if (missing) {
      throw Error(ErrorKind::not_found, (folder / file.name).string(), "is missing, and the manifest names it",
                  "export the checkpoint again");
    }
    if (size != file.size) {
      throw Error(ErrorKind::mismatch, (folder / file.name).string(),
                  "has " + std::to_string(size) + " bytes, the manifest says " + std::to_string(file.size),
                  "a bundle's files must not be changed: export the checkpoint again");
    }
  }
}

// The folder of the config: an ONNX file in a folder "onnx" belongs to the model folder above.
fs::path folder_of(const fs::path& model_file) {
  const fs::path folder = fs::absolute(model_file).parent_path();
  const bool nested = folder.filename() == "onnx" && !fs::exists(folder / kConfigFile) &&
                      fs::exists(folder.parent_path() / kConfigFile);
  return nested ? folder.parent_path() : folder;
}

void fill_from_config(Bundle& bundle, const OpenOptions& options) {
  const fs::path config_file = bundle.folder / kConfigFile;
  if (fs::exists(config_file)) {
    const checkpoint::EncoderConfig config = checkpoint::read_config(config_file);
    bundle.problem_type = config.problem_type;
    bundle.labels = config.labels;
    bundle.max_tokens = encoder::max_tokens(config);
    if (options.task) {
      bundle.task = *options.task;
    } else {
      bundle.task = encoder::row_of(encoder::choose_head(config, std::nullopt)).task;
      log_info("no manifest in " + bundle.folder.string() + ": the task is " + bundle.task + " by config.json");
    }
  } else if (options.task) {
    bundle.task = *options.task;
  } else {
    throw Error(ErrorKind::not_found, config_file.string(), "is missing, and nothing else says what the model is for",
                "name the task with --task, or put the model's config.json beside it");
  }
}

}  // namespace

bool holds_model(const fs::path& path) {
  return fs::is_regular_file(path) ? path.extension() == ".onnx" || path.extension() == ".ort"
                                   : fs::is_directory(path) && model_in(path).has_value();
}

Bundle open(const fs::path& path, const OpenOptions& options) {
  if (!fs::exists(path)) throw Error(ErrorKind::not_found, path.string(), "does not exist");
  Bundle bundle;
  if (fs::is_directory(path)) {
    const std::optional<fs::path> model = model_in(path);
    if (!model) {
      throw Error(ErrorKind::not_found, path.string(), "holds no " + std::string(kModelFile),
                  "make one from a checkpoint with: berth export CHECKPOINT -o DIR");
    }
    bundle.folder = path;
    bundle.model_file = *model;
  } else {
    bundle.folder = folder_of(path);
    bundle.model_file = path;
  }
  const fs::path manifest_file = bundle.folder / kManifestFile;
  if (fs::exists(manifest_file) && bundle.model_file.filename() == kModelFile) {
    bundle.manifest = read_manifest(manifest_file);
    require_sizes(bundle.folder, *bundle.manifest);
    bundle.task = options.task.value_or(bundle.manifest->task);
    bundle.problem_type = bundle.manifest->problem_type;
    bundle.labels = bundle.manifest->labels;
    bundle.max_tokens = bundle.manifest->max_tokens;
  } else {
    fill_from_config(bundle, options);
  }
  bundle.tokenizer_folder = options.tokenizer.value_or(bundle.folder);
  return bundle;
}

std::vector<std::string> changed_files(const Bundle& bundle) {
  std::vector<std::string> changes;
  if (!bundle.manifest) return changes;
  for (const FileEntry& file : bundle.manifest->files) {
    const fs::path path = bundle.folder / file.name;
    if (!fs::is_regular_file(path)) {
      changes.push_back(file.name + " is missing");
    } else if (const std::string found = sha256_of_file(path); found != file.sha256) {
      changes.push_back(file.name + " has SHA-256 " + found + ", the manifest says " + file.sha256);
    }
  }
  return changes;
}

}  // namespace berth::bundle
