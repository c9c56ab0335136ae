// Comparisons in words.
#include "cli/comparison_view.h"

#include <cmath>
#include <fmt/format.h>

namespace berth::cli {
namespace {

// JSON has no infinity: a difference that is not finite is null.
json::Value number(double value) { return std::isfinite(value) ? json::Value(value) : json::Value(); }

}  // namespace

std::string text_of(const workflow::Comparison& comparison) {
  std::string text = fmt::format("  {} texts, {} tokens, against {}; at most {:g} may differ", comparison.texts,
                                 comparison.tokens, comparison.subject, comparison.tolerance);
  for (const workflow::OutputComparison& output : comparison.outputs) {
    text += fmt::format("\n  {}: max difference {:.2e}, mean {:.2e}", output.name, output.max, output.mean);
  }
  if (comparison.batch_max) text += fmt::format("\n  in a batch: {:.2e} from the text alone", *comparison.batch_max);
  if (comparison.padded_max) text += fmt::format("; padded: {:.2e}", *comparison.padded_max);
  if (comparison.label_agreement) text += fmt::format("\n  same label: {:.2f} %", 100 * *comparison.label_agreement);
  return text;
}

json::Value json_of(const workflow::Comparison& comparison) {
  json::Value outputs = json::Value::array();
  for (const workflow::OutputComparison& output : comparison.outputs) {
    outputs.push_back({{"name", output.name},
                       {"max_difference", number(output.max)},
                       {"mean_difference", number(output.mean)},
                       {"text", output.text},
                       {"index", output.index}});
  }
  json::Value document = {{"passed", comparison.passed()},     {"against", comparison.subject},
                          {"texts", comparison.texts},         {"tokens", comparison.tokens},
                          {"tolerance", comparison.tolerance}, {"outputs", outputs}};
  if (comparison.batch_max) document["batch_max_difference"] = number(*comparison.batch_max);
  if (comparison.padded_max) document["padded_max_difference"] = number(*comparison.padded_max);
  if (comparison.label_agreement) document["label_agreement"] = *comparison.label_agreement;
  if (comparison.drift) {
    document["first_drift"] = {{"layer", comparison.drift->layer}, {"max_difference", number(comparison.drift->max)}};
  }
  if (!comparison.passed()) document["failure"] = comparison.failure();
  return document;
}

ExitCode report_failure(const workflow::Comparison& comparison, std::string_view consequence, Console& console) {
  if (console.settings().json) {
    console.print_json(json_of(comparison));
  } else {
    console.print(text_of(comparison) + "\n");
  }
  console.fail(
      fmt::format("verification failed{}{}: {}", consequence.empty() ? "" : ", ", consequence, comparison.failure()));
  return ExitCode::check_failed;
}

std::string quoted(const std::filesystem::path& path) {
  const std::string text = path.string();
  constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._-+=@%,:";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) return text;
  std::string escaped = "'";
  for (const char c : text) escaped += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return escaped + "'";
}

}  // namespace berth::cli
