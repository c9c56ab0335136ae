// An ONNX model in memory: plain data, with weights as views on memory that the model keeps alive but does not copy.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "berth/tensor.h"

namespace berth::graph {

// ONNX's numbering (TensorProto.DataType). Values not named here can appear in models made elsewhere.
enum class ElementType : std::int32_t {
  undefined = 0, f32 = 1, u8 = 2, i8 = 3, u16 = 4, i16 = 5, i32 = 6, i64 = 7, string = 8, boolean = 9,
  f16 = 10, f64 = 11, u32 = 12, u64 = 13, bf16 = 16,
};

[[nodiscard]] ElementType element_type_of(DType dtype) noexcept;
[[nodiscard]] std::optional<DType> dtype_of(ElementType type) noexcept;     // nothing for strings, 4-bit, complex …
[[nodiscard]] std::string name_of(ElementType type);                        // "float32", or "type 99"

// A constant or a weight. The stored values are those of `source`, converted to `type` and, when `transposed`, with the
// two axes of the source swapped: both happen while the model is written, block by block. A type without a DType (float8,
// int4, string …) cannot be converted: `source` then views the stored bytes as a vector of U8.
struct Tensor {
  std::string name;
  ElementType type = ElementType::f32;
  Shape shape;                                   // of the stored tensor
  TensorView source;                             // shape is [shape[1], shape[0]] when transposed
  bool transposed = false;
  std::shared_ptr<const std::vector<std::byte>> owned;  // holds source.data when no file does; shared by copies of the tensor
};

// A tensor that owns its values.
[[nodiscard]] Tensor constant(std::string name, std::vector<std::int64_t> values, Shape shape);
[[nodiscard]] Tensor constant(std::string name, std::vector<float> values, Shape shape);

struct Graph;
using Attribute = std::variant<std::int64_t, float, std::string, std::vector<std::int64_t>, std::vector<float>,
                               std::vector<std::string>, Tensor, std::shared_ptr<const Graph>>;

struct Node {
  std::string op;                                // "MatMul"
  std::string name;
  std::vector<std::string> inputs;               // "" for an optional input that is left out
  std::vector<std::string> outputs;
  std::vector<std::pair<std::string, Attribute>> attributes;
  std::string domain;                            // "" is ai.onnx
};

using Dimension = std::variant<std::int64_t, std::string>;                  // a size, or a name such as "batch_size"

struct Value {
  std::string name;
  ElementType type = ElementType::undefined;
  std::optional<std::vector<Dimension>> shape;   // nothing when not even the rank is known
};

struct Graph {
  std::string name;
  std::vector<Node> nodes;                       // in topological order
  std::vector<Value> inputs;                     // without those that are initializers
  std::vector<Value> outputs;
  std::vector<Tensor> initializers;
  std::vector<Value> values;                     // inferred or declared types of intermediate values
};

struct Opset {
  std::string domain;
  std::int64_t version = 0;
};

struct Model {
  std::int64_t ir_version = 0;
  std::vector<Opset> opsets;
  std::string producer_name;
  std::string producer_version;
  std::vector<std::pair<std::string, std::string>> metadata;
  Graph graph;
  std::vector<std::shared_ptr<const void>> storage;                         // mapped files behind the views of initializers

  [[nodiscard]] std::int64_t opset() const noexcept;                        // of the default domain; 0 when not imported
};

// Metadata of models made by berth, in decimal: what the engine refuses before the runtime sees it.
inline constexpr std::string_view kMaxTokensKey = "max_tokens";             // of one sequence
inline constexpr std::string_view kVocabularyKey = "vocab_size";            // every id is below it

// The lowest IR version that a model with this opset of the default domain may carry (ONNX's release table).
[[nodiscard]] std::int64_t lowest_ir_version(std::int64_t opset);

// Reads a model made by anyone. The file, and files of external data, are mapped; external data must lie inside the
// model's folder, in bounds, and not behind a link that leaves it. Functions of the model are inlined.
// Throws Error{invalid_input, unsupported, not_found, io}.
[[nodiscard]] Model read(const std::filesystem::path& file);

struct WriteOptions {
  // Weights of 1 KiB and more go to FILE.data, in the model's order, 64-byte aligned: when asked for, and when one file
  // would be larger than `largest_file`. Protobuf's readers count bytes in an int.
  bool external_data = false;
  std::uint64_t largest_file = std::numeric_limits<std::int32_t>::max();
};

struct WrittenFile {
  std::filesystem::path path;
  std::uint64_t size = 0;
  std::string sha256;                            // computed while writing
};

// Writes a new file (and its data file); weights stream through a block buffer. The same model gives the same bytes.
std::vector<WrittenFile> write(const Model& model, const std::filesystem::path& file, const WriteOptions& options);

// What ORT of this project's version can load; `check` compares with it.
struct RuntimeLimits {
  std::string name;                              // "ONNX Runtime 1.32.0"
  std::int64_t max_ir_version = 0;
  std::int64_t max_opset = 0;
};

[[nodiscard]] RuntimeLimits runtime_limits();

// Every problem of a model, each a sentence that names node, value or file; empty when it is sound. Runs ONNX's own
// checker and shape inference on the model without its weights, then our rules. Never throws for a bad model file:
// what read() would throw becomes a problem.
[[nodiscard]] std::vector<std::string> check(const Model& model, const RuntimeLimits& limits);
[[nodiscard]] std::vector<std::string> check_file(const std::filesystem::path& file, const RuntimeLimits& limits);

// Fills `values` and output shapes by ONNX's inference. Throws Error{mismatch} where declared and inferred disagree.
void infer_shapes(Model& model);

// One line a node, for people and for tests.
[[nodiscard]] std::string to_text(const Model& model);

}  // namespace berth::graph
