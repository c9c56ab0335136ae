// Property: whatever the bytes, a reader returns or throws one berth::Error. Mutations come from a fixed seed; the
// sanitizers watch for the rest.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/file.h"
#include "checkpoint/config.h"
#include "checkpoint/safetensors.h"
#include "checkpoint/support.h"
#include "support/paths.h"

namespace berth::checkpoint {
namespace {

constexpr std::uint64_t kMaxFile = 1U << 20;

// True when the bytes were accepted. The tensors that come back must lie inside the file.
bool accepts(const std::vector<char>& file) {
  const auto bytes = std::as_bytes(std::span(file));
  try {
    for (const NamedTensor& tensor : read_safetensors(bytes, "m").tensors) {
      EXPECT_EQ(tensor.view.data.size(),
                static_cast<std::size_t>(element_count(tensor.view.shape)) * size_of(tensor.view.dtype));
      if (tensor.view.data.empty()) continue;
      EXPECT_GE(tensor.view.data.data(), bytes.data());
      EXPECT_LE(tensor.view.data.data() + tensor.view.data.size(), bytes.data() + bytes.size());
    }
    return true;
  } catch (const Error& error) {
    EXPECT_FALSE(error.message().empty());
    return false;
  }
}

// A vector of exactly the file's size: a byte read past the end is one that the address sanitizer sees.
std::vector<char> load(const std::string& name) {
  const std::string text = read_file(berth::test::data("cases/" + name), kMaxFile);
  return {text.begin(), text.end()};
}

std::size_t header_end(const std::vector<char>& file) {
  return 8 + static_cast<unsigned char>(file[0]) +
         (static_cast<std::size_t>(static_cast<unsigned char>(file[1])) << 8U);
}

TEST(SafetensorsMutations, EveryValueOfEveryByteOfASmallHeader) {
  const std::vector<char> original = load("st/ok.safetensors");
  ASSERT_TRUE(accepts(original));
  std::size_t accepted = 0;
  for (std::size_t at = 0; at < header_end(original); ++at) {
    std::vector<char> mutant = original;
    for (int value = 0; value < 256; ++value) {
      mutant[at] = static_cast<char>(value);
      accepted += accepts(mutant) ? 1 : 0;
    }
  }
  EXPECT_GT(accepted, header_end(original));  // the original byte at each place, and other names of the tensor
  EXPECT_LT(accepted, 256 * 10U);
}

TEST(SafetensorsMutations, EveryLength) {
  for (const char* name : {"st/ok.safetensors", "tiny-cls/model.safetensors"}) {
    const std::vector<char> original = load(name);
    const std::size_t step = original.size() > 1000 ? 7 : 1;
    for (std::size_t size = 0; size < original.size(); size += step) {
      EXPECT_FALSE(accepts({original.begin(), original.begin() + static_cast<std::ptrdiff_t>(size)})) << size;
    }
  }
}

TEST(SafetensorsMutations, RandomEditsOfARealHeader) {
  const std::vector<char> original = load("tiny-cls/model.safetensors");
  ASSERT_TRUE(accepts(original));
  const std::string_view alphabet = "{}[]\",:0123456789-+.eE\\u \x01\x80\xFFtfn";
  std::mt19937 random(20260101);
  const auto below = [&](std::size_t bound) { return static_cast<std::size_t>(random() % bound); };
  for (std::size_t run = 0; run < 2 * header_end(original); ++run) {
    std::vector<char> mutant = original;
    const std::size_t at = run % header_end(original);  // each byte of the header is hit
    const auto place = mutant.begin() + static_cast<std::ptrdiff_t>(at);
    switch (below(4)) {
      case 0: *place = alphabet[below(alphabet.size())]; break;
      case 1: mutant.erase(place); break;
      case 2: mutant.insert(place, alphabet[below(alphabet.size())]); break;
      default: std::rotate(place, place + 1, mutant.begin() + static_cast<std::ptrdiff_t>(header_end(original))); break;
    }
    (void)accepts(mutant);
  }
}

TEST(ConfigMutations, RandomEditsOfARealConfig) {
  const std::string original = read_file(berth::test::data("cases/tiny-cls/config.json"), kMaxFile);
  const std::string_view alphabet = "{}[]\",:0123456789-+.eE\\u \x01\x80\xFFtfn";
  std::mt19937 random(20260102);
  std::size_t accepted = 0;
  for (std::size_t run = 0; run < 4 * original.size(); ++run) {
    std::string mutant = original;
    const std::size_t at = run % original.size();
    const char byte = alphabet[random() % alphabet.size()];
    if (random() % 2 == 0)
      mutant[at] = byte;
    else
      mutant.insert(at, 1, byte);
    try {
      const EncoderConfig config = parse_config(mutant, "config.json");
      EXPECT_GE(config.hidden_size, 1);
      EXPECT_LE(config.layers, 1024);
      EXPECT_LE(config.labels.size(), 65'536U);
      ++accepted;
    } catch (const Error& error) {
      EXPECT_FALSE(error.message().empty());
    }
  }
  EXPECT_GT(accepted, 0U);
}

}  // namespace
}  // namespace berth::checkpoint
