// Prefixes and suffixes of tensor names, as tables.
#include "checkpoint/tensor_names.h"

#include <algorithm>
#include <array>

namespace berth::checkpoint {
namespace {

constexpr std::array<std::string_view, 3> kWrapperPrefixes{"module.", "model.", "_orig_mod."};

struct Renaming {
  std::string_view old_suffix;
  std::string_view new_suffix;
};
constexpr std::array<Renaming, 2> kRenamings{
    {{"LayerNorm.gamma", "LayerNorm.weight"}, {"LayerNorm.beta", "LayerNorm.bias"}}};

// Never leaves an empty name.
bool drop_prefix(std::string_view& name, std::string_view prefix) {
  if (name.size() <= prefix.size() || !name.starts_with(prefix)) return false;
  name.remove_prefix(prefix.size());
  return true;
}

}  // namespace

std::string normalised_name(std::string_view stored, std::string_view base_prefix) {
  const auto drop_any_wrapper = [&] {
    return std::any_of(kWrapperPrefixes.begin(), kWrapperPrefixes.end(),
                       [&](std::string_view prefix) { return drop_prefix(stored, prefix); });
  };
  while (drop_any_wrapper()) {
  }
  if (!base_prefix.empty()) drop_prefix(stored, base_prefix);

  std::string name(stored);
  for (const Renaming& renaming : kRenamings) {
    if (!name.ends_with(renaming.old_suffix)) continue;
    name.resize(name.size() - renaming.old_suffix.size());
    name += renaming.new_suffix;
    break;
  }
  return name;
}

}  // namespace berth::checkpoint
