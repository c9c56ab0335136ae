// berth check: every problem that can be known without running anything.
#include <fmt/core.h>

#include "berth/error.h"
#include "berth/graph.h"
#include "berth/workflow.h"
#include "workflow/tokenizer_files.h"

namespace berth::workflow {
namespace {

namespace fs = std::filesystem;

// Runs a step of a check; what it throws is a problem, and the steps after it still run.
template <typename Step>
void gather(CheckReport& report, Step step) {
  try {
    step();
  } catch (const Error& error) {
    report.problems.emplace_back(error.what());
  }
}

CheckReport check_config(const fs::path& file, const CheckOptions& options) {
  CheckReport report;
  report.subject = "config";
  gather(report, [&] {
    const checkpoint::EncoderConfig config = checkpoint::read_config(file);
    const encoder::Head head = encoder::choose_head(config, options.task);
    report.problems = encoder::config_problems(config, head);
    report.facts.push_back(fmt::format("{} for {}: {} layers, width {}, {} heads, {} tokens at most", config.model_type,
                                       encoder::row_of(head).task, config.layers, config.hidden_size, config.heads,
                                       encoder::max_tokens(config)));
  });
  return report;
}

CheckReport check_checkpoint(const fs::path& folder, const CheckOptions& options) {
  CheckReport report = check_config(folder / bundle::kConfigFile, options);
  report.subject = "checkpoint";
  if (!report.problems.empty()) return report;
  gather(report, [&] {
    const auto checkpoint = checkpoint::Checkpoint::open(folder, {});
    const encoder::Head head = encoder::choose_head(checkpoint.config(), options.task);
    const encoder::Weights weights = encoder::bind(checkpoint, head);
    report.facts.push_back(fmt::format("{} tensors, {:.1f} MB of weights", weights.size(),
                                       static_cast<double>(checkpoint.weight_bytes()) / 1e6));
    (void)encoder::build(checkpoint, {head, options.opset, {}, {}});
  });
  gather(report, [&] {
    const CheckpointTokenizer found = find_tokenizer(folder, checkpoint::read_config(folder / bundle::kConfigFile));
    if (found.tokenizer) {
      report.facts.push_back(fmt::format("a tokenizer of {} tokens", found.tokenizer->vocabulary_size()));
    }
  });
  return report;
}

CheckReport check_model(const fs::path& path, const CheckOptions& options) {
  CheckReport report;
  report.subject = "ONNX model";
  fs::path file = path;
  if (fs::is_directory(path)) {
    gather(report, [&] {
      const bundle::Bundle bundle = bundle::open(path, {{}, options.task});
      file = bundle.model_file;
      if (!bundle.manifest) return;
      report.subject = "bundle";
      report.facts.push_back(fmt::format("{} for {}, {} tokens at most", bundle.manifest->family, bundle.task,
                                         bundle.manifest->max_tokens));
      for (const std::string& change : bundle::changed_files(bundle)) report.problems.push_back(change);
    });
    if (fs::is_directory(file)) return report;
  }
  for (const std::string& problem : graph::check_file(file, graph::runtime_limits()))
    report.problems.push_back(problem);
  gather(report, [&] {
    if (!report.problems.empty()) return;
    const graph::Model model = graph::read(file);
    report.facts.push_back(fmt::format("opset {}, IR {}, {} nodes, {} initializers", model.opset(), model.ir_version,
                                       model.graph.nodes.size(), model.graph.initializers.size()));
  });
  return report;
}

}  // namespace

CheckReport check(const fs::path& path, const CheckOptions& options) {
  if (!fs::exists(path)) throw Error(ErrorKind::not_found, path.string(), "does not exist");
  if (bundle::holds_model(path)) return check_model(path, options);
  if (fs::is_directory(path)) return check_checkpoint(path, options);
  if (path.extension() == ".json") return check_config(path, options);
  throw Error(ErrorKind::unsupported, path.string(), "is not something that berth can check",
              "give a checkpoint folder, a config.json, a bundle, or an .onnx file");
}

}  // namespace berth::workflow
