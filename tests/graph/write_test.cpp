// Written files as protobuf reads them, and failures on the way.
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include "base/file.h"
#include "base/file_ops.h"
#include "base/hash.h"
#include "berth/error.h"
#include "berth/graph.h"
#include "graph/models.h"

namespace berth::graph {
namespace {

onnx::ModelProto parse(const fs::path& path) {
  onnx::ModelProto proto;
  EXPECT_TRUE(proto.ParseFromString(read_file(path, 1 << 30)));
  return proto;
}

std::vector<float> floats_of(const std::string& raw) {
  std::vector<float> values(raw.size() / sizeof(float));
  std::memcpy(values.data(), raw.data(), raw.size());
  return values;
}

TEST(Write, GivesTheTransposedWeight) {
  const TemporaryFolder folder;
  write(test::linear_model(), folder.path() / "m.onnx", {});
  const onnx::ModelProto proto = parse(folder.path() / "m.onnx");
  const onnx::TensorProto& weight = proto.graph().initializer(0);
  EXPECT_EQ(weight.dims(0), 32);
  EXPECT_EQ(weight.dims(1), 24);
  const std::vector<float> values = floats_of(weight.raw_data());
  ASSERT_EQ(values.size(), 32U * 24U);
  EXPECT_EQ(values[1], 32.0F);           // source [1][0]
  EXPECT_EQ(values[24 * 3 + 2], 67.0F);  // source [2][3]
}

TEST(Write, KeepsEveryKindOfAttribute) {
  const TemporaryFolder folder;
  write(test::varied_model(), folder.path() / "m.onnx", {});
  const onnx::ModelProto proto = parse(folder.path() / "m.onnx");
  ASSERT_EQ(proto.graph().node_size(), 3);
  const onnx::NodeProto& many = proto.graph().node(2);
  ASSERT_EQ(many.attribute_size(), 7);
  EXPECT_EQ(many.attribute(0).i(), -3);
  EXPECT_EQ(many.attribute(1).f(), 0.5F);
  EXPECT_EQ(many.attribute(2).s(), "gelu");
  EXPECT_EQ(many.attribute(3).ints(2), std::int64_t{1} << 40);
  EXPECT_EQ(many.attribute(4).floats(0), 1.5F);
  EXPECT_EQ(many.attribute(5).strings(1), "");
  EXPECT_EQ(many.attribute(6).type(), onnx::AttributeProto::INTS);
  EXPECT_EQ(many.input(1), "");
  EXPECT_EQ(proto.graph().node(0).attribute(0).g().node(0).op_type(), "Relu");
  EXPECT_EQ(proto.graph().node(1).attribute(0).t().dims(1), 4);
  EXPECT_EQ(proto.graph().input(2).type().tensor_type().shape().dim(0).value_case(),
            onnx::TensorShapeProto_Dimension::VALUE_NOT_SET);
  EXPECT_FALSE(proto.graph().output(0).type().tensor_type().has_shape());
  EXPECT_EQ(proto.metadata_props(0).value(), "test");
}

TEST(Write, HashesWhatItWrites) {
  const TemporaryFolder folder;
  for (const bool external : {false, true}) {
    const fs::path path = folder.path() / (external ? "external.onnx" : "single.onnx");
    const std::vector<WrittenFile> written = write(test::varied_model(), path, {external});
    ASSERT_EQ(written.size(), external ? 2U : 1U);
    EXPECT_EQ(written.back().path, path);
    for (const WrittenFile& file : written) {
      EXPECT_EQ(file.size, fs::file_size(file.path));
      EXPECT_EQ(file.sha256, sha256_of_file(file.path));
    }
  }
}

TEST(Write, GivesTheSameBytesAgain) {
  const TemporaryFolder folder;
  const auto first = write(test::varied_model(), folder.path() / "a.onnx", {});
  const auto second = write(test::varied_model(), folder.path() / "b.onnx", {});
  EXPECT_EQ(first[0].sha256, second[0].sha256);
}

TEST(Write, PutsLargeWeightsIntoAnAlignedFile) {
  const TemporaryFolder folder;
  Model model = test::linear_model();
  model.graph.initializers.push_back(test::counting_tensor("second", {300}));
  model.graph.initializers.push_back(test::counting_tensor("third", {301}));
  const auto written = write(model, folder.path() / "m.onnx", {.external_data = true});
  EXPECT_EQ(written[0].path, folder.path() / "m.onnx.data");
  const std::string data = read_file(written[0].path, 1 << 20);
  const onnx::ModelProto proto = parse(folder.path() / "m.onnx");

  EXPECT_EQ(proto.graph().initializer(1).data_location(), onnx::TensorProto::DEFAULT);  // 96 bytes stay inside
  for (const int index : {0, 2, 3}) {
    const onnx::TensorProto& tensor = proto.graph().initializer(index);
    EXPECT_EQ(tensor.data_location(), onnx::TensorProto::EXTERNAL);
    ASSERT_EQ(tensor.external_data_size(), 3);
    EXPECT_EQ(tensor.external_data(0).value(), "m.onnx.data");
    const std::size_t offset = std::stoul(tensor.external_data(1).value());
    EXPECT_EQ(offset % 64, 0U);
    const auto values = floats_of(data.substr(offset, std::stoul(tensor.external_data(2).value())));
    EXPECT_EQ(values.back(), index == 0 ? 32.0F * 24.0F - 1 : index == 2 ? 299.0F : 300.0F);
  }
}

TEST(Write, PutsTheWeightsBesideAFileThatWouldBeTooLarge) {
  const TemporaryFolder folder;
  const Model model = test::linear_model();
  const std::uint64_t whole = write(model, folder.path() / "whole.onnx", {}).at(0).size;
  EXPECT_EQ(write(model, folder.path() / "fits.onnx", {.largest_file = whole}).size(), 1U);
  const auto written = write(model, folder.path() / "split.onnx", {.largest_file = whole - 1});
  ASSERT_EQ(written.size(), 2U);
  EXPECT_EQ(written[0].path.filename(), "split.onnx.data");
  EXPECT_THAT(check_file(written[1].path, runtime_limits()), ::testing::IsEmpty());
  try {
    (void)write(model, folder.path() / "never.onnx", {.largest_file = 16});
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::limit);
    EXPECT_THAT(error.what(), ::testing::HasSubstr("without its weights"));
  }
  EXPECT_FALSE(fs::exists(folder.path() / "never.onnx"));
}

TEST(Write, ListsInitializersAsInputsWhereTheIrVersionWantsIt) {
  const TemporaryFolder folder;
  Model model = test::linear_model();
  model.ir_version = 3;
  write(model, folder.path() / "m.onnx", {});
  EXPECT_EQ(parse(folder.path() / "m.onnx").graph().input_size(), 3);
}

class FullDisk : public FileOps {
 public:
  explicit FullDisk(int writes) : left_(writes) {}
  void write(int descriptor, const fs::path& path, std::span<const std::byte> bytes) override {
    if (left_-- == 0) throw_io_error(path, "cannot be written", ENOSPC);
    FileOps::write(descriptor, path, bytes);
  }

 private:
  int left_;
};

TEST(Write, ThrowsWhenTheDiskIsFull) {
  Model model = test::linear_model();
  model.graph.initializers.push_back(test::counting_tensor("large", {3000, 1000}));
  model.graph.initializers.back().transposed = true;
  model.graph.initializers.back().source.shape = {1000, 3000};
  for (int writes = 0; writes < 12; ++writes) {
    const TemporaryFolder folder;
    FullDisk disk(writes);
    const ScopedFileOps replaced(disk);
    try {
      write(model, folder.path() / "m.onnx", {});
      FAIL() << writes;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::io);
    }
  }
}

}  // namespace
}  // namespace berth::graph
