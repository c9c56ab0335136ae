// The first look at a model file, sound or hostile.
#include "engine/model_file.h"

#include <fstream>

#include "base/file.h"
#include "engine/engine_support.h"

namespace berth::engine {
namespace {

using test::error_of;

Error refusal(const std::filesystem::path& path) {
  return error_of([&] { static_cast<void>(inspect_model_file(path)); });
}

TEST(ModelFile, NamesItsExternalData) {
  EXPECT_EQ(inspect_model_file(test::model("external.onnx")), std::vector<std::string>{"external.weights"});
  EXPECT_TRUE(inspect_model_file(test::model("tiny_bert.onnx")).empty());
}

TEST(ModelFile, KeepsExternalDataInsideItsFolder) {
  EXPECT_EQ(refusal(berth::test::data("cases/onnx/ext_traversal.onnx")).kind(), ErrorKind::invalid_input);
  const TemporaryFolder folder;
  std::filesystem::copy(test::model("external.onnx"), folder.path() / "external.onnx");
  std::filesystem::create_symlink(test::model("external.weights"), folder.path() / "external.weights");
  EXPECT_EQ(refusal(folder.path() / "external.onnx").kind(), ErrorKind::invalid_input);
}

TEST(ModelFile, IsNotAModelWhenItIsAPipeOrAFolder) {
  EXPECT_EQ(refusal("/dev/null").kind(), ErrorKind::invalid_input);
  EXPECT_EQ(refusal(berth::test::data("engine")).kind(), ErrorKind::invalid_input);
}

// A third of all cuts and flipped bytes of a small model; the graph layer's tests have them all.
TEST(ModelFile, IsReadWithinBoundsWhenDamaged) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "damaged.onnx";
  const std::string whole = read_file(test::model("external.onnx"), 1 << 20);
  const auto try_bytes = [&](const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
    try {
      static_cast<void>(inspect_model_file(path));
    } catch (const Error& error) {
      EXPECT_NE(error.kind(), ErrorKind::internal);
    }
  };
  for (std::size_t size = 0; size < whole.size(); size += 3) try_bytes(whole.substr(0, size));
  for (std::size_t i = 0; i < whole.size(); i += 3) {
    std::string flipped = whole;
    flipped[i] = static_cast<char>(flipped[i] ^ 0xFF);
    try_bytes(flipped);
  }
}

}  // namespace
}  // namespace berth::engine
