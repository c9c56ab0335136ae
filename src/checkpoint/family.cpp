// The list of families, and looking things up in it.
#include "checkpoint/family.h"

#include <algorithm>
#include <array>

#include "berth/error.h"
#include "checkpoint/families/rows.h"

namespace berth::checkpoint {

std::span<const Family> families() {
  using namespace rows;
  static const std::array kFamilies{kBert,    kRoberta, kXlmRoberta, kCamembert, kDistilbert,
                                    kElectra, kAlbert,  kMpnet,      kDebertaV2, kModernbert};
  return kFamilies;
}

const Family* find_family(std::string_view model_type) {
  const auto rows = families();
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const Family& row) { return row.model_type == model_type; });
  return found == rows.end() ? nullptr : &*found;
}

const Family* family_of_architecture(std::string_view architecture) {
  const auto rows = families();
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const Family& row) {
    if (!architecture.starts_with(row.architecture_stem)) return false;
    const std::string_view rest = architecture.substr(row.architecture_stem.size());
    return rest == "Model" || rest.starts_with("For");
  });
  return found == rows.end() ? nullptr : &*found;
}

std::string family_names() {
  std::string names;
  for (const Family& row : families()) names.append(names.empty() ? "" : ", ").append(row.model_type);
  return names;
}

std::int64_t read_between(const json::Object& config, std::string_view field, std::int64_t fallback, std::int64_t low,
                          std::int64_t high) {
  const auto value = config.get<std::int64_t>(field, fallback);
  if (value >= low && value <= high) return value;
  throw Error(ErrorKind::invalid_input, config.where(field),
              "is " + std::to_string(value) + ", expected " + std::to_string(low) + " to " + std::to_string(high));
}

}  // namespace berth::checkpoint
