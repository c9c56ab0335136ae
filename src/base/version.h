// The version of berth, as CMake knows it.
#pragma once

#include <string_view>

namespace berth {

inline constexpr std::string_view kVersion = BERTH_VERSION;

}  // namespace berth
