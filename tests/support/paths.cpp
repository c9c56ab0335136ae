// Paths of test inputs, from what CMake knows.
#include "support/paths.h"

#include <cstdlib>

namespace berth::test {

namespace fs = std::filesystem;

fs::path source_root() { return BERTH_SOURCE_ROOT; }
fs::path data(const std::string& relative) { return fs::path(BERTH_TEST_DATA) / relative; }
fs::path example_model(const std::string& name) { return source_root() / "examples/models" / name; }
fs::path program() { return BERTH_PROGRAM; }
fs::path ort_library() { return BERTH_ORT_LIBRARY; }
fs::path old_ort_library() { return BERTH_OLD_ORT_LIBRARY; }

std::optional<fs::path> shared(const std::string& relative) {
  const char* const set = std::getenv("BERTH_SHARED");
  const fs::path folder = set != nullptr ? fs::path(set) : source_root().parent_path() / "shared";
  if (!fs::exists(folder / relative)) return std::nullopt;
  return folder / relative;
}

}  // namespace berth::test
