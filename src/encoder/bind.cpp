// Holds the tensors of a checkpoint against what its config and the head ask for, and reports all that differs at once.
#include "encoder/bind.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "berth/error.h"
#include "checkpoint/safetensors.h"
#include "encoder/requirements.h"

namespace berth::encoder {
namespace {

constexpr std::size_t kFaultsShown = 24;  // more say nothing new: a whole part is missing or has another width
constexpr std::size_t kNamesShown = 12;

using Entry = checkpoint::Checkpoint::Entry;

const Entry* find_entry(const checkpoint::Checkpoint& checkpoint, const Requirement& requirement) {
  for (const std::string& name : {requirement.name, requirement.alias}) {
    const auto found = checkpoint.tensors().find(name);
    if (found != checkpoint.tensors().end()) return &found->second;
  }
  return nullptr;
}

std::optional<std::string> fault_of(const Requirement& requirement, const Entry* entry) {
  const std::string because = requirement.because.empty() ? "" : " (" + requirement.because + ")";
  const std::string expected = ", expected " + to_string(requirement.shape) + because;
  if (entry == nullptr) return requirement.name + ": is missing" + expected;
  const auto& [stored_name, view] = *entry;
  if (view.shape != requirement.shape) return stored_name + ": has shape " + to_string(view.shape) + expected;
  if (!is_floating(view.dtype)) {
    return stored_name + ": has type " + std::string(name_of(view.dtype)) + ", expected F32, F16, BF16 or F64";
  }
  return std::nullopt;
}

// At most `shown` of them, and how many more there are.
std::string join(const std::vector<std::string>& parts, const std::string& separator, std::size_t shown) {
  std::string text;
  for (std::size_t i = 0; i < std::min(parts.size(), shown); ++i) text += (i == 0 ? "" : separator) + parts[i];
  if (parts.size() > shown) text += separator + "and " + std::to_string(parts.size() - shown) + " more";
  return text;
}

// Cut, and without control characters.
std::string shown(const Entry& entry) { return checkpoint::place_of("", entry.stored_name).substr(2); }

std::string names_beside(const checkpoint::Checkpoint& checkpoint,
                         const std::set<std::string, std::less<>>& looked_at) {
  std::vector<std::string> names;
  for (const auto& [name, entry] : checkpoint.tensors()) {
    if (!looked_at.contains(name)) names.push_back(shown(entry));
  }
  return join(names, ", ", kNamesShown);
}

[[noreturn]] void fail(const checkpoint::Checkpoint& checkpoint, const HeadLayout& layout,
                       const std::vector<std::string>& faults, const std::string& beside) {
  const std::string task(row_of(layout.head).task);
  std::string message =
      "the weights do not fit the config and the task " + task + ":\n  " + join(faults, "\n  ", kFaultsShown);
  if (!beside.empty()) message += "\n  held beside these: " + beside;
  const bool headless = !layout.output.empty() && checkpoint.find(output_bias_of(layout)) == nullptr;
  throw Error(ErrorKind::mismatch, checkpoint.folder().string(), std::move(message),
              headless ? "the checkpoint holds the encoder without this head: its task is feature-extraction" : "");
}

}  // namespace

void require_exportable(const checkpoint::EncoderConfig& config, Head head) {
  const std::vector<std::string> problems = config_problems(config, head);
  if (problems.empty()) return;
  if (problems.size() == 1) throw Error(ErrorKind::unsupported, config.path, problems.front());
  throw Error(ErrorKind::unsupported, config.path, "cannot be exported:\n  " + join(problems, "\n  ", problems.size()));
}

Binding bind_as(const Family& family, const checkpoint::Checkpoint& checkpoint, Head head) {
  const HeadLayout& layout = *find_head(family, checkpoint.config(), head);
  Binding binding;
  std::vector<std::string> faults;
  std::set<std::string, std::less<>> looked_at;
  for (Requirement& requirement : requirements(checkpoint, family, layout)) {
    const Entry* const entry = find_entry(checkpoint, requirement);
    if (auto fault = fault_of(requirement, entry)) {
      faults.push_back(std::move(*fault));
    } else {
      binding.weights.emplace(requirement.name, entry->view);
    }
    looked_at.insert(std::move(requirement.name));
    looked_at.insert(std::move(requirement.alias));
  }
  binding.unused = names_beside(checkpoint, looked_at);
  if (!faults.empty()) fail(checkpoint, layout, faults, binding.unused);
  return binding;
}

Weights bind(const checkpoint::Checkpoint& checkpoint, Head head) {
  require_exportable(checkpoint.config(), head);
  return bind_as(family_of(checkpoint.config()), checkpoint, head).weights;
}

}  // namespace berth::encoder
