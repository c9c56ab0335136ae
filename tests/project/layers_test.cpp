// The layers of src/README.md, held against what the sources include and what CMake links.
#include <algorithm>
#include <fstream>
#include <gmock/gmock.h>
#include <map>
#include <regex>

#include "base/file.h"
#include "support/paths.h"

namespace berth {
namespace {

struct Layer {
  std::string name;
  bool exists = false;
};

std::vector<std::string> lines_of(const fs::path& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

// The rows "| `base` | yes | …" of the table, in order.
std::vector<Layer> read_layers() {
  static const std::regex row(R"(^\| `(\w+)` \| (yes|later) \|.*)");
  std::vector<Layer> layers;
  for (const std::string& line : lines_of(test::source_root() / "src/README.md")) {
    std::smatch match;
    if (std::regex_match(line, match, row)) layers.push_back({match[1], match[2] == "yes"});
  }
  return layers;
}

std::vector<std::string> existing_layers() {
  std::vector<std::string> names;
  for (const Layer& layer : read_layers()) {
    if (layer.exists) names.push_back(layer.name);
  }
  return names;
}

// include/berth/NAME.h belongs to the layer NAME, but for the two that all layers share.
std::string layer_of_public_header(const std::string& name) {
  return name == "error" || name == "tensor" ? "base" : name;
}

// The layers of the project's own headers that a file includes.
std::vector<std::string> included_layers(const fs::path& path) {
  static const std::regex include(R"re(^\s*#\s*include\s*"(\w+)/(\w+)[^"]*".*)re");
  std::vector<std::string> layers;
  for (const std::string& line : lines_of(path)) {
    std::smatch match;
    if (!std::regex_match(line, match, include)) continue;
    layers.push_back(match[1] == "berth" ? layer_of_public_header(match[2]) : match[1].str());
  }
  return layers;
}

class Layers : public ::testing::Test {
 protected:
  Layers() {
    const std::vector<Layer> layers = read_layers();
    for (std::size_t i = 0; i < layers.size(); ++i) rank_[layers[i].name] = i;
  }

  void expect_includes_no_later_layer(const fs::path& file, const std::string& layer) {
    ASSERT_TRUE(rank_.contains(layer)) << file << " is in no layer of src/README.md";
    for (const std::string& included : included_layers(file)) {
      ASSERT_TRUE(rank_.contains(included))
          << file << " includes " << included << ", which is no layer of src/README.md";
      EXPECT_LE(rank_[included], rank_[layer])
          << file << " is in " << layer << " and includes the later layer " << included;
    }
  }

  std::map<std::string, std::size_t> rank_;
};

TEST_F(Layers, EachFileIncludesOnlyItsOwnAndEarlierOnes) {
  std::size_t files = 0;
  for (const std::string& layer : existing_layers()) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(test::source_root() / "src" / layer)) {
      if (!entry.is_regular_file()) continue;
      expect_includes_no_later_layer(entry.path(), layer);
      ++files;
    }
  }
  EXPECT_GT(files, 40U);
}

TEST_F(Layers, PublicHeadersToo) {
  for (const fs::directory_entry& entry : fs::directory_iterator(test::source_root() / "include/berth")) {
    expect_includes_no_later_layer(entry.path(), layer_of_public_header(entry.path().stem().string()));
  }
}

TEST_F(Layers, TheTableNamesTheFoldersThatExist) {
  std::vector<std::string> folders;
  for (const fs::directory_entry& entry : fs::directory_iterator(test::source_root() / "src")) {
    if (entry.is_directory()) folders.push_back(entry.path().filename().string());
  }
  EXPECT_THAT(folders, ::testing::UnorderedElementsAreArray(existing_layers()));
}

TEST_F(Layers, AreLinkedInTheOrderOfTheTable) {
  static const std::regex layer(R"(^berth_layer\((\w+).*)");
  std::vector<std::string> linked;
  for (const std::string& line : lines_of(test::source_root() / "src/CMakeLists.txt")) {
    std::smatch match;
    if (std::regex_match(line, match, layer)) linked.push_back(match[1]);
  }
  EXPECT_EQ(linked, existing_layers());
}

}  // namespace
}  // namespace berth
