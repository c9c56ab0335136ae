// What the library has to say beside its results. It says nothing until an edge (the program, a server) gives it a sink.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace berth {

enum class Severity { debug, info, warning };

// Thread safe. `sink` may be called from any thread, one call at a time; an empty function silences the log.
void set_log_sink(std::function<void(Severity, std::string_view)> sink);

void log(Severity severity, std::string_view message);

inline void log_debug(std::string_view message) { log(Severity::debug, message); }
inline void log_info(std::string_view message) { log(Severity::info, message); }
inline void log_warning(std::string_view message) { log(Severity::warning, message); }

}  // namespace berth
