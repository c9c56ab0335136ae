// Opening ONNX Runtime's library. Release 1.N implements the APIs 1 … N, so the version alone says whether ours is
// there.
#include "engine/ort.h"

#include <charconv>
#include <string_view>

#include "base/dynamic_library.h"
#include "berth/error.h"

namespace berth::engine {
namespace {

constexpr const char* kHint = "give the library of a newer ONNX Runtime with --ort-library";

// N of "1.N.P"; 0 when the text has another form.
unsigned minor_version(std::string_view version) {
  if (!version.starts_with("1.")) return 0;
  unsigned minor = 0;
  std::from_chars(version.data() + 2, version.data() + version.size(), minor);
  return minor;
}

}  // namespace

std::filesystem::path shipped_ort_library() {
  return executable_path().parent_path().parent_path() / "lib/berth/libonnxruntime.so";
}

OrtLibrary open_ort_library(const std::filesystem::path& path) {
  const DynamicLibrary library(path);
  using GetBase = const OrtApiBase* (*)();
  const auto get_base = reinterpret_cast<GetBase>(library.symbol("OrtGetApiBase"));
  const OrtApiBase* const base = get_base();
  const std::string version = base->GetVersionString();

  // An old library prints to stderr when it is asked for an API that it does not have: compare versions first.
  const bool old = minor_version(version) != 0 && minor_version(version) < ORT_API_VERSION;
  const OrtApi* const api = old ? nullptr : base->GetApi(ORT_API_VERSION);
  if (api == nullptr) {
    throw Error(ErrorKind::unsupported, path.string(),
                "is ONNX Runtime " + version + ", expected 1." + std::to_string(ORT_API_VERSION) + " or later", kHint);
  }
  return {path, version, api};
}

}  // namespace berth::engine
