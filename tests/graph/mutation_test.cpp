// Damaged models, many with a fixed seed: each is read, or refused with an Error or a list of problems.
#include <fstream>
#include <gtest/gtest.h>
#include <random>

#include "base/file.h"
#include "berth/error.h"
#include "berth/graph.h"
#include "graph/models.h"
#include "support/paths.h"

namespace berth::graph {
namespace {

std::vector<std::string> seeds() {
  std::vector<std::string> all;
  const TemporaryFolder folder;
  write(test::varied_model(), folder.path() / "varied.onnx", {});
  all.push_back(read_file(folder.path() / "varied.onnx", 1 << 20));
  all.push_back(test::parse_text(test::kSoundText).SerializeAsString());
  all.push_back(test::parse_text(R"(<ir_version: 8, opset_import: ["" : 17, "local" : 1]>
      main (float[2] x) => (float[2] y) { y = local.twice<factor = 2.0>(x) }
      <domain: "local", opset_import: ["" : 17]>
      twice <factor> (a) => (b) { f = Constant<value_float: float = @factor>()  b = Mul(a, f) })")
                    .SerializeAsString());
  for (const char* const name : {"ir99", "opset99", "ext_short", "ext_traversal"}) {
    all.push_back(read_file(test::data(std::string("cases/onnx/") + name + ".onnx"), 1 << 20));
  }
  return all;
}

// One to eight changes: a byte, a run that is cut out, doubled, or overwritten by a large number, or a cut end.
std::string damaged(std::string bytes, std::mt19937& random) {
  const auto below = [&](std::size_t limit) { return random() % std::max<std::size_t>(limit, 1); };
  for (std::size_t changes = 1 + below(8); changes != 0 && !bytes.empty(); --changes) {
    const std::size_t at = below(bytes.size());
    const std::size_t length = 1 + below(std::min<std::size_t>(16, bytes.size() - at));
    switch (below(6)) {
      case 0: bytes[at] = static_cast<char>(random()); break;
      case 1: bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8))); break;
      case 2: bytes.erase(at, length); break;
      case 3: bytes.insert(at, bytes.substr(at, length)); break;
      case 4: bytes.replace(at, length, "\xFF\xFF\xFF\xFF\x07"); break;
      default: bytes.resize(at + 1); break;
    }
  }
  return bytes;
}

TEST(Mutation, NeverDoesMoreThanRefuse) {
  constexpr int kRounds = 200;
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "m.onnx";
  std::mt19937 random(20240601);
  for (const std::string& seed : seeds()) {
    for (int round = 0; round < kRounds; ++round) {
      std::ofstream(path, std::ios::binary | std::ios::trunc) << damaged(seed, random);
      (void)check_file(path, runtime_limits());
      try {
        Model model = read(path);
        (void)to_text(model);
        infer_shapes(model);
      } catch (const Error&) {
      }
    }
  }
}

}  // namespace
}  // namespace berth::graph
