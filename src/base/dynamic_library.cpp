// dlopen and dlsym with errors in words.
#include "base/dynamic_library.h"

#include <dlfcn.h>

#include "berth/error.h"

namespace berth {

DynamicLibrary::DynamicLibrary(const std::filesystem::path& path) : path_(std::filesystem::absolute(path)) {
  // Absolute, because dlopen looks for a bare name in the system's folders and not in the current one.
  if (!std::filesystem::exists(path)) throw Error(ErrorKind::not_found, path.string(), "this library is missing");
  handle_ = ::dlopen(path_.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle_ == nullptr) {
    const char* const reason = ::dlerror();
    throw Error(ErrorKind::io, path.string(),
                std::string("cannot be loaded as a library: ") + (reason != nullptr ? reason : "unknown reason"));
  }
}

void* DynamicLibrary::symbol(const std::string& name) const {
  void* const address = ::dlsym(handle_, name.c_str());
  if (address == nullptr) throw Error(ErrorKind::unsupported, path_.string(), "has no function " + name);
  return address;
}

std::filesystem::path executable_path() { return std::filesystem::read_symlink("/proc/self/exe"); }

}  // namespace berth
