// Which folders open, and what is said of those that do not.
#include "checkpoint/folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/file.h"
#include "berth/checkpoint.h"
#include "checkpoint/support.h"
#include "support/paths.h"

namespace berth::checkpoint {
namespace {

namespace fs = std::filesystem;
using test::expect_error;
using test::write_text;

fs::path case_folder(const std::string& name) { return berth::test::data("cases/" + name); }

void open(const fs::path& folder) { (void)Checkpoint::open(folder, {}); }

// A folder that holds these empty files.
struct FolderOf {
  explicit FolderOf(std::initializer_list<const char*> names) {
    for (const char* name : names) write_text(folder.path() / name, "");
  }
  TemporaryFolder folder;
};

TEST(Folder, PrefersSafetensorsAndDoesNotOpenThePickle) {
  const TemporaryFolder folder;
  for (const char* name : {"config.json", "model.safetensors"}) {
    fs::copy_file(case_folder("tiny-cls") / name, folder.path() / name);
  }
  ASSERT_EQ(::mkfifo((folder.path() / "pytorch_model.bin").c_str(), 0600), 0);  // opening it would wait for ever
  for (const char* name : {"tf_model.h5", "adapter_config.json", "model.safetensors.index.json"}) {
    write_text(folder.path() / name, "");
  }
  EXPECT_NO_THROW(open(folder.path()));
}

TEST(Folder, NamesTheFormatThatItDoesNotReadAndTheWayOut) {
  struct Row {
    const char* file;
    std::initializer_list<std::string_view> words;
  };
  const std::initializer_list<Row> rows{
      {"model.safetensors.index.json", {"shards", "save_pretrained", "max_shard_size"}},
      {"pytorch_model.bin", {"PyTorch pickle", "save_pretrained"}},
      {"pytorch_model.bin.index.json", {"shards", "save_pretrained"}},
      {"tf_model.h5", {"TensorFlow", "from_tf=True"}},
      {"flax_model.msgpack", {"Flax", "from_flax=True"}},
      {"model-q8.gguf", {"GGUF"}},
      {"bert_model.ckpt.index", {"TensorFlow 1"}},
      {"adapter_config.json", {"PEFT adapter", "merge_and_unload"}},
      {"model.fp16.safetensors", {"another name", "rename"}},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.file);
    const FolderOf made{"config.json", row.file};
    expect_error([&] { open(made.folder.path()); }, ErrorKind::unsupported, row.words);
    expect_error([&] { open(made.folder.path()); }, ErrorKind::unsupported, {row.file, "model.safetensors"});
  }
}

TEST(Folder, RefusesTheCasesOfLaterFormatsByName) {
  for (const char* name : {"ck-pickle", "ck-pickle-code"}) {
    expect_error([&] { open(case_folder(name)); }, ErrorKind::unsupported, {"pytorch_model.bin"});
  }
  for (const char* name : {"ck-shards", "ck-shard-missing"}) {
    expect_error([&] { open(case_folder(name)); }, ErrorKind::unsupported, {"model.safetensors.index.json"});
  }
}

TEST(Folder, KnowsAnAdapterWithoutAConfig) {
  const FolderOf made{"adapter_config.json", "adapter_model.safetensors"};
  expect_error([&] { open(made.folder.path()); }, ErrorKind::unsupported, {"adapter_config.json", "merge_and_unload"});
}

TEST(Folder, ListsWhatItFoundInstead) {
  const FolderOf without_config{"model.safetensors", "notes.txt"};
  expect_error([&] { open(without_config.folder.path()); }, ErrorKind::not_found,
               {"no config.json", "model.safetensors, notes.txt"});
  const FolderOf without_weights{"config.json", "vocab.txt"};
  expect_error([&] { open(without_weights.folder.path()); }, ErrorKind::not_found,
               {"no model.safetensors", "config.json, vocab.txt"});
  const FolderOf empty{};
  expect_error([&] { open(empty.folder.path()); }, ErrorKind::not_found, {"no config.json", "empty"});
  const FolderOf full{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n"};
  expect_error([&] { open(full.folder.path()); }, ErrorKind::not_found, {"k, l and 2 more"});
}

TEST(Folder, SaysWhatAPathIs) {
  expect_error([] { open("no-such-folder/bert"); }, ErrorKind::not_found,
               {"no-such-folder/bert", "does not exist", "hf download"});
  expect_error([] { open(case_folder("tiny-cls") / "model.safetensors"); }, ErrorKind::invalid_input,
               {"is a file", "folder"});
  expect_error([] { open(case_folder("tiny-cls") / "vocab.txt" / "x"); }, ErrorKind::not_found, {"does not exist"});
}

TEST(Folder, RefusesThingsThatAreNoFiles) {
  const FolderOf made{"config.json"};
  fs::create_directory(made.folder.path() / "model.safetensors");
  expect_error([&] { open(made.folder.path()); }, ErrorKind::not_found, {"no model.safetensors", "model.safetensors/"});

  const FolderOf pipe{"model.safetensors"};
  ASSERT_EQ(::mkfifo((pipe.folder.path() / "config.json").c_str(), 0600), 0);
  expect_error([&] { open(pipe.folder.path()); }, ErrorKind::invalid_input, {"config.json", "is not a regular file"});
}

// As the cache lays them out: models--OWNER--NAME/{blobs,refs,snapshots/REVISION}.
TEST(Folder, FollowsTheLinksOfTheHubCache) {
  const TemporaryFolder cache;
  const fs::path snapshot = cache.path() / "snapshots" / "0123abc";
  fs::create_directories(snapshot);
  fs::create_directories(cache.path() / "blobs");
  fs::create_directories(cache.path() / "refs");
  for (const char* name : {"config.json", "model.safetensors"}) {
    fs::copy_file(case_folder("tiny-cls") / name, cache.path() / "blobs" / name);
    fs::create_symlink(fs::path("../../blobs") / name, snapshot / name);
  }
  EXPECT_NO_THROW(open(snapshot));
  fs::create_directory_symlink(snapshot, cache.path() / "link");
  EXPECT_NO_THROW(open(cache.path() / "link"));
  expect_error([&] { open(cache.path()); }, ErrorKind::not_found, {"no config.json", "snapshots/"});

  fs::remove(cache.path() / "blobs" / "model.safetensors");
  expect_error([&] { open(snapshot); }, ErrorKind::not_found,
               {"model.safetensors", "is a link to ../../blobs", "download"});
}

TEST(Folder, WorksUnderOddNames) {
  const TemporaryFolder parent;
  const fs::path folder = parent.path() / "my modèle (1)";
  fs::create_directory(folder);
  for (const char* name : {"config.json", "model.safetensors"})
    fs::copy_file(case_folder("tiny-cls") / name, folder / name);
  EXPECT_NO_THROW(open(folder));
  EXPECT_NO_THROW(open(folder / ""));
}

}  // namespace
}  // namespace berth::checkpoint
