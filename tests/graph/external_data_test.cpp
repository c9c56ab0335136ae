// Weights outside the model file: found, bounded, and never outside the folder.
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/file.h"
#include "berth/error.h"
#include "berth/graph.h"
#include "graph/models.h"
#include "support/paths.h"

namespace berth::graph {
namespace {

// A model whose [2, 2] weight stands at `location`.
void save_external(const fs::path& path, const std::string& location, const std::string& offset,
                   const std::string& length) {
  onnx::ModelProto proto = test::parse_text(R"(<ir_version: 8, opset_import: ["" : 17]>
      main (float[b, 2] x) => (float[b, 2] y) <float[2, 2] w = {}> { y = MatMul(x, w) })");
  onnx::TensorProto* const tensor = proto.mutable_graph()->mutable_initializer(0);
  tensor->set_data_location(onnx::TensorProto::EXTERNAL);
  const auto add = [&](const std::string& key, const std::string& value) {
    if (value.empty()) return;
    onnx::StringStringEntryProto* const entry = tensor->add_external_data();
    entry->set_key(key);
    entry->set_value(value);
  };
  add("location", location);
  add("offset", offset);
  add("length", length);
  test::save(proto, path);
}

std::string outcome(const fs::path& path) {
  try {
    const Model model = read(path);
    return "read " + std::to_string(model.graph.initializers[0].source.data.size());
  } catch (const Error& error) {
    return error.message();
  }
}

void write_bytes(const fs::path& path, std::size_t count) {
  std::ofstream(path, std::ios::binary) << std::string(count, 'x');
}

TEST(ExternalData, LiesInTheModelsFolder) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "m.onnx";
  write_bytes(folder.path() / "w.bin", 64);
  fs::create_directory(folder.path() / "sub");
  write_bytes(folder.path() / "sub/w.bin", 16);
  for (const std::string location : {"w.bin", "./w.bin", "sub/w.bin", "sub/../w.bin"}) {
    save_external(path, location, "", "");
    EXPECT_EQ(outcome(path), "read 16") << location;
  }
  save_external(path, "w.bin", "48", "16");
  EXPECT_EQ(outcome(path), "read 16");
}

TEST(ExternalData, DoesNotLeaveTheFolder) {
  const TemporaryFolder outside;
  write_bytes(outside.path() / "secret.bin", 16);
  fs::create_directory(outside.path() / "model");
  const fs::path path = outside.path() / "model/m.onnx";
  fs::create_symlink("../secret.bin", outside.path() / "model/link.bin");
  fs::create_directory_symlink(outside.path(), outside.path() / "model/up");
  for (const std::string location : {"../secret.bin", "link.bin", "up/secret.bin", "./../model/../secret.bin"}) {
    save_external(path, location, "", "");
    EXPECT_EQ(outcome(path), "external data '" + location + "' leaves the model's folder");
  }
  const std::string absolute = (outside.path() / "model/../secret.bin").string();
  save_external(path, absolute, "", "");
  EXPECT_NE(outcome(path).find("at the absolute path"), std::string::npos);
}

TEST(ExternalData, OfADownloadCacheLiesBesideTheRealFile) {
  const TemporaryFolder cache;
  fs::create_directories(cache.path() / "blobs");
  fs::create_directories(cache.path() / "snapshot");
  save_external(cache.path() / "blobs/abc", "w.bin", "", "");
  write_bytes(cache.path() / "blobs/def", 16);
  fs::create_symlink("../blobs/abc", cache.path() / "snapshot/m.onnx");
  fs::create_symlink("../blobs/def", cache.path() / "snapshot/w.bin");
  EXPECT_EQ(outcome(cache.path() / "snapshot/m.onnx"), "read 16");
}

TEST(ExternalData, MustBeThereInFull) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "m.onnx";
  write_bytes(folder.path() / "w.bin", 20);
  const auto with = [&](const std::string& location, const std::string& offset, const std::string& length) {
    save_external(path, location, offset, length);
    return outcome(path);
  };
  EXPECT_EQ(with("none.bin", "", ""), "external data file 'none.bin' is not there");
  EXPECT_EQ(with("w.bin", "5", "16"), "needs 16 bytes from byte 5 on in 'w.bin', which has 20");
  EXPECT_EQ(with("w.bin", "18446744073709551615", "16"),
            "needs 16 bytes from byte 18446744073709551615 on in 'w.bin', which has 20");
  EXPECT_EQ(with("w.bin", "0", "8"), "has 8 bytes of external data, its type and shape need 16");
  EXPECT_EQ(with("w.bin", "-4", "16"), "has the external data offset '-4', expected a number");
  EXPECT_EQ(with("w.bin", "99999999999999999999", "16"),
            "has the external data offset '99999999999999999999', expected a number");
  EXPECT_EQ(with("", "0", "16"), "has external data without the name of a file");
  EXPECT_EQ(with(".", "0", "16"), "external data '.' is not a regular file");
}

TEST(ExternalData, DoesNotWaitForAPipe) {
  const TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder.path() / "pipe").c_str(), 0600), 0);
  save_external(folder.path() / "m.onnx", "pipe", "", "");
  EXPECT_EQ(outcome(folder.path() / "m.onnx"), "external data 'pipe' is not a regular file");
  EXPECT_EQ(outcome(folder.path() / "pipe"), "is not a regular file");
}

TEST(ExternalData, OfTheCasesIsRefused) {
  EXPECT_EQ(outcome(test::data("cases/onnx/ext_traversal.onnx")),
            "external data '../secret.bin' leaves the model's folder");
  EXPECT_EQ(outcome(test::data("cases/onnx/ext_missing.onnx")), "external data file 'weights.bin' is not there");
  EXPECT_EQ(outcome(test::data("cases/onnx/ext_short.onnx")), "needs 16 bytes in 'w8.bin', which has 8");
}

}  // namespace
}  // namespace berth::graph
