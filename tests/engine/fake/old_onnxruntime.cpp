// A library that says it is ONNX Runtime 1.20.1: what a user with an old installation would hand to berth.
#include <cstdint>

namespace {

struct ApiBase {  // as OrtApiBase lays it out
  const void* (*get_api)(std::uint32_t);
  const char* (*get_version)();
};

const void* no_api(std::uint32_t) { return nullptr; }
const char* old_version() { return "1.20.1"; }
const ApiBase base{no_api, old_version};

}  // namespace

extern "C" __attribute__((visibility("default"))) const ApiBase* OrtGetApiBase() { return &base; }
