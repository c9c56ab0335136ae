// What a comparison says: whether it passed, and in words why not.
#include <algorithm>
#include <fmt/core.h>

#include "berth/workflow.h"

namespace berth::workflow {
namespace {

bool within(double difference, double tolerance) { return difference <= tolerance; }  // false for NaN

bool within(const std::optional<double>& difference, double tolerance) {
  return !difference || within(*difference, tolerance);
}

}  // namespace

bool Comparison::passed() const {
  const bool outputs_pass =
      std::all_of(outputs.begin(), outputs.end(), [&](const auto& output) { return within(output.max, tolerance); });
  const bool batch_passes =
      !batch_tolerance || (within(batch_max, *batch_tolerance) && within(padded_max, *batch_tolerance));
  return outputs_pass && batch_passes && faults.empty();
}

std::string Comparison::failure() const {
  std::string text;
  const auto say = [&](const std::string& sentence) { text += (text.empty() ? "" : "; ") + sentence; };
  for (const std::string& fault : faults) say(fault);
  for (const OutputComparison& output : outputs) {
    if (within(output.max, tolerance)) continue;
    say(fmt::format("output {} differs from {} by {:.6g} at value {} of text {}, at most {:g} is allowed", output.name,
                    subject, output.max, output.index, output.text, tolerance));
  }
  if (batch_tolerance && !within(batch_max, *batch_tolerance)) {
    say(fmt::format("a text in a batch differs from the text alone by {:.6g}, at most {:g} is allowed", *batch_max,
                    *batch_tolerance));
  }
  if (batch_tolerance && !within(padded_max, *batch_tolerance)) {
    say(fmt::format("padding moves an answer by {:.6g}, at most {:g} is allowed", *padded_max, *batch_tolerance));
  }
  if (drift) {
    say(drift->layer == 0 ? fmt::format("the embeddings drift already ({:.6g})", drift->max)
                          : fmt::format("the first layer that drifts is layer {} ({:.6g})", drift->layer, drift->max));
  }
  return text;
}

}  // namespace berth::workflow
