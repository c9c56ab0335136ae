// berth export: a checkpoint becomes a verified bundle.
#include <algorithm>
#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <string_view>
#include <vector>

#include "berth/workflow.h"
#include "cli/comparison_view.h"
#include "cli/console.h"
#include "cli/engine_options.h"

namespace berth::cli {
namespace {

constexpr std::array kArguments{
    Argument{"CHECKPOINT", Arity::one, ValueKind::input_path,
             "A folder as save_pretrained writes it: config.json, "
             "model.safetensors, tokenizer files"},
};

constexpr std::array kOptions{
    Option{"--output", 'o', "DIR", ValueKind::output_path, "The bundle to make; it must not exist", "", true},
    Option{"--task", kNoLetter, "TASK", ValueKind::text, "What the model is for, such as text-classification",
           "as config.json's architectures say"},
    Option{"--labels", kNoLetter, "A,B", ValueKind::list, "Names of the labels, in the order of their ids",
           "config.json's id2label"},
    Option{"--opset", kNoLetter, "N", ValueKind::count, "ONNX opset of the graph", "17"},
    Option{"--outputs", kNoLetter, "A,B", ValueKind::list,
           "Outputs of the graph, a part of the head's, or hidden_states.N", "all of the head's"},
    Option{"--fixed-shape", kNoLetter, "BxS", ValueKind::shape, "Fix batch and sequence, such as 8x128",
           "both stay dynamic"},
    Option{"--external-data", kNoLetter, "", ValueKind::none,
           "Put the weights into a file of their own beside the graph, as past 2 GiB happens by itself"},
    Option{"--no-verify", kNoLetter, "", ValueKind::none,
           "Skip holding the graph's numbers against the reference; the manifest says so"},
    Option{"--tokenizer", kNoLetter, "DIR", ValueKind::input_path, "Take the tokenizer from this folder", "CHECKPOINT"},
    Option{"--config", kNoLetter, "FILE", ValueKind::input_path, "Use this config.json", "CHECKPOINT/config.json"},
};

const std::array kGroups{OptionGroup{"", kOptions}, engine_option_group()};

constexpr std::array<std::string_view, 3> kExamples{
    "berth export examples/models/sentiment-small-en -o sentiment",
    "berth export my-model -o bundle --task token-classification --labels O,B-PER,I-PER",
    "berth export my-model -o bundle --fixed-shape 8x128 --external-data",
};

workflow::ExportOptions read_options(const Arguments& arguments) {
  workflow::ExportOptions options;
  options.task = arguments.text("--task");
  options.labels = arguments.list("--labels");
  if (const auto opset = arguments.count("--opset")) options.opset = static_cast<std::int64_t>(*opset);
  options.outputs = arguments.list("--outputs");
  options.fixed_shape = arguments.shape("--fixed-shape");
  options.external_data = arguments.has("--external-data");
  options.verify = !arguments.has("--no-verify");
  options.tokenizer = arguments.text("--tokenizer");
  options.config = arguments.text("--config");
  options.verification.engine = engine_options(arguments);
  return options;
}

void say(const workflow::ExportReport& report, Console& console) {
  const bundle::Manifest& manifest = report.manifest;
  std::uint64_t bytes = 0;
  for (const bundle::FileEntry& file : manifest.files) bytes += file.size;
  console.note(fmt::format("{}: {} for {}, {} tokens at most", report.folder.string(), manifest.family, manifest.task,
                           manifest.max_tokens));
  console.note(fmt::format("wrote {:.1f} MB in {:.2f} s", static_cast<double>(bytes) / 1e6, report.write_seconds));
  if (report.comparison) {
    console.note(fmt::format("verified in {:.1f} s", report.verify_seconds));
    console.note(text_of(*report.comparison));
  } else {
    console.note("not verified (--no-verify)");
  }
  const std::vector<std::string_view> tasks = pipeline::task_names();
  const bool answers = std::find(tasks.begin(), tasks.end(), manifest.task) != tasks.end();
  console.note(answers ? fmt::format("next: berth run {} \"a text\"", quoted(report.folder))
                       : fmt::format("next: berth verify {}", quoted(report.folder)));
}

ExitCode run_export(const Context& context) {
  const workflow::ExportReport report =
      workflow::export_checkpoint(context.arguments.argument("CHECKPOINT"), context.arguments.text("--output").value(),
                                  read_options(context.arguments), context.progress);
  if (!report.written) return report_failure(*report.comparison, "nothing was written", context.console);
  if (context.console.settings().json) {
    context.console.print_json({{"folder", report.folder.string()},
                                {"manifest", json::parse(bundle::to_json(report.manifest), "manifest")},
                                {"write_seconds", report.write_seconds},
                                {"verify_seconds", report.verify_seconds}});
  } else {
    say(report, context.console);
  }
  return ExitCode::done;
}

}  // namespace

extern const Command kExport{
    .name = "export",
    .summary = "make a verified ONNX bundle from a checkpoint",
    .details =
        "Reads a Hugging Face checkpoint, writes its encoder as a standard ONNX graph, holds the graph's numbers "
        "against an independent reference in double precision, and puts everything that must travel together "
        "into one folder. Where anything fails, nothing is left at the target.",
    .arguments = kArguments,
    .groups = kGroups,
    .examples = kExamples,
    .run = run_export,
};

}  // namespace berth::cli
