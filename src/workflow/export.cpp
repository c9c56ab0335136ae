// A checkpoint becomes a bundle: graph, check, weights streamed to disk, verification, self-test, manifest, rename.
#include <future>
#include <numeric>
#include <set>

#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/log.h"
#include "base/progress.h"
#include "base/version.h"
#include "berth/error.h"
#include "berth/graph.h"
#include "berth/workflow.h"
#include "workflow/reference_check.h"
#include "workflow/selftest.h"
#include "workflow/texts.h"
#include "workflow/tokenizer_files.h"

namespace berth::workflow {
namespace {

namespace fs = std::filesystem;

std::string join(const std::vector<std::string>& sentences) {
  return std::accumulate(
      sentences.begin(), sentences.end(), std::string(),
      [](const std::string& all, const std::string& next) { return all.empty() ? next : all + "; " + next; });
}

encoder::Head require_exportable(const checkpoint::EncoderConfig& config, const std::optional<std::string>& task) {
  const encoder::Head head = encoder::choose_head(config, task);
  const std::vector<std::string> problems = encoder::config_problems(config, head);
  if (!problems.empty()) throw Error(ErrorKind::unsupported, config.path, join(problems));
  return head;
}

graph::Model build_checked(const checkpoint::Checkpoint& checkpoint, encoder::Head head, const ExportOptions& options) {
  graph::Model model = encoder::build(checkpoint, {head, options.opset, options.fixed_shape, options.outputs});
  const std::vector<std::string> problems = graph::check(model, graph::runtime_limits());
  if (!problems.empty()) throw Error(ErrorKind::internal, "the exported graph", join(problems), "please report this");
  return model;
}

bundle::FileEntry add_file(const fs::path& folder, const std::string& name, std::string_view content) {
  write_new_file(folder / name, content);
  return {name, content.size(), sha256_of(std::as_bytes(std::span(content)))};
}

// The config as it is, or with other labels. It must say what the bundle's graph is, for Python programs that read it.
std::string config_for(const checkpoint::EncoderConfig& config, const std::vector<std::string>& labels) {
  constexpr std::uint64_t kMaxBytes = 64U << 20;
  std::string content = read_file(config.path, kMaxBytes);
  if (labels.empty()) return content;
  json::Value document = json::parse(content, config.path);
  json::Value id2label = json::Value::object();
  json::Value label2id = json::Value::object();
  for (std::size_t i = 0; i < labels.size(); ++i) {
    id2label[std::to_string(i)] = labels[i];
    label2id[labels[i]] = i;
  }
  document["id2label"] = id2label;
  document["label2id"] = label2id;
  return document.dump(2) + "\n";
}

void require_distinct(const std::vector<std::string>& labels) {
  std::set<std::string> seen;
  for (const std::string& label : labels) {
    if (label.empty() || !seen.insert(label).second) {
      throw Error(ErrorKind::usage, "--labels",
                  "holds \"" + label + "\", expected names that are not empty and not repeated");
    }
  }
}

std::vector<bundle::FileEntry> write_files(const fs::path& folder, const graph::Model& model,
                                           const CheckpointTokenizer& tokenizer,
                                           const checkpoint::EncoderConfig& config, const ExportOptions& options) {
  constexpr std::uint64_t kMaxTokenizerBytes = 256U << 20;
  std::vector<bundle::FileEntry> files;
  for (const graph::WrittenFile& file :
       graph::write(model, folder / bundle::kModelFile, {.external_data = options.external_data})) {
    files.push_back({file.path.filename().string(), file.size, file.sha256});
  }
  for (const fs::path& file : tokenizer.files) {
    files.push_back(add_file(folder, file.filename().string(), read_file(file, kMaxTokenizerBytes)));
  }
  files.push_back(add_file(folder, std::string(bundle::kConfigFile), config_for(config, options.labels)));
  return files;
}

std::int64_t token_limit(const checkpoint::EncoderConfig& config, const std::optional<text::Tokenizer>& tokenizer,
                         const ExportOptions& options) {
  std::int64_t limit = encoder::max_tokens(config);
  if (tokenizer && tokenizer->model_max_length()) {
    limit = std::min(limit, static_cast<std::int64_t>(*tokenizer->model_max_length()));
  }
  if (options.fixed_shape) limit = std::min(limit, options.fixed_shape->second);
  return limit;
}

bundle::Manifest describe(const checkpoint::Checkpoint& checkpoint, encoder::Head head, const graph::Model& model,
                          std::int64_t max_tokens) {
  const checkpoint::EncoderConfig& config = checkpoint.config();
  const bool labelled = head == encoder::Head::sequence_classification || head == encoder::Head::token_classification;
  bundle::Manifest manifest;
  manifest.task = encoder::row_of(head).task;
  manifest.family = config.model_type;
  manifest.architecture = config.architecture;
  manifest.problem_type = config.problem_type;
  if (labelled) manifest.labels = config.labels;
  manifest.opset = model.opset();
  manifest.ir_version = model.ir_version;
  manifest.max_tokens = max_tokens;
  manifest.inputs = model.graph.inputs;
  manifest.outputs = model.graph.outputs;
  manifest.tool_version = kVersion;
  return manifest;
}

struct Verified {
  Comparison comparison;
  std::vector<bundle::SelftestRow> selftest;
  std::string runtime_version;
};

Verified verify_staged(const fs::path& model_file, const checkpoint::Checkpoint& checkpoint, encoder::Head head,
                       const std::optional<text::Tokenizer>& tokenizer, std::size_t max_tokens,
                       const VerifyOptions& options, Progress& progress) {
  const text::Tokenizer* const reads = tokenizer ? &*tokenizer : nullptr;
  const std::int64_t vocabulary = checkpoint.config().vocab_size;
  const std::vector<TextRow> rows = verification_rows(reads, vocabulary, max_tokens, options);
  const engine::Engine engine(model_file, options.engine);
  Verified verified;
  verified.runtime_version = engine.runtime_version();
  verified.comparison = compare_with_reference(engine, model_file, checkpoint, head, rows,
                                               {options.tolerance.value_or(kTolerance), max_tokens}, options.engine, progress);
  if (!verified.comparison.passed()) return verified;
  // Recorded on berth's own texts, cut as usual, whatever the verification ran on.
  std::vector<std::string> texts = bundled_texts();
  texts.insert(texts.end(), selftest_extras().begin(), selftest_extras().end());
  const RowLimits limits{max_tokens, false};
  const std::vector<TextRow> selftest_rows =
      reads != nullptr ? tokenize(texts, *reads, limits) : seeded_rows(texts, vocabulary, limits);
  verified.selftest = record_selftest(engine, selftest_rows, options.tolerance.value_or(kTolerance));
  return verified;
}

bundle::Verification summary_of(const Comparison& comparison) {
  bundle::Verification summary;
  summary.texts = static_cast<std::int64_t>(comparison.texts);
  summary.tolerance = comparison.tolerance;
  for (const OutputComparison& output : comparison.outputs)
    summary.outputs.push_back({output.name, output.max, output.mean});
  summary.batch_max = std::max(comparison.batch_max.value_or(0), comparison.padded_max.value_or(0));
  return summary;
}

}  // namespace

ExportReport export_checkpoint(const fs::path& path, const fs::path& output, const ExportOptions& options,
                               Progress& progress) {
  const Clock clock;
  const Clock::Time start = clock.now();
  require_distinct(options.labels);
  const auto checkpoint = checkpoint::Checkpoint::open(path, {options.config, options.labels});
  const encoder::Head head = require_exportable(checkpoint.config(), options.task);
  const graph::Model model = build_checked(checkpoint, head, options);
  const CheckpointTokenizer tokenizer = find_tokenizer(options.tokenizer.value_or(path), checkpoint.config());
  const std::int64_t max_tokens = token_limit(checkpoint.config(), tokenizer.tokenizer, options);

  StagedFolder staged(output);
  ExportReport report;
  report.folder = staged.target();
  report.manifest = describe(checkpoint, head, model, max_tokens);
  progress.begin("write", 0, "");
  // Reading the weights to say which they are takes as long as writing the graph: the two go side by side.
  std::future<std::string> source = std::async(std::launch::async, [&] { return checkpoint.hash(); });
  report.manifest.files = write_files(staged.path(), model, tokenizer, checkpoint.config(), options);
  report.manifest.source_sha256 = source.get();
  checkpoint.require_intact();
  progress.end();
  const Clock::Time written = clock.now();
  report.write_seconds = seconds_between(start, written);

  if (options.verify) {
    Verified verified = verify_staged(staged.path() / bundle::kModelFile, checkpoint, head, tokenizer.tokenizer,
                                      static_cast<std::size_t>(max_tokens), options.verification, progress);
    report.verify_seconds = seconds_between(written, clock.now());
    report.comparison = std::move(verified.comparison);
    if (!report.comparison->passed()) return report;
    report.manifest.files.push_back(
        add_file(staged.path(), std::string(bundle::kSelftestFile), bundle::to_jsonl(verified.selftest)));
    report.manifest.verification = summary_of(*report.comparison);
    report.manifest.runtime_version = verified.runtime_version;
  }
  progress.throw_if_cancelled();
  write_new_file(staged.path() / bundle::kManifestFile, bundle::to_json(report.manifest));
  staged.commit();
  report.written = true;
  return report;
}

}  // namespace berth::workflow
