// Where tests find their inputs. Committed data stands in tests/data; the larger models of the project's shared
// material are used when they lie beside the checkout, and a test that needs them says so when it skips.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace berth::test {

[[nodiscard]] std::filesystem::path source_root();
[[nodiscard]] std::filesystem::path data(const std::string& relative);      // tests/data/RELATIVE
[[nodiscard]] std::filesystem::path example_model(const std::string& name); // examples/models/NAME
[[nodiscard]] std::filesystem::path program();                              // the built berth
[[nodiscard]] std::filesystem::path ort_library();
[[nodiscard]] std::filesystem::path old_ort_library();                      // says it is version 1.20.1, has no API

// ../shared/RELATIVE beside the checkout (or below $BERTH_SHARED), when it is there.
[[nodiscard]] std::optional<std::filesystem::path> shared(const std::string& relative);

}  // namespace berth::test
