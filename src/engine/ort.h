// The one place that includes ONNX Runtime's API, and the way to its library: opened by dlopen, since its symbols are
// versioned per release and a missing or old library must be a sentence, not a loader's failure at start.
#pragma once

#define ORT_API_MANUAL_INIT  // the API table comes from the opened library, not from linking
#include <onnxruntime_cxx_api.h>

#include <filesystem>
#include <optional>
#include <string>

namespace berth::engine {

struct OrtLibrary {
  std::filesystem::path path;
  std::string version;  // "1.32.0"
  const OrtApi* api = nullptr;
};

// Where the program's own copy lies: ../lib/berth/libonnxruntime.so, seen from the program's folder.
[[nodiscard]] std::filesystem::path shipped_ort_library();

// Opens the library and asks it for the API of the headers that berth was built with. Throws Error{not_found, io,
// unsupported}; the last names both versions when the library is too old.
[[nodiscard]] OrtLibrary open_ort_library(const std::filesystem::path& path);

}  // namespace berth::engine
