// The options that every command has.
#include "cli/common_options.h"

#include <array>

namespace berth::cli {
namespace {

constexpr std::array kOptions{
    Option{"--help", 'h', "", ValueKind::none, "Show this help"},
    Option{"--json", kNoLetter, "", ValueKind::none,
           "Print one JSON document on standard output, for programs; an error too becomes one"},
    Option{"--quiet", 'q', "", ValueKind::none, "Say nothing but the result and errors"},
    Option{"--verbose", 'v', "", ValueKind::none, "Say more of what is done; in a log, progress too"},
    Option{"--threads", kNoLetter, "N", ValueKind::count, "Threads to use in all",
           "the physical cores that this process may use"},
};
constexpr OptionGroup kGroup{"Options of every command", kOptions};

}  // namespace

const OptionGroup& common_options() noexcept { return kGroup; }

}  // namespace berth::cli
