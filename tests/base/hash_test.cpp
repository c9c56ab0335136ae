// SHA-256 against the examples of FIPS 180 (NIST, "Examples with Intermediate Values").
#include "base/hash.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <string>
#include <string_view>

#include "base/file.h"

namespace berth {
namespace {

std::string hash_of(std::string_view text) { return sha256_of(std::as_bytes(std::span(text))); }

struct Example {
  std::string text;
  std::string_view digest;
};

const Example kExamples[] = {
    {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
    {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    {std::string(1'000'000, 'a'), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
};

TEST(Sha256, GivesNistsExamples) {
  for (const Example& example : kExamples) EXPECT_EQ(hash_of(example.text), example.digest);
}

TEST(Sha256, DoesNotDependOnHowTheBytesCome) {
  for (const Example& example : kExamples) {
    Sha256 hash;
    std::string_view rest = example.text;
    for (std::size_t block = 1; !rest.empty(); block = block * 3 + 1) {
      const std::string_view part = rest.substr(0, block);
      hash.update(std::as_bytes(std::span(part)));
      rest.remove_prefix(part.size());
    }
    EXPECT_EQ(hash.finish(), example.digest);
  }
}

TEST(Sha256, OfAFileIsThatOfItsBytes) {
  const TemporaryFolder folder;
  for (const Example& example : kExamples) {
    const fs::path path = folder.path() / example.digest;
    write_new_file(path, example.text);
    EXPECT_EQ(sha256_of_file(path), example.digest);
  }
}

}  // namespace
}  // namespace berth
