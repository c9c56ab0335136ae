// Models made by this writer and by others, read back.
#include <fstream>
#include <gtest/gtest.h>

#include "base/file.h"
#include "berth/error.h"
#include "berth/graph.h"
#include "graph/models.h"
#include "support/paths.h"

namespace berth::graph {
namespace {

void expect_equal_tensors(const Graph& found, const Graph& expected) {
  ASSERT_EQ(found.initializers.size(), expected.initializers.size());
  for (std::size_t i = 0; i < found.initializers.size(); ++i) {
    EXPECT_EQ(found.initializers[i].name, expected.initializers[i].name);
    EXPECT_EQ(test::stored_values(found.initializers[i]), test::stored_values(expected.initializers[i]));
  }
}

Model read_proto(const TemporaryFolder& folder, const onnx::ModelProto& proto) {
  test::save(proto, folder.path() / "m.onnx");
  return read(folder.path() / "m.onnx");
}

Error error_of(const TemporaryFolder& folder, const onnx::ModelProto& proto) {
  try {
    (void)read_proto(folder, proto);
  } catch (const Error& error) {
    return error;
  }
  throw std::runtime_error("the model was read");
}

TEST(Read, GivesBackWhatWasWritten) {
  for (const Model& model : {test::linear_model(), test::varied_model()}) {
    for (const bool external : {false, true}) {
      const TemporaryFolder folder;
      write(model, folder.path() / "m.onnx", {external});
      const Model found = read(folder.path() / "m.onnx");
      EXPECT_EQ(to_text(found), to_text(model));
      EXPECT_EQ(found.producer_name, "berth");
      EXPECT_EQ(found.metadata, model.metadata);
      ASSERT_EQ(found.graph.values.size(), model.graph.values.size());
      expect_equal_tensors(found.graph, model.graph);
    }
  }
}

TEST(Read, WritesTheSameBytesAgain) {
  const TemporaryFolder folder;
  const auto first = write(test::varied_model(), folder.path() / "a.onnx", {});
  const auto second = write(read(folder.path() / "a.onnx"), folder.path() / "b.onnx", {});
  EXPECT_EQ(first[0].sha256, second[0].sha256);
}

TEST(Read, KeepsWeightsInTheMappedFile) {
  const TemporaryFolder folder;
  write(test::linear_model(), folder.path() / "m.onnx", {});
  const Model model = read(folder.path() / "m.onnx");
  EXPECT_EQ(model.storage.size(), 1U);
  for (const Tensor& tensor : model.graph.initializers) EXPECT_EQ(tensor.owned, nullptr) << tensor.name;
}

TEST(Read, TurnsTypedFieldsIntoRawValues) {
  onnx::ModelProto proto = test::parse_text(R"(<ir_version: 8, opset_import: ["" : 17]>
      main (float[2] x) => (float[2] y) { y = Identity(x) })");
  const auto add = [&](int type, std::int64_t count) {
    onnx::TensorProto* const tensor = proto.mutable_graph()->add_initializer();
    tensor->set_name("t" + std::to_string(proto.graph().initializer_size()));
    tensor->set_data_type(type);
    tensor->add_dims(count);
    return tensor;
  };
  for (const float value : {1.5F, -2.0F}) {
    if (proto.graph().initializer_size() == 0) add(onnx::TensorProto::FLOAT, 2);
    proto.mutable_graph()->mutable_initializer(0)->add_float_data(value);
  }
  onnx::TensorProto* const integers = add(onnx::TensorProto::INT64, 2);
  integers->add_int64_data(-1);
  integers->add_int64_data(std::int64_t{1} << 40);
  onnx::TensorProto* const bytes = add(onnx::TensorProto::INT8, 2);
  bytes->add_int32_data(-1);
  bytes->add_int32_data(7);
  onnx::TensorProto* const halves = add(onnx::TensorProto::FLOAT16, 1);
  halves->add_int32_data(0x3C00);
  onnx::TensorProto* const doubles = add(onnx::TensorProto::DOUBLE, 1);
  doubles->add_double_data(0.25);
  onnx::TensorProto* const unsigned_integers = add(onnx::TensorProto::UINT32, 1);
  unsigned_integers->add_uint64_data(4'000'000'000);
  onnx::TensorProto* const nibbles = add(onnx::TensorProto::INT4, 3);
  nibbles->add_int32_data(0x21);
  nibbles->add_int32_data(0x03);
  onnx::TensorProto* const strings = add(onnx::TensorProto::STRING, 2);
  strings->add_string_data("a");
  strings->add_string_data("");

  const TemporaryFolder folder;
  const Model model = read_proto(folder, proto);
  const std::vector<Tensor>& tensors = model.graph.initializers;
  const auto is = [&](std::size_t index, std::initializer_list<int> expected) {
    std::vector<std::byte> values;
    for (const int value : expected) values.push_back(static_cast<std::byte>(value));
    EXPECT_EQ(test::stored_values(tensors[index]), values) << tensors[index].name;
  };
  is(0, {0, 0, 0xC0, 0x3F, 0, 0, 0, 0xC0});
  is(1, {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 1, 0, 0});
  is(2, {0xFF, 7});
  is(3, {0, 0x3C});
  is(4, {0, 0, 0, 0, 0, 0, 0xD0, 0x3F});
  is(5, {0, 0x28, 0x6B, 0xEE});
  is(6, {0x21, 0x03});

  write(model, folder.path() / "again.onnx", {});  // strings come out as strings
  onnx::ModelProto again;
  ASSERT_TRUE(again.ParseFromString(read_file(folder.path() / "again.onnx", 1 << 20)));
  ASSERT_EQ(again.graph().initializer(7).string_data_size(), 2);
  EXPECT_EQ(again.graph().initializer(7).string_data(0), "a");
}

TEST(Read, LeavesInitializersOutOfTheInputs) {
  const TemporaryFolder folder;
  Model model = test::linear_model();
  model.ir_version = 3;
  write(model, folder.path() / "m.onnx", {});
  EXPECT_EQ(read(folder.path() / "m.onnx").graph.inputs.size(), 1U);
}

TEST(Read, InlinesFunctions) {
  const TemporaryFolder folder;
  const Model model = read_proto(folder, test::parse_text(R"(
      <ir_version: 8, opset_import: ["" : 17, "local" : 1]>
      main (float[2] x) => (float[2] y) { y = local.twice<factor = 2.0>(x) }
      <domain: "local", opset_import: ["" : 17]>
      twice <factor> (a) => (b) { f = Constant<value_float: float = @factor>()  b = Mul(a, f) })"));
  ASSERT_EQ(model.graph.nodes.size(), 2U);
  EXPECT_EQ(model.graph.nodes[0].op, "Constant");
  EXPECT_EQ(std::get<float>(model.graph.nodes[0].attributes[0].second), 2.0F);
  EXPECT_EQ(model.graph.nodes[1].op, "Mul");
}

TEST(Read, RefusesFunctionsThatGrowWithoutEnd) {
  const TemporaryFolder folder;
  const Error loop = error_of(folder, test::parse_text(R"(
      <ir_version: 8, opset_import: ["" : 17, "local" : 1]>
      main (float[2] x) => (float[2] y) { y = local.f(x) }
      <domain: "local", opset_import: ["" : 17, "local" : 1]> f (a) => (b) { b = local.g(a) }
      <domain: "local", opset_import: ["" : 17, "local" : 1]> g (a) => (b) { b = local.f(a) })"));
  EXPECT_EQ(loop.kind(), ErrorKind::invalid_input);
  EXPECT_NE(loop.message().find("calls itself"), std::string::npos) << loop.what();

  std::string text = R"(<ir_version: 8, opset_import: ["" : 17, "local" : 1]>
      main (float[2] x) => (float[2] y) { y = local.f0(x) })";
  for (int i = 0; i < 40; ++i) {  // 2^40 nodes
    const std::string next = i == 39 ? "Relu" : "local.f" + std::to_string(i + 1);
    text += R"(<domain: "local", opset_import: ["" : 17, "local" : 1]> f)" + std::to_string(i) +
            " (a) => (b) { c = " + next + "(a) b = " + next + "(c) }";
  }
  EXPECT_EQ(error_of(folder, test::parse_text(text)).kind(), ErrorKind::limit);
}

TEST(Read, NamesWhatItDoesNotSupport) {
  const TemporaryFolder folder;
  onnx::ModelProto proto = test::parse_text(test::kSoundText);
  proto.mutable_graph()->mutable_node(0)->add_attribute()->set_name("types");
  proto.mutable_graph()->mutable_node(0)->mutable_attribute(0)->set_type(onnx::AttributeProto::TYPE_PROTO);
  Error error = error_of(folder, proto);
  EXPECT_EQ(error.kind(), ErrorKind::unsupported);
  EXPECT_NE(std::string(error.what()).find("node 'product' (MatMul): has the attribute 'types'"), std::string::npos)
      << error.what();

  proto = test::parse_text(test::kSoundText);
  proto.mutable_graph()->add_sparse_initializer();
  EXPECT_EQ(error_of(folder, proto).kind(), ErrorKind::unsupported);

  proto = test::parse_text(test::kSoundText);
  proto.mutable_graph()->mutable_output(0)->mutable_type()->mutable_sequence_type();
  error = error_of(folder, proto);
  EXPECT_NE(std::string(error.what()).find("output 'y'"), std::string::npos) << error.what();
}

TEST(Read, RefusesValuesThatDoNotFitTheShape) {
  const TemporaryFolder folder;
  onnx::ModelProto proto = test::parse_text(test::kSoundText);
  onnx::TensorProto* const weight = proto.mutable_graph()->mutable_initializer(0);
  weight->add_float_data(1.0F);
  EXPECT_NE(error_of(folder, proto).message().find("more values than its shape [4, 6]"), std::string::npos);

  weight->clear_float_data();
  weight->set_raw_data("1234");
  EXPECT_EQ(error_of(folder, proto).message(), "has 4 bytes of values, expected 96 for float32 [4, 6]");

  weight->set_dims(0, -1);
  EXPECT_EQ(error_of(folder, proto).kind(), ErrorKind::invalid_input);
  weight->set_dims(0, std::int64_t{1} << 62);
  EXPECT_EQ(error_of(folder, proto).kind(), ErrorKind::limit);
}

TEST(Read, SaysWhatAFileReallyIs) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "m.onnx";
  const auto message_for = [&](std::string_view content) -> std::string {
    std::ofstream(path, std::ios::binary) << content;
    try {
      (void)read(path);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::invalid_input);
      return error.message();
    }
    return "read";
  };
  EXPECT_EQ(message_for(""), "is empty, expected an ONNX model");
  EXPECT_EQ(message_for("version https://git-lfs.github.com/spec/v1\noid sha256:0\n"),
            "is a Git LFS pointer, expected an ONNX model");
  EXPECT_EQ(message_for("<!DOCTYPE html><html></html>"), "is a web page or XML, expected an ONNX model");
  EXPECT_EQ(message_for("{\"error\": \"not found\"}"), "is a text file, expected an ONNX model");
  EXPECT_EQ(message_for(std::string("\x50\0\0\0\0\0\0\0{\"w\": {}}", 17)),
            "is a safetensors file, expected an ONNX model");
  EXPECT_EQ(message_for("PK\x03\x04\x14"), "is a zip archive, such as a PyTorch checkpoint, expected an ONNX model");
  EXPECT_EQ(message_for("\x08\x08"), "is not an ONNX model: it holds no graph");
  EXPECT_EQ(message_for("\x08\x08\x3A\x05\x01"),
            "is not a readable ONNX model: a field of 5 bytes where 1 are left at byte 4");
}

TEST(Read, RefusesFoldersAndWhatIsNotThere) {
  const TemporaryFolder folder;
  EXPECT_THROW((void)read(folder.path()), Error);
  try {
    (void)read(folder.path() / "none.onnx");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::not_found);
  }
}

TEST(Read, RefusesDeepNesting) {
  std::string bytes;  // a graph in an attribute of a node of a graph …
  for (int i = 0; i < 2000; ++i) {
    const auto wrap = [&](char tag) {
      std::string length;
      for (std::size_t rest = bytes.size(); length.empty() || rest != 0; rest >>= 7) {
        length += static_cast<char>((rest & 0x7F) | (rest >= 0x80 ? 0x80 : 0));
      }
      bytes = tag + length + bytes;
    };
    wrap(0x32);  // attribute.g
    wrap(0x2A);  // node.attribute
    wrap(0x0A);  // graph.node
  }
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "m.onnx";
  std::string length;
  for (std::size_t rest = bytes.size(); rest != 0; rest >>= 7) {
    length += static_cast<char>((rest & 0x7F) | (rest >= 0x80 ? 0x80 : 0));
  }
  std::ofstream(path, std::ios::binary) << "\x08\x08\x3A" + length + bytes;
  try {
    (void)read(path);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::limit);
  }
}

}  // namespace
}  // namespace berth::graph
