// The verbs of the program as functions: export, check, verify, run. What the command line and later the server call.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "berth/bundle.h"
#include "berth/checkpoint.h"
#include "berth/encoder.h"
#include "berth/engine.h"
#include "berth/pipeline.h"

namespace berth {
class Progress;
class TemporaryFolder;
}  // namespace berth

namespace berth::workflow {

// ---- verify: numbers against an independent reading -----------------------------------------------------------------

// What an fp32 export may differ from the reference.
inline constexpr double kTolerance = 1e-4;

struct VerifyOptions {
  std::optional<std::filesystem::path> texts;    // one text a line, instead of the twelve bundled ones
  std::optional<double> tolerance;               // largest absolute difference that passes; kTolerance when not set
  bool full = false;                             // whole texts; by default one is cut to 256 tokens, the others to 64
  engine::Options engine;
};

struct OutputComparison {
  std::string name;
  double max = 0;                                // infinite when a value is NaN
  double mean = 0;
  std::size_t text = 0;                          // where the maximum is: index of the text, and of the value in its output
  std::size_t index = 0;
};

// Where a graph leaves the reference: the first hidden state (0: embeddings, N: layer N) beyond the tolerance.
struct Drift {
  std::int64_t layer = 0;
  double max = 0;
};

struct Comparison {
  std::string subject;                           // "the reference", "selftest.jsonl", or the other model
  std::size_t texts = 0;
  std::size_t tokens = 0;
  double tolerance = 0;
  std::vector<OutputComparison> outputs;
  // A text alone against the same text in a batch, and in a batch padded further than it needs; nothing where it was not
  // measured (a self-test has no batches, a graph of a fixed shape no further padding).
  std::optional<double> batch_max;
  std::optional<double> padded_max;
  std::optional<double> batch_tolerance;         // how far these two may go; nothing: reported, not judged
  std::optional<double> label_agreement;         // share of texts (or tokens) whose best label is the same
  std::optional<Drift> drift;                    // looked for when an output fails, where the graph has its hidden states by name
  std::vector<std::string> faults;               // other findings: changed files, moved token ids

  [[nodiscard]] bool passed() const;
  [[nodiscard]] std::string failure() const;     // the sentences of what did not pass
};

// How far batching and padding may move an fp32 answer.
inline constexpr double kBatchTolerance = 1e-5;

// `path` is
//   a checkpoint: it is exported to a temporary folder and compared with the reference;
//   a bundle: its files are held against the manifest and its answers against selftest.jsonl, by the tolerance there
//     (texts, tolerance and full do not apply: Error{usage} when one is set);
//   anything with `against`, a checkpoint (then the reference speaks for it) or a model: compared with that on the texts.
// A comparison that fails is a result, not an error.
[[nodiscard]] Comparison verify(const std::filesystem::path& path, const std::optional<std::filesystem::path>& against,
                                const VerifyOptions& options, Progress& progress);

// ---- export: a checkpoint becomes a bundle --------------------------------------------------------------------------

struct ExportOptions {
  std::optional<std::string> task;
  std::vector<std::string> labels;               // instead of the config's
  std::int64_t opset = 17;
  std::vector<std::string> outputs;
  std::optional<std::pair<std::int64_t, std::int64_t>> fixed_shape;         // batch, sequence
  bool external_data = false;
  bool verify = true;
  std::optional<std::filesystem::path> tokenizer;  // a folder
  std::optional<std::filesystem::path> config;     // a file
  VerifyOptions verification;
};

struct ExportReport {
  std::filesystem::path folder;
  bundle::Manifest manifest;
  std::optional<Comparison> comparison;          // nothing without verification
  bool written = false;                          // false when the comparison failed: then nothing is at `folder`
  double write_seconds = 0;
  double verify_seconds = 0;
};

// A verification that fails is a result, not an error, and leaves nothing at `output`.
ExportReport export_checkpoint(const std::filesystem::path& checkpoint, const std::filesystem::path& output,
                               const ExportOptions& options, Progress& progress);

// ---- check: can this be exported, is this ONNX valid ----------------------------------------------------------------

struct CheckOptions {
  std::optional<std::string> task;
  std::int64_t opset = 17;
};

struct CheckReport {
  std::string subject;                           // "checkpoint", "config", "ONNX model", "bundle"
  std::vector<std::string> facts;                // what was found, for people
  std::vector<std::string> problems;             // empty: sound
};

// A config.json (before training), a checkpoint folder, a bundle or an .onnx file. Throws only when `path` cannot be
// looked at at all.
[[nodiscard]] CheckReport check(const std::filesystem::path& path, const CheckOptions& options);

// ---- run: answers ---------------------------------------------------------------------------------------------------

struct RunOptions {
  bundle::OpenOptions open;
  engine::Options engine;
  pipeline::Options pipeline;
};

// A pipeline, and, when `path` was a checkpoint, the temporary export that it runs on.
struct LoadedPipeline {
  std::shared_ptr<const TemporaryFolder> folder;  // shared only so that this struct can be moved where it is incomplete
  pipeline::Pipeline pipeline;
};

[[nodiscard]] LoadedPipeline load_pipeline(const std::filesystem::path& path, const RunOptions& options, Progress& progress);

struct RowsReport {
  std::uint64_t rows = 0;
  std::uint64_t failed = 0;
  std::uint64_t truncated = 0;
  engine::RunStatistics statistics;
  double seconds = 0;
};

// JSON Lines in, JSON Lines out, in order: each line that is not blank is an object with `text` (and `text_pair`), or
// with `tokens`, a text split into words; it gets one line, {"answer": …, "truncated": …} or {"error": {…}}.
// Memory is bounded by a block of rows. Columns other than these are ignored. `write` gets whole lines.
RowsReport run_jsonl(const pipeline::Pipeline& pipeline, std::istream& input,
                     const std::function<void(std::string_view)>& write, Progress& progress);

}  // namespace berth::workflow
