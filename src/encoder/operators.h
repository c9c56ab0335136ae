// Operators that opsets 11 to 23 spell differently, each as one function: what an opset lacks is put together of what
// it has. Source of truth: ONNX's Changelog.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "encoder/graph_builder.h"

namespace berth::encoder {

constexpr std::int64_t kOpsetOfAxesInputs = 13;  // Unsqueeze, ReduceSum and Split take axes and sizes as inputs
constexpr std::int64_t kOpsetOfShapeRanges = 15;
constexpr std::int64_t kOpsetOfLayerNormalization = 17;
constexpr std::int64_t kOpsetOfGelu = 20;

std::string unsqueeze(GraphBuilder& builder, const std::string& scope, const std::string& x,
                      std::vector<std::int64_t> axes);

// The sum over an axis, which stays with length 1.
std::string reduce_sum(GraphBuilder& builder, const std::string& scope, const std::string& x, std::int64_t axis);

// Two equal parts of the last axis, or three; each of `width`.
std::vector<std::string> split_last(GraphBuilder& builder, const std::string& scope, const std::string& x,
                                    std::size_t parts, std::int64_t width);

// Dimension `axis` of x, as a tensor [1].
std::string dimension(GraphBuilder& builder, const std::string& scope, const std::string& x, std::int64_t axis);

std::string cast(GraphBuilder& builder, const std::string& scope, const std::string& x, graph::ElementType to);

// (x - mean) / √(variance + epsilon) · gain + shift over the last axis (Ba et al. 2016); `shift` may be empty.
std::string layer_normalization(GraphBuilder& builder, const std::string& scope, const std::string& x,
                                const std::string& gain, const std::string& shift, float epsilon);

}  // namespace berth::encoder
