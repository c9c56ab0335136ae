// berth verify: the numbers of a bundle against the reference, or of one model against another.
#include <array>
#include <string_view>

#include "berth/workflow.h"
#include "cli/comparison_view.h"
#include "cli/console.h"
#include "cli/engine_options.h"

namespace berth::cli {
namespace {

constexpr std::array kArguments{
    Argument{"PATH", Arity::one, ValueKind::input_path,
             "A bundle, a checkpoint, a folder with model.onnx, or an ONNX file"},
};

constexpr std::array kOptions{
    Option{"--against", kNoLetter, "OTHER", ValueKind::input_path,
           "Compare with this checkpoint (its reference) or model", "a bundle's self-test, a checkpoint's reference"},
    Option{"--texts", kNoLetter, "FILE", ValueKind::input_path, "Texts to compare on, one a line",
           "12 that come with berth"},
    Option{"--tolerance", kNoLetter, "X", ValueKind::tolerance, "Largest difference that passes", "1e-4"},
    Option{"--full", kNoLetter, "", ValueKind::none, "Use the texts at full length",
           "the first 64 tokens of each, 256 of one"},
};

const std::array kGroups{OptionGroup{"", kOptions}, engine_option_group()};

constexpr std::array<std::string_view, 2> kExamples{
    "berth verify sentiment",
    "berth verify sentiment --against examples/models/sentiment-small-en --tolerance 1e-5",
};

workflow::VerifyOptions read_options(const Arguments& arguments) {
  workflow::VerifyOptions options;
  options.texts = arguments.text("--texts");
  options.tolerance = arguments.tolerance("--tolerance");
  options.full = arguments.has("--full");
  options.engine = engine_options(arguments);
  return options;
}

ExitCode run_verify(const Context& context) {
  const workflow::Comparison comparison =
      workflow::verify(context.arguments.argument("PATH"), context.arguments.text("--against"),
                       read_options(context.arguments), context.progress);
  if (!comparison.passed()) return report_failure(comparison, "", context.console);
  if (context.console.settings().json) {
    context.console.print_json(json_of(comparison));
  } else if (context.console.settings().verbosity != Verbosity::quiet) {
    context.console.print("verified\n" + text_of(comparison) + "\n");
  }
  return ExitCode::done;
}

}  // namespace

extern const Command kVerify{
    .name = "verify",
    .summary = "hold a model's numbers against the reference or another model",
    .details =
        "Each text goes through ONNX Runtime alone, in a batch and padded. The report gives the largest and mean "
        "difference of every output and, on failure, the first layer that drifts; the exit code is then 3.",
    .arguments = kArguments,
    .groups = kGroups,
    .examples = kExamples,
    .run = run_verify,
};

}  // namespace berth::cli
