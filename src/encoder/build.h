// build() for any row of the table of families: what the tests of rows use.
#pragma once

#include "berth/encoder.h"
#include "encoder/family.h"

namespace berth::encoder {

[[nodiscard]] graph::Model build_as(const Family& family, const checkpoint::Checkpoint& checkpoint,
                                    const BuildOptions& options);

}  // namespace berth::encoder
