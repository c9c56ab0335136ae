// What the engine's tests share: model files, batches, and catching an error to look at it.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <vector>

#include "berth/engine.h"
#include "berth/error.h"
#include "support/paths.h"

namespace berth::engine::test {

inline std::filesystem::path model(const std::string& name) { return berth::test::data("engine/" + name); }

inline Batch batch_of(std::initializer_list<std::vector<std::int32_t>> sequences) {
  Batch batch;
  for (const auto& sequence : sequences) batch.add(sequence);
  return batch;
}

template <typename Function>
Error error_of(Function&& function) {
  try {
    function();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error was thrown";
  return Error(ErrorKind::internal, "", "no error was thrown");
}

}  // namespace berth::engine::test
