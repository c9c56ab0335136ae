// Activation functions by the names of config.json ("hidden_act"), in double precision: the reference's own table,
// written from the formulas, so that a wrong one in the exported graph is seen.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace berth::encoder::reference {

using Activation = double (*)(double);

// Throws Error{unsupported} with the names that are known; `where` is the config's path.
[[nodiscard]] Activation activation_named(std::string_view name, const std::string& where);

[[nodiscard]] std::vector<std::string_view> activation_names();

}  // namespace berth::encoder::reference
