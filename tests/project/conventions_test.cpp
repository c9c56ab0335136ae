// What CONTRIBUTING.md asks of every file, as far as a program can see it.
#include <algorithm>
#include <array>
#include <gmock/gmock.h>

#include "base/file.h"
#include "support/paths.h"

namespace berth {
namespace {

constexpr std::uint64_t kLargestTextFile = 16U << 20;
constexpr std::size_t kLongestSource = 700;

bool is_source(const fs::path& path) {
  return path.extension() == ".cpp" || path.extension() == ".h" || path.extension() == ".inc";
}

// Files of the repository: all but what building and packaging leave beside it.
std::vector<fs::path> files_below(const fs::path& folder) {
  constexpr std::array kNotOurs{"build", "dist", ".git", ".venv", "node_modules", "__pycache__"};
  std::vector<fs::path> files;
  for (auto entry = fs::recursive_directory_iterator(folder); entry != fs::recursive_directory_iterator(); ++entry) {
    const std::string name = entry->path().filename().string();
    if (std::find(kNotOurs.begin(), kNotOurs.end(), name) != kNotOurs.end()) {
      entry.disable_recursion_pending();
    } else if (entry->is_regular_file()) {
      files.push_back(entry->path());
    }
  }
  return files;
}

TEST(Conventions, SourcesAreShortAndSayWhatTheyAre) {
  for (const char* const folder : {"src", "include"}) {
    for (const fs::path& path : files_below(test::source_root() / folder)) {
      if (!is_source(path)) continue;
      const std::string text = read_file(path, kLargestTextFile);
      EXPECT_TRUE(text.starts_with("// ")) << path << " does not open with a comment that says what it is";
      EXPECT_LE(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')), kLongestSource)
          << path << " is too long";
    }
  }
}

// A file that names where it was made, or where its parts were downloaded from, works only there. Written in pieces, so
// that this file is not found itself.
TEST(Conventions, NoFileNamesAMachineOrARegistry) {
  const std::array<std::string, 8> unwanted{std::string("/ro") + "ot/",    std::string("/wo") + "rk/",
                                            std::string("/ho") + "me/",    std::string("/tm") + "p/",
                                            std::string("pypi") + ".org",  std::string("python") + "hosted.org",
                                            std::string("npm") + "js.org", std::string("deb.deb") + "ian.org"};
  std::size_t files = 0;
  for (const fs::path& path : files_below(test::source_root())) {
    if (fs::file_size(path) > kLargestTextFile) continue;
    const std::string text = read_file(path, kLargestTextFile);
    if (text.find('\0') != std::string::npos) continue;  // not a text
    ++files;
    for (const std::string& word : unwanted) {
      EXPECT_EQ(text.find(word), std::string::npos) << path << " contains " << word;
    }
  }
  EXPECT_GT(files, 100U);
}

}  // namespace
}  // namespace berth
