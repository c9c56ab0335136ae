// Case K-01: a runtime that is missing, is no library, is another library, or is too old.
#include "engine/ort.h"

#include <fstream>

#include "base/file.h"
#include "engine/engine_support.h"

namespace berth::engine {
namespace {

using test::error_of;

Error refusal(const std::filesystem::path& path) {
  return error_of([&] { static_cast<void>(open_ort_library(path)); });
}

TEST(OrtLibrary, OpensTheShippedOne) {
  EXPECT_TRUE(std::filesystem::equivalent(shipped_ort_library(), berth::test::ort_library()));
  const OrtLibrary library = open_ort_library(shipped_ort_library());
  EXPECT_EQ(library.version, "1.32.0");
  EXPECT_NE(library.api, nullptr);
}

TEST(OrtLibrary, NamesTheOneThatIsMissing) {
  const Error error = refusal("/no/such/libonnxruntime.so");
  EXPECT_EQ(error.kind(), ErrorKind::not_found);
  EXPECT_STREQ(error.what(), "/no/such/libonnxruntime.so: this library is missing");
}

TEST(OrtLibrary, NamesAFileThatIsNoLibrary) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "libonnxruntime.so";
  std::ofstream(path) << "not a library\n";
  const Error error = refusal(path);
  EXPECT_EQ(error.kind(), ErrorKind::io);
  EXPECT_EQ(error.where(), path.string());
}

TEST(OrtLibrary, NamesBothVersionsOfAnOldOne) {
  const Error error = refusal(berth::test::old_ort_library());
  EXPECT_EQ(error.kind(), ErrorKind::unsupported);
  EXPECT_EQ(error.where(), berth::test::old_ort_library().string());
  EXPECT_EQ(error.message(), "is ONNX Runtime 1.20.1, expected 1.29 or later");
  EXPECT_FALSE(error.hint().empty());
}

}  // namespace
}  // namespace berth::engine
