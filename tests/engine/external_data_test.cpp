// Finding the weights files of a model, in sound and in hostile models.
#include "engine/external_data.h"

#include <fstream>

#include "base/file.h"
#include "engine/engine_support.h"

namespace berth::engine {
namespace {

using test::error_of;

TEST(ExternalData, IsFoundByName) {
  EXPECT_EQ(external_files(test::model("external.onnx")), std::vector<std::string>{"external.weights"});
  EXPECT_TRUE(external_files(test::model("tiny_bert.onnx")).empty());
}

TEST(ExternalData, StaysInsideTheFolder) {
  const Error error =
      error_of([] { static_cast<void>(external_files(berth::test::data("cases/onnx/ext_traversal.onnx"))); });
  EXPECT_EQ(error.kind(), ErrorKind::invalid_input);
  EXPECT_EQ(error.message(), "wants to read weights from ../secret.bin, outside its own folder");
}

TEST(ExternalData, IsNotFollowedThroughALinkOutOfTheFolder) {
  const TemporaryFolder folder;
  std::filesystem::copy(test::model("external.onnx"), folder.path() / "external.onnx");
  std::filesystem::create_symlink(test::model("external.weights"), folder.path() / "external.weights");
  EXPECT_EQ(error_of([&] { static_cast<void>(external_files(folder.path() / "external.onnx")); }).kind(),
            ErrorKind::invalid_input);
}

TEST(ExternalData, ThatIsMissingIsNamed) {
  const Error error =
      error_of([] { static_cast<void>(external_files(berth::test::data("cases/onnx/ext_missing.onnx"))); });
  EXPECT_EQ(error.kind(), ErrorKind::not_found);
  EXPECT_EQ(error.message(), "needs the weights file weights.bin, which is missing");
}

// Every cut and every flipped byte of a small model ends in a list or in an Error, and the sanitizers see no more.
TEST(ExternalData, SurvivesDamagedModels) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "damaged.onnx";
  const std::string whole = read_file(test::model("external.onnx"), 1 << 20);
  const auto try_bytes = [&](const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
    try {
      static_cast<void>(external_files(path));
    } catch (const Error& error) {
      EXPECT_NE(error.kind(), ErrorKind::internal);
    }
  };
  for (std::size_t size = 0; size < whole.size(); ++size) try_bytes(whole.substr(0, size));
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string flipped = whole;
    flipped[i] = static_cast<char>(flipped[i] ^ 0xFF);
    try_bytes(flipped);
  }
}

}  // namespace
}  // namespace berth::engine
