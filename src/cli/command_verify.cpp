// berth verify: the numbers of a bundle against the reference, or of one model against another.
#include <array>
#include <filesystem>
#include <optional>

#include "berth/error.h"
#include "cli/engine_options.h"

namespace berth::cli {
namespace {

constexpr std::array kArguments{
    Argument{"PATH", Arity::one, ValueKind::input_path, "A checkpoint, a bundle, or a folder with model.onnx"},
};

constexpr std::array kOptions{
    Option{"--against", kNoLetter, "OTHER", ValueKind::input_path, "Compare with this checkpoint or model",
           "for a checkpoint the reference, for a bundle its self-test"},
    Option{"--texts", kNoLetter, "FILE", ValueKind::input_path, "Texts to compare on, one a line",
           "12 that come with berth"},
    Option{"--tolerance", kNoLetter, "X", ValueKind::tolerance, "Largest difference that passes", "1e-4"},
    Option{"--full", kNoLetter, "", ValueKind::none, "Use the texts at full length",
           "the first 64 tokens of each, 256 of one"},
};

const std::array kGroups{OptionGroup{"", kOptions}, engine_option_group()};

constexpr std::array<std::string_view, 3> kExamples{
    "berth verify sentiment",
    "berth verify examples/models/sentiment-small-en",
    "berth verify sentiment --against examples/models/sentiment-small-en --tolerance 1e-5",
};

struct Request {
  std::filesystem::path path;
  std::optional<std::filesystem::path> against;
  std::optional<std::filesystem::path> texts;
  double tolerance = 1e-4;
  bool full = false;
  engine::Options engine;
};

Request read_request(const Arguments& arguments) {
  Request request;
  request.path = arguments.argument("PATH");
  request.against = arguments.text("--against");
  request.texts = arguments.text("--texts");
  request.tolerance = arguments.tolerance("--tolerance").value_or(request.tolerance);
  request.full = arguments.has("--full");
  request.engine = engine_options(arguments);
  return request;
}

ExitCode run_verify(const Context& context) {
  const Request request = read_request(context.arguments);
  throw Error(ErrorKind::unsupported, request.path.string(), "not built yet");
}

}  // namespace

extern const Command kVerify{
    .name = "verify",
    .summary = "hold a model's numbers against the reference, or against another model",
    .details =
        "A checkpoint is exported to a temporary folder and held against an independent reference in double "
        "precision; a bundle against the self-test that was recorded when it was made. Each text goes through ONNX "
        "Runtime alone, in a batch and padded. The report gives the largest and mean difference of every output "
        "and, on failure, the first layer that drifts; the exit code is then 3.",
    .arguments = kArguments,
    .groups = kGroups,
    .examples = kExamples,
    .run = run_verify,
};

}  // namespace berth::cli
