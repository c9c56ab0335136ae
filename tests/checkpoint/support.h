// What the tests of this layer share: expecting an error with its words, writing files, making safetensors by hand.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "berth/error.h"

namespace berth::checkpoint::test {

// `work` must throw a berth::Error of this kind whose text or hint holds each of `words`.
template <typename Work>
void expect_error(Work&& work, ErrorKind kind, std::initializer_list<std::string_view> words) {
  try {
    work();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    const std::string text = std::string(error.what()) + " (" + error.hint() + ")";
    EXPECT_EQ(name_of(error.kind()), name_of(kind)) << text;
    for (const std::string_view word : words)
      EXPECT_NE(text.find(word), std::string::npos) << word << " is not in: " << text;
  }
}

inline void write_text(const std::filesystem::path& path, std::string_view content) {
  std::ofstream stream(path, std::ios::binary);
  stream << content;
  ASSERT_TRUE(stream.flush().good()) << path;
}

inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// A safetensors file with this header, whatever it says.
inline std::string safetensors_of(std::string_view header, std::string_view data = {}) {
  std::string file;
  for (unsigned shift = 0; shift < 64; shift += 8) file += static_cast<char>(header.size() >> shift & 0xFFU);
  return file.append(header).append(data);
}

inline std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

}  // namespace berth::checkpoint::test
