// A shared library opened at run time.
#pragma once

#include <filesystem>
#include <string>

namespace berth {

// Kept open until the process ends: code of the library may still run in threads that it started.
class DynamicLibrary {
 public:
  explicit DynamicLibrary(const std::filesystem::path& path);        // Error{not_found} or Error{io} with the reason
  [[nodiscard]] void* symbol(const std::string& name) const;         // Error{unsupported} when it is not there

 private:
  std::filesystem::path path_;
  void* handle_;
};

// The file that holds the running program, with links resolved.
[[nodiscard]] std::filesystem::path executable_path();

}  // namespace berth
