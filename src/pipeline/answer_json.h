// Answers as JSON values, for those that put them into larger documents.
#pragma once

#include "base/json.h"
#include "berth/pipeline.h"

namespace berth::pipeline {

[[nodiscard]] json::Value to_value(const Answer& answer);            // what to_json() writes

}  // namespace berth::pipeline
