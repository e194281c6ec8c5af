// SPDX-License-Identifier: MIT
// Activation layers of integers: functions that only clip return integers.
#include <gtest/gtest.h>

#include "layers/core/input_layer.hpp"
#include "ops/ops.hpp"
#include "support/layers.hpp"

namespace maskflow {
namespace {

using test::bools;
using test::floats;
using test::ints;
using test::make;
using test::same_bits;

constexpr std::int32_t kLarge = 16'777'217;  // not a float32

Tensor activated(std::string_view function, const Tensor& x) {
  return (*make("Activation", {{"activation", std::string(function)}}))(x);
}

DType symbolic_dtype(Layer& layer, DType dtype) {
  const TensorSpec spec{{kUnknown, 4}, dtype};
  return layer(input_symbol(spec)).dtype();
}

TEST(Activation, KeepsIntegersThatAreOnlyClipped) {
  const Tensor x = ints({1, 4}, {-3, 0, 9, kLarge});
  EXPECT_TRUE(same_bits(activated("relu", x), ints({1, 4}, {0, 0, 9, kLarge})));
  EXPECT_TRUE(same_bits(activated("relu6", x), ints({1, 4}, {0, 0, 6, 6})));
  EXPECT_TRUE(same_bits(activated("hard_tanh", x), ints({1, 4}, {-1, 0, 1, 1})));
  EXPECT_TRUE(same_bits(activated("linear", x), x));
}

TEST(Activation, ReturnsFloatsOfIntegersOtherwise) {
  for (const char* const function : {"tanh", "sigmoid", "softmax", "elu", "leaky_relu"}) {
    EXPECT_EQ(activated(function, ints({1, 2}, {1, 2})).dtype(), DType::kFloat32) << function;
  }
}

TEST(Activation, ReturnsBoolsOnlyUnchanged) {
  const Tensor x = bools({1, 2}, {1, 0});
  EXPECT_TRUE(same_bits(activated("linear", x), x));
  EXPECT_TRUE(same_bits(activated("relu", x), floats({1, 2}, {1, 0})));
}

TEST(Activation, StatesTheDtypeOfItsResultInGraphs) {
  for (const char* const function : {"relu", "relu6", "hard_tanh", "linear", "tanh", "glu"}) {
    const LayerPtr layer = make("Activation", {{"activation", function}});
    for (const DType dtype : {DType::kFloat32, DType::kInt32, DType::kBool}) {
      const Tensor x = ops::cast(ints({1, 4}, {1, 0, 2, 3}), dtype);
      EXPECT_EQ(symbolic_dtype(*layer, dtype), (*layer)(x).dtype()) << function;
    }
  }
}

TEST(ReLU, RoundsItsSettingsForIntegers) {
  const Tensor x = ints({5}, {-3, 1, 2, 5, kLarge});
  const auto relu = [&](test::Entries config) { return (*make("ReLU", config))(x); };
  EXPECT_TRUE(same_bits(relu({}), ints({5}, {0, 1, 2, 5, kLarge})));
  EXPECT_TRUE(same_bits(relu({{"max_value", 2.5}}), ints({5}, {0, 1, 2, 2, 2})));
  EXPECT_TRUE(same_bits(relu({{"threshold", 1.5}}), ints({5}, {0, 0, 2, 5, kLarge})));
  EXPECT_EQ(relu({{"negative_slope", 0.5}}).dtype(), DType::kFloat32);
  EXPECT_EQ(symbolic_dtype(*make("ReLU", {}), DType::kInt32), DType::kInt32);
  EXPECT_EQ(symbolic_dtype(*make("Activation", {{"activation", "relu"}}), DType::kInt32),
            DType::kInt32);
}

}  // namespace
}  // namespace maskflow
