// Standard input as a stream that Ctrl-C wakes: the streams of the standard library go on reading after a signal.
#pragma once

#include <array>
#include <istream>
#include <streambuf>

#include "base/progress.h"

namespace berth::cli {

class InterruptibleBuffer final : public std::streambuf {
 public:
  InterruptibleBuffer(int descriptor, const Progress& progress) : descriptor_(descriptor), progress_(progress) {}

 protected:
  int_type underflow() override;

 private:
  int descriptor_;
  const Progress& progress_;
  std::array<char, 65536> block_;
};

// Reading throws what `progress` throws when it is cancelled, and Error{io} when the input cannot be read.
// Both arguments must outlive the stream.
//
//   InterruptibleInput input(STDIN_FILENO, context.progress);
//   for (std::string line; std::getline(input, line);) …
class InterruptibleInput final : public std::istream {
 public:
  InterruptibleInput(int descriptor, const Progress& progress);

 private:
  InterruptibleBuffer buffer_;
};

}  // namespace berth::cli
