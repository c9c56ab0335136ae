// Which tensors a family needs for a head, and with what shapes: the config and the rows of the tables, spelled out.
#pragma once

#include <string>
#include <vector>

#include "berth/checkpoint.h"
#include "encoder/family.h"

namespace berth::encoder {

struct Requirement {
  std::string name;   // as the checkpoint normalises it
  std::string alias;  // another name for it, or empty
  Shape shape;
  std::string because;  // what in the config asks for this shape, where that needs saying
};

// In the model's order. Tensors that a checkpoint may go without are required only when it has them.
[[nodiscard]] std::vector<Requirement> requirements(const checkpoint::Checkpoint& checkpoint, const Family& family,
                                                    const HeadLayout& layout);

// Whether the checkpoint lacks the part of the head that it may lack: then the head's last outputs are not there.
[[nodiscard]] bool goes_without_transform(const checkpoint::Checkpoint& checkpoint, const HeadLayout& layout);

}  // namespace berth::encoder
