// The error type and the names of its kinds, as they appear in JSON.
#include "berth/error.h"

#include <utility>

namespace berth {

std::string_view name_of(ErrorKind kind) noexcept {
  switch (kind) {
    case ErrorKind::usage: return "usage";
    case ErrorKind::invalid_input: return "invalid_input";
    case ErrorKind::unsupported: return "unsupported";
    case ErrorKind::not_found: return "not_found";
    case ErrorKind::mismatch: return "mismatch";
    case ErrorKind::limit: return "limit";
    case ErrorKind::busy: return "busy";
    case ErrorKind::cancelled: return "cancelled";
    case ErrorKind::io: return "io";
    case ErrorKind::internal: return "internal";
  }
  return "internal";
}

Error::Error(ErrorKind kind, std::string where, std::string message, std::string hint)
    : kind_(kind),
      where_(std::move(where)),
      message_(std::move(message)),
      hint_(std::move(hint)),
      what_(where_.empty() ? message_ : where_ + ": " + message_) {}

}  // namespace berth
