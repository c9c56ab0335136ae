// A model folder that holds all that must travel together: the graph, the tokenizer, the config, and a manifest that
// says what it is, where it came from and how it was proven.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "berth/engine.h"
#include "berth/graph.h"
#include "berth/text.h"

namespace berth::bundle {

inline constexpr std::string_view kManifestFile = "manifest.json";
inline constexpr std::string_view kModelFile = "model.onnx";
inline constexpr std::string_view kConfigFile = "config.json";
inline constexpr std::string_view kSelftestFile = "selftest.jsonl";

struct FileEntry {
  std::string name;                              // relative to the bundle, no folders
  std::uint64_t size = 0;
  std::string sha256;
};

// How far one output of the model was from the reference.
struct OutputDifference {
  std::string name;
  double max = 0;
  double mean = 0;
};

struct Verification {
  std::int64_t texts = 0;
  double tolerance = 0;
  std::vector<OutputDifference> outputs;         // against the reference
  double batch_max = 0;                          // a text alone against the same text in a padded batch
};

struct Manifest {
  std::string task;                              // "text-classification"
  std::string family;                            // "bert"
  std::string architecture;                      // "BertForSequenceClassification"; may be empty
  std::string problem_type;                      // as in config.json; may be empty
  std::vector<std::string> labels;               // by id; empty for tasks without
  std::string precision = "fp32";
  std::int64_t opset = 0;
  std::int64_t ir_version = 0;
  std::int64_t max_tokens = 0;                   // with special tokens: the shortest of the model's and the tokenizer's limits
  std::vector<graph::Value> inputs;
  std::vector<graph::Value> outputs;
  std::vector<FileEntry> files;                  // all but the manifest itself
  std::string source_sha256;                     // Checkpoint::hash()
  std::string tool_version;
  std::string runtime_version;                   // of the ONNX Runtime it was verified with; empty when it was not
  std::vector<std::string> cpu_features;         // needed beyond x86-64; an fp32 graph needs none
  std::optional<Verification> verification;      // nothing when exported with --no-verify
};

// The manifest as a document: the same manifest gives the same bytes; no time, path or host name is in it.
[[nodiscard]] std::string to_json(const Manifest& manifest);
// Throws Error{invalid_input} that names the field; Error{unsupported} for a schema of a later berth.
[[nodiscard]] Manifest read_manifest(const std::filesystem::path& file);

// One text with what the model says of it, recorded at publication.
struct SelftestOutput {
  std::string name;
  std::int64_t count = 0;                        // values that the output has
  std::int64_t stride = 1;                       // every stride-th of them is kept, so that no row grows past ~1,000 numbers
  std::vector<float> values;
};

struct SelftestRow {
  std::string text;
  std::vector<std::int32_t> ids;
  std::vector<text::Span> offsets;               // empty when the ids did not come from the tokenizer
  std::vector<SelftestOutput> outputs;
  double tolerance = 0;
};

[[nodiscard]] std::string to_jsonl(const std::vector<SelftestRow>& rows);
[[nodiscard]] std::vector<SelftestRow> read_selftest(const std::filesystem::path& file);

// The values of one sequence that a selftest row keeps of an output.
[[nodiscard]] SelftestOutput sample_output(const engine::Output& output, std::size_t sequence,
                                           std::span<const std::int64_t> offsets);

// A model folder opened for use: a bundle, or a plain folder (an ONNX file with a config and a tokenizer beside or above
// it), of which the task is guessed.
struct Bundle {
  std::filesystem::path folder;                  // where the manifest and the config are
  std::filesystem::path tokenizer_folder;        // the same, unless OpenOptions says otherwise
  std::filesystem::path model_file;
  std::optional<Manifest> manifest;
  std::string task;
  std::string problem_type;
  std::vector<std::string> labels;
  std::optional<std::int64_t> max_tokens;        // nothing when neither manifest nor config says
};

struct OpenOptions {
  std::optional<std::filesystem::path> tokenizer;  // a folder, for an .onnx file that lies alone
  std::optional<std::string> task;                 // instead of the manifest's, or of a guess
};

// `path` is a bundle, a plain folder (model.onnx or onnx/model.onnx), or an .onnx file. Sizes of files are held against
// the manifest; hashes only by changed_files(). Throws Error{not_found, invalid_input, mismatch}.
[[nodiscard]] Bundle open(const std::filesystem::path& path, const OpenOptions& options);

// Whether open() would find a model here.
[[nodiscard]] bool holds_model(const std::filesystem::path& path);

// One sentence for each file that is missing, changed in size or in content; empty when all is as it was published.
[[nodiscard]] std::vector<std::string> changed_files(const Bundle& bundle);

}  // namespace berth::bundle
