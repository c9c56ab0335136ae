// The silent progress, and cancellation.
#include "base/progress.h"

#include "berth/error.h"

namespace berth {

void Cancellation::throw_if_cancelled() const {
  if (cancelled()) throw Error(ErrorKind::cancelled, "", "interrupted");
}

void Progress::begin(std::string_view, std::uint64_t, std::string_view) {}
void Progress::advance(std::uint64_t) {}
void Progress::end() {}
void Progress::throw_if_cancelled() const {}

Progress& no_progress() noexcept {
  static Progress silent;
  return silent;
}

}  // namespace berth
