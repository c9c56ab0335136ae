// The table of ONNX Runtime's messages: each row with a message of release 1.32, as it came.
#include "engine/ort_errors.h"

#include "engine/engine_support.h"

namespace berth::engine {
namespace {

struct Case {
  const char* raw;
  ErrorKind kind;
  const char* sentence;
};

const std::vector<Case> kCases{
    {"Load model from t.onnx failed:Protobuf parsing failed.", ErrorKind::invalid_input,
     "is not an ONNX model, or is damaged or cut off"},
    {"Load model from e.onnx failed:No graph was found in the protobuf.", ErrorKind::invalid_input,
     "is not an ONNX model: it holds no graph"},
    {"Load model from m.onnx failed:/onnxruntime_src/onnxruntime/core/graph/model.cc:256 "
     "onnxruntime::Model::Model(onnx::"
     "ModelProto&&, const onnxruntime::ModelOptions&) Unsupported model IR version: 99, max supported IR version: 14\n",
     ErrorKind::unsupported, "has IR version 99, and this ONNX Runtime reads up to 14"},
    {"ONNX Runtime only *guarantees* support for models stamped with official released onnx opset versions. Opset 99 "
     "is "
     "under development and support for this is limited. \nCurrent official support for domain ai.onnx is till opset "
     "28.\n",
     ErrorKind::unsupported, "needs opset 99 of ai.onnx, and this ONNX Runtime has up to 28"},
    {"External data path validation failed for initializer: w. Error: tensorprotoutils.cc:619 "
     "ValidateExternalDataPathFromDir External data path does not exist: \"/srv/models/weights.bin\"",
     ErrorKind::not_found, "needs the weights file weights.bin, which is missing"},
    {"External data path validation failed for initializer: w. Error: External data path escapes model directory. "
     "External data path: \"../secret.bin\" resolved path: \"/srv/secret.bin\" allowed directory: \"/srv/models\"",
     ErrorKind::invalid_input, "wants to read weights from ../secret.bin, outside its own folder"},
    {"Exception during initialization: tensorprotoutils.cc:2201 GetExtDataFromTensorProto External initializer: w "
     "offset: "
     "0 size to read: 16 given file_length: 8 are out of bounds or can not be read in full.",
     ErrorKind::invalid_input, "expects 16 bytes of tensor w at offset 0 of a weights file of 8 bytes"},
    {"This is an invalid model. In Node, (\"\", Frobnicate, \"\", -1) : (\"x\": tensor(float),) -> (\"y\": "
     "tensor(float),) , Error No Op registered for Frobnicate with domain_version of 17",
     ErrorKind::unsupported, "uses operator Frobnicate, which this ONNX Runtime does not know at opset 17"},
    {"Fatal error: my.dom:Foo(-1) is not a registered function/op", ErrorKind::unsupported,
     "uses operator Foo of domain my.dom, which this ONNX Runtime does not know"},
    {"This is an invalid model. In Node, Error No opset import for domain 'my.dom'", ErrorKind::invalid_input,
     "uses operators of domain my.dom without importing it"},
    {"Type Error: Type parameter (T) of Optype (Add) bound to different types (tensor(float) and tensor(int64) in node "
     "().",
     ErrorKind::invalid_input,
     "has types that do not fit: Type parameter (T) of Optype (Add) bound to different types (tensor(float) and "
     "tensor(int64) in node ()."},
    {"Node () Op (MatMul) [ShapeInferenceError] Incompatible dimensions for matrix multiplication",
     ErrorKind::invalid_input,
     "has shapes that do not fit at MatMul '': Incompatible dimensions for matrix multiplication"},
    {"Invalid model. Node input 'q' is not a graph input, initializer, or output of a previous node.",
     ErrorKind::invalid_input, "uses the value 'q', which nothing produces"},
    {"This is an invalid model. Error: the graph is not acyclic.", ErrorKind::invalid_input,
     "has a graph with a cycle"},
    {"Could not find an implementation for Conv(11) node with name ''", ErrorKind::unsupported,
     "uses operator Conv (opset 11) with types for which this provider has no kernel"},
    {"Non-zero status code returned while running Expand node. Name:'' Status Message: "
     "/onnxruntime_src/onnxruntime/core/"
     "framework/bfc_arena.cc:360 void* onnxruntime::BFCArena::AllocateRawInternal(size_t, bool, onnxruntime::Stream*) "
     "Failed to allocate memory for requested buffer of size 140737488355328\n",
     ErrorKind::limit, "needs 140737488355328 bytes more than there is memory"},
    {"Non-zero status code returned while running Gather node. Name:'' Status Message: indices element out of data "
     "bounds, "
     "idx=9 must be within the inclusive range [-4,3]",
     ErrorKind::invalid_input, "looks up row 9 of a table whose last row is 3"},
    {"Non-zero status code returned while running Reshape node. Name:'r' Status Message: "
     "/onnxruntime_src/onnxruntime/core/"
     "providers/cpu/tensor/reshape_helper.h:91 onnxruntime::ReshapeHelper::ReshapeHelper(const "
     "onnxruntime::TensorShape&, "
     "onnxruntime::TensorShapeVector&, bool) input_shape_size == requested_shape_size was false.",
     ErrorKind::invalid_input, "fails at Reshape 'r': input_shape_size == requested_shape_size was false."},
    {"Something new.", ErrorKind::unsupported, "ONNX Runtime refuses it: Something new."},
};

TEST(OrtErrors, AreTranslated) {
  for (const Case& one : kCases) {
    const Error error = translate(one.raw, ORT_FAIL, "m.onnx");
    EXPECT_EQ(error.kind(), one.kind) << one.raw;
    EXPECT_EQ(error.message(), one.sentence);
    EXPECT_EQ(error.where(), "m.onnx");
  }
}

TEST(OrtErrors, TakeTheKindOfAnUnknownMessageFromItsCode) {
  EXPECT_EQ(translate("new", ORT_NO_SUCHFILE, "").kind(), ErrorKind::not_found);
  EXPECT_EQ(translate("new", ORT_INVALID_GRAPH, "").kind(), ErrorKind::invalid_input);
  EXPECT_EQ(translate("new", ORT_NOT_IMPLEMENTED, "").kind(), ErrorKind::unsupported);
}

TEST(OrtErrors, AreOfBoundedLengthOnOneLine) {
  const Error error = translate(std::string(1 << 20, 'x') + "\n", ORT_FAIL, "m.onnx");
  EXPECT_LT(error.message().size(), 400U);
  EXPECT_EQ(translate("a\nb\n", ORT_FAIL, "").message(), "ONNX Runtime refuses it: a b");
}

}  // namespace
}  // namespace berth::engine
