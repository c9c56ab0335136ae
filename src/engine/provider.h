// Execution providers: their table, choosing among those that the opened library has, and adding them to a session.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "berth/engine.h"
#include "engine/ort.h"

namespace berth::engine {

struct ChosenProvider {
  std::string name;  // "cuda"
  std::vector<std::pair<std::string, std::string>> options;
};

// The providers to add, in order; empty means the CPU, which ORT always has. `available` holds ORT's names.
// Error{usage} for an unknown name or an option that fits none; Error{unsupported} for one that the library lacks,
// unless "cpu" comes later in the list: then a warning in the log.
[[nodiscard]] std::vector<ChosenProvider> choose_providers(const Options& options,
                                                           std::span<const std::string> available);

// Adds them. A provider that fails to start (no driver, no device) counts as one that is not there. Returns the name of
// the first in use.
[[nodiscard]] std::string add_providers(Ort::SessionOptions& session, const Options& options,
                                        std::vector<ChosenProvider> chosen);

}  // namespace berth::engine
