// The manifest: what is written is read back, and every broken field is named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "base/json.h"
#include "berth/bundle.h"
#include "berth/error.h"

namespace berth::bundle {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

Manifest example() {
  Manifest manifest;
  manifest.task = "text-classification";
  manifest.family = "bert";
  manifest.architecture = "BertForSequenceClassification";
  manifest.problem_type = "single_label_classification";
  manifest.labels = {"neg", "pos \"quoted\" é"};
  manifest.opset = 17;
  manifest.ir_version = 8;
  manifest.max_tokens = 40;
  manifest.inputs = {{"input_ids", graph::ElementType::i64, {{"batch_size", "sequence_length"}}}};
  manifest.outputs = {{"logits", graph::ElementType::f32, {{"batch_size", std::int64_t{2}}}}};
  manifest.files = {{"model.onnx", 12, std::string(64, 'a')}};
  manifest.source_sha256 = std::string(64, 'b');
  manifest.tool_version = "0.1.0";
  manifest.runtime_version = "1.32.0";
  manifest.verification = Verification{12, 1e-4, {{"logits", 3e-7, 1.25e-7}}, 2e-7};
  return manifest;
}

class ManifestFile : public ::testing::Test {
 protected:
  std::filesystem::path write(const std::string& content) {
    const auto path = folder_.path() / ("manifest-" + std::to_string(++written_) + ".json");
    write_new_file(path, content);
    return path;
  }

  // The error of reading the example with one field changed.
  std::string error_with(const std::string& pointer, const json::Value& value) {
    json::Value document = json::parse(to_json(example()), "example");
    document[json::Value::json_pointer(pointer)] = value;
    try {
      (void)read_manifest(write(document.dump()));
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

 private:
  TemporaryFolder folder_;
  int written_ = 0;
};

TEST_F(ManifestFile, ReadsBackWhatWasWritten) {
  const std::string text = to_json(example());
  EXPECT_EQ(to_json(read_manifest(write(text))), text);
}

TEST_F(ManifestFile, KeepsTheDigitsOfTheVerification) {
  const Manifest read = read_manifest(write(to_json(example())));
  ASSERT_TRUE(read.verification);
  EXPECT_EQ(read.verification->outputs[0].mean, 1.25e-7);
  EXPECT_EQ(read.outputs[0].shape->at(1), graph::Dimension(std::int64_t{2}));
}

TEST_F(ManifestFile, NamesTheFieldThatIsBroken) {
  EXPECT_THAT(error_with("/task", 5), AllOf(HasSubstr("task"), HasSubstr("is 5, expected a string")));
  EXPECT_THAT(error_with("/limits", json::Value::object()), HasSubstr("limits: has no field \"max_tokens\""));
  EXPECT_THAT(error_with("/limits/max_tokens", 0), HasSubstr("expected 1 or more"));
  EXPECT_THAT(error_with("/inputs/0/type", "float99"), HasSubstr("inputs[0]: type: is \"float99\""));
  EXPECT_THAT(error_with("/inputs/0/shape/0", 1.5), HasSubstr("holds 1.5, expected a size or a name"));
  EXPECT_THAT(error_with("/labels/0", 1), HasSubstr("labels"));
  EXPECT_THAT(error_with("/files/0/size", -1), HasSubstr("is negative"));
}

TEST_F(ManifestFile, RefusesFilesOutsideTheBundle) {
  for (const char* const name : {"../secret", "/etc/passwd", "a/b", "..", ""}) {
    EXPECT_THAT(error_with("/files/0/name", name), HasSubstr("expected the name of a file in the bundle's own folder"))
        << name;
  }
}

TEST_F(ManifestFile, SaysThatALaterSchemaNeedsALaterBerth) {
  EXPECT_THAT(error_with("/schema", 2), HasSubstr("is 2, this berth reads 1"));
}

}  // namespace
}  // namespace berth::bundle
