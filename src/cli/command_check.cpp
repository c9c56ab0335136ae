// berth check: whether a config or checkpoint can be exported, or an ONNX file is sound; every problem in one list.
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "berth/workflow.h"
#include "cli/arguments.h"
#include "cli/console.h"

namespace berth::cli {
namespace {

constexpr std::array kArguments{
    Argument{"PATH", Arity::one, ValueKind::input_path,
             "A checkpoint folder, a config.json alone, a bundle, or an ONNX file"},
};

constexpr std::array kOptions{
    Option{"--task", kNoLetter, "TASK", ValueKind::text,
           "What the model is to be exported for, such as text-classification", "as config.json's architectures say"},
    Option{"--opset", kNoLetter, "N", ValueKind::count, "ONNX opset that it is to be exported with", "17"},
};

const std::array kGroups{OptionGroup{"", kOptions}};

constexpr std::array<std::string_view, 2> kExamples{
    "berth check examples/models/sentiment-small-en",
    "berth check bundle/model.onnx --json",
};

workflow::CheckOptions read_options(const Arguments& arguments) {
  workflow::CheckOptions options;
  options.task = arguments.text("--task");
  if (const auto opset = arguments.count("--opset")) options.opset = static_cast<std::int64_t>(*opset);
  return options;
}

std::string text_of(const workflow::CheckReport& report) {
  std::string text = report.subject + (report.problems.empty() ? ": sound\n" : ": not sound\n");
  for (const std::string& fact : report.facts) text += "  " + fact + "\n";
  for (const std::string& problem : report.problems) text += "  problem: " + problem + "\n";
  return text;
}

ExitCode run_check(const Context& context) {
  const workflow::CheckReport report =
      workflow::check(context.arguments.argument("PATH"), read_options(context.arguments));
  if (context.console.settings().json) {
    context.console.print_json({{"subject", report.subject},
                                {"sound", report.problems.empty()},
                                {"facts", report.facts},
                                {"problems", report.problems}});
  } else if (!report.problems.empty() || context.console.settings().verbosity != Verbosity::quiet) {
    context.console.print(text_of(report));
  }
  return report.problems.empty() ? ExitCode::done : ExitCode::check_failed;
}

}  // namespace

extern const Command kCheck{
    .name = "check",
    .summary = "can this be exported, is this ONNX file sound",
    .details =
        "A config.json or a checkpoint, even before training, is held against what berth can export. An ONNX "
        "file, made by anyone, is checked for structure, types and shapes, opset and IR version against what "
        "ONNX Runtime loads, and external data inside its folder and in bounds. All problems come in one list; "
        "the exit code is 3 when there are any.",
    .arguments = kArguments,
    .groups = kGroups,
    .examples = kExamples,
    .run = run_check,
};

}  // namespace berth::cli
