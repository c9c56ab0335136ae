// The safetensors reader: what it reads, and one sentence for each way in which a file can be wrong.
#include "checkpoint/safetensors.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <map>

#include "base/file.h"
#include "base/mapped_file.h"
#include "checkpoint/allocation_peak.h"
#include "checkpoint/support.h"
#include "support/paths.h"

namespace berth::checkpoint {
namespace {

using test::bytes_of;
using test::expect_error;
using test::safetensors_of;
using testing::ElementsAre;

std::vector<double> values_of(const TensorView& view) {
  const std::int64_t count = element_count(view.shape);
  std::vector<double> values(static_cast<std::size_t>(count));
  widen(view, 0, count, values.data());
  return values;
}

struct Loaded {
  MappedFile file;
  std::map<std::string, TensorView> tensors;
};

Loaded load_case(const std::string& name) {
  Loaded loaded{MappedFile(berth::test::data("cases/st/" + name + ".safetensors")), {}};
  for (auto& tensor : read_safetensors(loaded.file.bytes(), name).tensors) loaded.tensors[tensor.name] = tensor.view;
  return loaded;
}

void read_header(const std::string& header, const std::string& data = {}) {
  const std::string file = safetensors_of(header, data);
  (void)read_safetensors(bytes_of(file), "m");
}

TEST(Safetensors, ReadsTensorsAsViewsOnTheFile) {
  const Loaded loaded = load_case("ok");
  ASSERT_EQ(loaded.tensors.size(), 1U);
  const TensorView& a = loaded.tensors.at("a");
  EXPECT_EQ(a.dtype, DType::f32);
  EXPECT_THAT(a.shape, ElementsAre(2, 2));
  EXPECT_THAT(values_of(a), ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(a.data.data(), loaded.file.bytes().data() + loaded.file.bytes().size() - 16);
}

TEST(Safetensors, ReadsDataAtAnOddAddress) {
  const Loaded loaded = load_case("unaligned_header");
  EXPECT_THAT(values_of(loaded.tensors.at("abc")), ElementsAre(1, 2, 3, 4));
}

TEST(Safetensors, ReadsScalarsAndEmptyTensors) {
  const Loaded loaded = load_case("scalar_and_empty");
  EXPECT_THAT(loaded.tensors.at("s").shape, testing::IsEmpty());
  EXPECT_THAT(values_of(loaded.tensors.at("s")), ElementsAre(-7));
  EXPECT_THAT(loaded.tensors.at("z").shape, ElementsAre(0, 4));
  EXPECT_TRUE(loaded.tensors.at("z").data.empty());
}

TEST(Safetensors, ReadsAFileOfMetadataOnly) {
  const MappedFile file(berth::test::data("cases/st/metadata_only.safetensors"));
  const Safetensors read = read_safetensors(file.bytes(), "m");
  EXPECT_TRUE(read.tensors.empty());
  EXPECT_THAT(read.metadata, ElementsAre(testing::Pair("format", "pt")));
}

TEST(Safetensors, WidensHalfPrecisionExactly) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const Loaded loaded = load_case("half");
  const auto bf = values_of(loaded.tensors.at("bf"));
  EXPECT_THAT(bf, ElementsAre(1, 3.140625, -0.5, 9.183549615799121e-41, kInfinity, 0));
  EXPECT_TRUE(std::signbit(bf[5]));
  const auto hf = values_of(loaded.tensors.at("hf"));
  EXPECT_THAT(hf, ElementsAre(1, 3.140625, -0.5, 5.960464477539063e-08, 65504, 0));
  EXPECT_TRUE(std::signbit(hf[5]));
}

TEST(Safetensors, KnowsEveryElementTypeOfItsTable) {
  for (std::uint8_t i = 0; i <= static_cast<std::uint8_t>(DType::boolean); ++i) {
    const auto dtype = static_cast<DType>(i);
    const std::string size = std::to_string(size_of(dtype));
    const std::string file = safetensors_of(
        R"({"t":{"dtype":")" + std::string(name_of(dtype)) + R"(","shape":[1],"data_offsets":[0,)" + size + "]}}",
        std::string(size_of(dtype), '\0'));
    EXPECT_EQ(read_safetensors(bytes_of(file), "m").tensors.at(0).view.dtype, dtype);
  }
}

TEST(Safetensors, TakesTheFieldsOfATensorInAnyOrderAndWithSpaces) {
  const std::string file =
      safetensors_of("{ \"t\" :\n{\"data_offsets\": [0, 1 ],\t\"shape\":[ 1 ], \"dtype\":\"U8\"} } \n ", "x");
  EXPECT_EQ(read_safetensors(bytes_of(file), "m").tensors.at(0).name, "t");
}

TEST(Safetensors, ReturnsTensorsInOrderOfName) {
  const std::string file = safetensors_of(
      R"({"b":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})",
      "xy");
  const auto tensors = read_safetensors(bytes_of(file), "m").tensors;
  EXPECT_EQ(tensors.at(0).name, "a");
  EXPECT_EQ(std::to_integer<char>(tensors.at(0).view.data[0]), 'y');
  EXPECT_EQ(tensors.at(1).name, "b");
}

TEST(Safetensors, DecodesEscapesInNames) {
  const std::string file =
      safetensors_of(R"({"a\u0000\n\"\u00e9\ud83d\ude00":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}})");
  EXPECT_EQ(read_safetensors(bytes_of(file), "m").tensors.at(0).name,
            std::string("a\0\n\"\xC3\xA9\xF0\x9F\x98\x80", 10));
}

TEST(Safetensors, FindsANameThatIsThereTwiceInTwoSpellings) {
  const std::string empty_tensor = R"({"dtype":"U8","shape":[0],"data_offsets":[0,0]})";
  expect_error([&] { read_header(R"({"a":)" + empty_tensor + R"(,"\u0061":)" + empty_tensor + "}"); },
               ErrorKind::invalid_input, {"m: a", "twice"});
}

struct BrokenCase {
  const char* name;
  ErrorKind kind;
  std::initializer_list<std::string_view> words;
};

TEST(Safetensors, SaysWhatIsWrongWithEachBrokenFile) {
  const std::initializer_list<BrokenCase> cases{
      {"truncated_data",
       ErrorKind::invalid_input,
       {"truncated_data:", "11 bytes", "16", "the end of the file is missing", "download"}},
      {"trailing_bytes", ErrorKind::invalid_input, {"20 bytes", "16", "belong to none"}},
      {"header_longer_than_file", ErrorKind::invalid_input, {"header has 5000 bytes", "only 80 follow", "cut off"}},
      {"header_huge", ErrorKind::invalid_input, {"header has 1099511627776 bytes", "at most 100000000"}},
      {"header_not_json", ErrorKind::invalid_input, {"not valid JSON"}},
      {"overlap",
       ErrorKind::invalid_input,
       {"overlap: b", "[8, 16]", "overlap the tensor before", "expected to begin at 16"}},
      {"hole", ErrorKind::invalid_input, {"hole: b", "[12, 16]", "leave a hole", "expected to begin at 8"}},
      {"shape_size_mismatch", ErrorKind::invalid_input, {"mismatch: a", "[3, 2] of F32", "24 bytes", "hold 16"}},
      {"shape_overflow", ErrorKind::limit, {"overflow: a", "[4294967296, 4294967296, 4]", "64 bits"}},
      {"unknown_dtype", ErrorKind::unsupported, {"dtype: a", "\"F99\"", "F64, F32, F16, BF16", "BOOL"}},
      {"negative_offset", ErrorKind::invalid_input, {"offset: a", "data_offsets", "-16"}},
      {"dup_key", ErrorKind::invalid_input, {"dup_key: a", "twice"}},
      {"empty", ErrorKind::invalid_input, {"is empty"}},
      {"lfs_pointer", ErrorKind::invalid_input, {"Git LFS pointer", "git lfs pull"}},
      {"html_error", ErrorKind::invalid_input, {"an HTML page", "download"}},
  };
  for (const BrokenCase& broken : cases) {
    SCOPED_TRACE(broken.name);
    expect_error([&] { (void)load_case(broken.name); }, broken.kind, broken.words);
  }
}

TEST(Safetensors, SaysWhatIsWrongWithEachBrokenHeader) {
  const std::string good = R"("dtype":"U8","shape":[1],"data_offsets":[0,1])";
  struct Row {
    std::string header;
    ErrorKind kind;
    std::initializer_list<std::string_view> words;
  };
  const std::initializer_list<Row> rows{
      {"", ErrorKind::invalid_input, {"begins with zeros"}},
      {"   ", ErrorKind::invalid_input, {"does not begin with {"}},
      {"[]", ErrorKind::invalid_input, {"does not begin with {"}},
      {R"({"t":1})", ErrorKind::invalid_input, {"m: t", "is 1", "an object"}},
      {R"({"t":null})", ErrorKind::invalid_input, {"is null"}},
      {R"({"t":{"dtype":"U8","shape":[1]}})", ErrorKind::invalid_input, {"m: t", "no data_offsets"}},
      {R"({"t":{"dtype":"U8","data_offsets":[0,1]}})", ErrorKind::invalid_input, {"m: t", "no shape"}},
      {R"({"t":{"shape":[1],"data_offsets":[0,1]}})", ErrorKind::invalid_input, {"m: t", "no dtype"}},
      {R"({"t":{)" + good + R"(,"dtype":"I8"}})", ErrorKind::invalid_input, {"dtype twice"}},
      {R"({"t":{)" + good + R"(,"stride":[1]}})", ErrorKind::invalid_input, {"m: t: stride", "not a field"}},
      {R"({"t":{"dtype":8,"shape":[1],"data_offsets":[0,1]}})", ErrorKind::invalid_input, {"dtype is 8"}},
      {R"({"t":{"dtype":"F8_E4M3","shape":[1],"data_offsets":[0,1]}})", ErrorKind::unsupported, {"F8_E4M3", "BF16"}},
      {R"({"t":{"dtype":"U8","shape":1,"data_offsets":[0,1]}})", ErrorKind::invalid_input, {"shape is 1", "a list"}},
      {R"({"t":{"dtype":"U8","shape":[-1],"data_offsets":[0,1]}})", ErrorKind::invalid_input, {"shape holds -1"}},
      {R"({"t":{"dtype":"U8","shape":[1.0],"data_offsets":[0,1]}})", ErrorKind::invalid_input, {"shape holds 1.0"}},
      {R"({"t":{"dtype":"U8","shape":["1"],"data_offsets":[0,1]}})", ErrorKind::invalid_input, {"shape holds \"1\""}},
      {R"({"t":{"dtype":"U8","shape":[[1]],"data_offsets":[0,1]}})", ErrorKind::invalid_input, {"shape holds a list"}},
      {R"({"t":{"dtype":"U8","shape":[9223372036854775808],"data_offsets":[0,1]}})",
       ErrorKind::invalid_input,
       {"2^63"}},
      {R"({"t":{"dtype":"U8","shape":[99999999999999999999999],"data_offsets":[0,1]}})",
       ErrorKind::invalid_input,
       {"shape"}},
      {R"({"t":{"dtype":"U8","shape":[1],"data_offsets":[0]}})", ErrorKind::invalid_input, {"fewer than two"}},
      {R"({"t":{"dtype":"U8","shape":[1],"data_offsets":[0,1,2]}})", ErrorKind::invalid_input, {"more than two"}},
      {R"({"t":{"dtype":"U8","shape":[1],"data_offsets":[1,0]}})", ErrorKind::invalid_input, {"end before they begin"}},
      {R"({"t":{"dtype":"F64","shape":[2305843009213693952],"data_offsets":[0,0]}})", ErrorKind::limit, {"64 bits"}},
      {R"({"t":{)" + good + R"(}} {})", ErrorKind::invalid_input, {"header"}},
      {R"({"t":{)" + good + R"(}}})", ErrorKind::invalid_input, {"header"}},
      {R"({"t":{)" + good + R"(},})", ErrorKind::invalid_input, {"JSON"}},
      {R"({"__metadata__":[]})", ErrorKind::invalid_input, {"__metadata__", "is a list"}},
      {R"({"__metadata__":{"a":1}})", ErrorKind::invalid_input, {"__metadata__: a", "is 1", "a string"}},
      {R"({"__metadata__":{"a":"1","a":"2"}})", ErrorKind::invalid_input, {"__metadata__: a", "twice"}},
      {R"({"__metadata__":{},"__metadata__":{}})", ErrorKind::invalid_input, {"__metadata__", "twice"}},
      {"{\"\xFF\":{" + good + "}}", ErrorKind::invalid_input, {"UTF-8"}},
      {"{\"a\nb\":{" + good + "}}", ErrorKind::invalid_input, {"JSON"}},
      {R"({"\ud800":{)" + good + "}}", ErrorKind::invalid_input, {"JSON"}},
      {std::string("{\"a\0b\":{", 9) + good + "}}", ErrorKind::invalid_input, {"JSON"}},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.header);
    expect_error([&] { read_header(row.header, "x"); }, row.kind, row.words);
  }
}

TEST(Safetensors, CutsAnAbsurdlyLongNameInErrors) {
  const std::string name(100'000, 'n');
  try {
    read_header("{\"" + name + "\":1}");
    FAIL();
  } catch (const Error& error) {
    EXPECT_LT(std::string(error.what()).size(), 400U);
  }
  EXPECT_EQ(place_of("f", "a\x1B[31mb"), "f: a?[31mb");
  EXPECT_EQ(place_of("f", std::string(199, 'a') + "\xC3\xA9"), "f: " + std::string(199, 'a') + "…");
}

TEST(Safetensors, AllocatesNothingForWhatIsOnlyClaimed) {
  for (const char* name : {"header_huge", "header_longer_than_file", "shape_overflow"}) {
    test::reset_largest_allocation();
    EXPECT_THROW((void)load_case(name), Error);
    EXPECT_LT(test::largest_allocation(), 64U * 1024) << name;
  }
}

TEST(Safetensors, BoundsWhatAHeaderMakesItAllocate) {
  std::string many = "{";
  for (int i = 0; i < 20'000; ++i) {
    many += (i == 0 ? "\"" : ",\"") + std::to_string(i) + R"(":{"dtype":"U8","shape":[0],"data_offsets":[0,0]})";
  }
  const std::string deep = R"({"t":{"dtype":"U8","shape":)" + std::string(1'000'000, '[');
  const std::string ranks = R"({"t":{"dtype":"U8","data_offsets":[0,0],"shape":[0)" + std::string(500'000, ',') + "]}}";
  for (const std::string& file : {safetensors_of(many + "}"), safetensors_of(deep + "}}"), safetensors_of(ranks)}) {
    test::reset_largest_allocation();
    try {
      EXPECT_EQ(read_safetensors(bytes_of(file), "m").tensors.size(), 20'000U);
    } catch (const Error&) {
    }
    EXPECT_LT(test::largest_allocation(), 8 * file.size());
  }
}

TEST(Safetensors, LimitsTheNumberOfDimensions) {
  std::string shape = "[1";
  for (int i = 1; i < 65; ++i) shape += ",1";
  expect_error([&] { read_header(R"({"t":{"dtype":"U8","shape":)" + shape + R"(],"data_offsets":[0,1]}})", "x"); },
               ErrorKind::limit, {"m: t", "64 dimensions"});
}

}  // namespace
}  // namespace berth::checkpoint
