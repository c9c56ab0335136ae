// Activations against Transformers' ACT2FN in float64 (4.57.6, torch 2.15.0).
#include "encoder/reference_activation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>

#include "berth/error.h"
#include "encoder/activations.h"

namespace berth::encoder::reference {
namespace {

constexpr std::array<double, 4> kInputs{-2.7, -0.5, 0.75, 11.0};

const std::map<std::string_view, std::array<double, 4>> kExpected{
    {"gelu", {-0.00936082926820982, -0.15426876936299344, 0.58002948571734891, 11}},
    {"gelu_python", {-0.00936082926820982, -0.15426876936299344, 0.5800294857173488, 11}},
    {"gelu_10", {-0.00936082926820982, -0.15426876936299344, 0.58002948571734891, 10}},
    {"gelu_new", {-0.0088875946394678836, -0.15428599017485606, 0.57996055516562028, 11}},
    {"gelu_fast", {-0.0088875946396496878, -0.15428599017516514, 0.57996055516504086, 11}},
    {"gelu_accurate", {-0.0088875946394678836, -0.15428599017485606, 0.57996055516562028, 11}},
    {"gelu_pytorch_tanh", {-0.0088875946394678836, -0.15428599017485606, 0.57996055516562028, 11}},
    {"gelu_python_tanh", {-0.0088875946394678836, -0.15428599017485606, 0.57996055516562028, 11}},
    {"quick_gelu", {-0.026992512621964639, -0.14961156339361989, 0.58639005753463791, 10.99999991861743}},
    {"relu", {0, 0, 0.75, 11}},
    {"silu", {-0.17002806135389051, -0.1887703343990727, 0.50938402438154473, 10.999816284359673}},
    {"swish", {-0.17002806135389051, -0.1887703343990727, 0.50938402438154473, 10.999816284359673}},
    {"mish", {-0.1753703754224569, -0.22074377465173001, 0.61001833521829341, 10.999999993863375}},
    {"sigmoid", {0.062973356056996485, 0.37754066879814541, 0.67917869917539297, 0.99998329857815205}},
    {"tanh", {-0.9910074536781176, -0.46211715726000979, 0.6351489523872873, 0.99999999944210638}},
};

TEST(ReferenceActivation, GivesTheValuesOfTransformers) {
  for (const std::string_view name : activation_names()) {
    ASSERT_TRUE(kExpected.contains(name)) << name;
    const Activation activation = activation_named(name, "config.json");
    for (std::size_t i = 0; i < kInputs.size(); ++i) {
      // gelu_fast's constant is rounded to ten digits there.
      EXPECT_NEAR(activation(kInputs[i]), kExpected.at(name)[i], 2e-12) << name << " of " << kInputs[i];
    }
  }
  EXPECT_EQ(activation_names().size(), kExpected.size());
}

TEST(ReferenceActivation, KnowsWhatTheGraphKnows) {
  std::vector<std::string_view> exported;
  for (const ActivationRow& row : activations()) exported.push_back(row.name);
  EXPECT_THAT(activation_names(), testing::UnorderedElementsAreArray(exported));
}

TEST(ReferenceActivation, StaysFiniteFarFromZero) {
  for (const std::string_view name : activation_names()) {
    const Activation activation = activation_named(name, "config.json");
    for (const double x : {-1e6, -800.0, 800.0, 1e6}) EXPECT_TRUE(std::isfinite(activation(x))) << name << " of " << x;
  }
}

TEST(ReferenceActivation, NamesTheUnknownAndTheKnown) {
  try {
    static_cast<void>(activation_named("gelu_old", "config.json"));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::unsupported);
    EXPECT_THAT(error.what(), testing::HasSubstr("config.json: hidden_act: is \"gelu_old\""));
    EXPECT_THAT(error.what(), testing::HasSubstr("gelu_new"));
  }
}

}  // namespace
}  // namespace berth::encoder::reference
