// Small models that the tests of this layer share.
#pragma once

#include <string>

#include "berth/graph.h"

namespace berth::test {

// A tensor of floats 0, 1, 2, … with this shape.
[[nodiscard]] graph::Tensor counting_tensor(std::string name, Shape shape);

// y = MatMul(x, weight) + bias, [batch, 32] to [batch, 24]; the weight is stored transposed, as checkpoints have it.
[[nodiscard]] graph::Model linear_model();

// Every kind of attribute, a subgraph, scalars, strings, unknown dimensions and metadata.
[[nodiscard]] graph::Model varied_model();

}  // namespace berth::test
