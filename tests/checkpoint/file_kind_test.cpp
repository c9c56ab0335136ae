// What a file is said to be by its first bytes.
#include "checkpoint/file_kind.h"

#include "checkpoint/support.h"

namespace berth::checkpoint {
namespace {

std::string kind_of(const std::string& content) {
  const auto kind = recognise(test::bytes_of(content));
  return kind ? kind->what : "";
}

TEST(FileKind, KnowsWhatCommonlyStandsUnderTheNameOfACheckpoint) {
  EXPECT_EQ(kind_of(""), "empty");
  EXPECT_EQ(kind_of("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"),
            "a Git LFS pointer, not the file itself");
  EXPECT_EQ(kind_of(" \r\n<!DOCTYPE HTML>"), "an HTML page");
  EXPECT_EQ(kind_of("\xEF\xBB\xBF<HTML lang=en>"), "an HTML page");
  EXPECT_EQ(kind_of("<?xml version=\"1.0\"?><Error>"), "an XML text");
  EXPECT_NE(kind_of("PK\x03\x04rest").find("zip"), std::string::npos);
  EXPECT_NE(kind_of("\x80\x02}q").find("pickle"), std::string::npos);
  EXPECT_NE(kind_of("\x89HDF\r\n\x1A\n").find("HDF5"), std::string::npos);
  EXPECT_NE(kind_of("GGUF\x03").find("GGUF"), std::string::npos);
  EXPECT_NE(kind_of(std::string(64, '\0')).find("zeros"), std::string::npos);
  EXPECT_EQ(kind_of("{\"error\": \"Repository not found\"}"), "a JSON text");
}

TEST(FileKind, QuotesTheFirstLineOfAPlainText) {
  EXPECT_EQ(kind_of("\nEntry not found\nsee the log"), "a plain text that begins \"Entry not found\"");
  EXPECT_EQ(kind_of(std::string(500, 'x')), "a plain text that begins \"" + std::string(40, 'x') + "\"");
}

TEST(FileKind, SaysNothingOfUnknownBytes) {
  EXPECT_EQ(kind_of(std::string("\x01\x02\x03\x04 text", 9)), "");
  EXPECT_EQ(kind_of("caf\xC3\xA9"), "");
}

}  // namespace
}  // namespace berth::checkpoint
