// config.json from memory, for those who must have read its bytes once and only once.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "berth/checkpoint.h"

namespace berth::checkpoint {

constexpr std::uint64_t kMaxConfigBytes = std::uint64_t{16} << 20;

// As read_config, of a text that was read from `path`.
[[nodiscard]] EncoderConfig parse_config(std::string_view text, const std::filesystem::path& path);

}  // namespace berth::checkpoint
