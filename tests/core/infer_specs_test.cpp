// SPDX-License-Identifier: MIT
// Inferred shapes where a known dimension meets an unknown one, and the results of such calls.
#include <gtest/gtest.h>

#include "ops/ops.hpp"
#include "support/errors.hpp"
#include "support/graphs.hpp"

namespace maskflow {
namespace {

using test::fails_with;
using test::functional;
using test::input;
using test::make;

Shape joined(const Shape& a, const Shape& b, int axis) {
  return ops::concatenate(Tensors{input(a), input(b)}, axis).shape();
}

TEST(InferSpecs, UnknownDimensionsMatchKnownOnes) {
  const auto sum = [](const Shape& a, const Shape& b) {
    return ops::add(input(a), input(b)).shape();
  };
  EXPECT_EQ(sum({kUnknown, 4, 3}, {kUnknown, kUnknown, 3}), (Shape{kUnknown, 4, 3}));
  EXPECT_EQ(sum({kUnknown, kUnknown, 3}, {2, 4, 1}), (Shape{2, 4, 3}));
  EXPECT_EQ(sum({kUnknown, 5}, {7, kUnknown, kUnknown}), (Shape{7, kUnknown, 5}));
  EXPECT_EQ(sum({kUnknown, 1, 3}, {kUnknown, kUnknown, 3}), (Shape{kUnknown, kUnknown, 3}));
  EXPECT_EQ(joined({kUnknown, 4, 3}, {kUnknown, kUnknown, 2}, -1), (Shape{kUnknown, 4, 5}));
  EXPECT_EQ(joined({kUnknown, 4, 3}, {2, kUnknown, 3}, 1), (Shape{2, kUnknown, 3}));
}

TEST(InferSpecs, UnknownInnerDimensionsOfAProductMatch) {
  const auto product = [](const Shape& a, const Shape& b) {
    return ops::matmul(input(a), input(b)).shape();
  };
  EXPECT_EQ(product({kUnknown, 4, 3}, {kUnknown, kUnknown, 5}), (Shape{kUnknown, 4, 5}));
  EXPECT_EQ(product({kUnknown, 4, kUnknown}, {kUnknown, 3, 5}), (Shape{kUnknown, 4, 5}));
}

TEST(InferSpecs, SlicesOfUnknownAxesAreUnknown) {
  const auto slice = [](const Shape& shape, double start) {
    const Tensor x = input(shape);
    return apply_op1("Slice", {&x, 1},
                     test::dict({{"start_indices", test::list({0, start})},
                                 {"shape", test::list({-1, -1})}}))
        .shape();
  };
  EXPECT_EQ(slice({kUnknown, 4}, 1), (Shape{kUnknown, 3}));
  EXPECT_EQ(slice({kUnknown, 4}, 4), (Shape{kUnknown, 0}));
  // The second start is larger than the first sizes that stand in for unknown ones.
  for (const double start : {0.0, 100.0}) {
    EXPECT_EQ(slice({3, kUnknown}, start), (Shape{3, kUnknown}));
  }
  EXPECT_TRUE(fails_with(ErrorKind::kShape, {"5 to", "axis 1", "(None, 4)"}, [&] {
    static_cast<void>(slice({kUnknown, 4}, 5));
  }));
}

TEST(InferSpecs, ErrorsQuoteTheOriginalShapes) {
  EXPECT_TRUE(fails_with(ErrorKind::kShape, {"(None, 4, 3)", "(None, None, 2)"}, [] {
    static_cast<void>(ops::add(input({kUnknown, 4, 3}), input({kUnknown, kUnknown, 2})));
  }));
}

TEST(InferSpecs, MasksOfMergedTensorsMatch) {
  const Tensor a = input({kUnknown, 4, 3});
  const Tensor b = input({2, kUnknown, 3});
  for (const char* name : {"Add", "Multiply", "Maximum", "Concatenate"}) {
    const LayerPtr masking = make("Masking", {});
    const LayerPtr merge = make(name, {});
    Args args;
    args.inputs = {(*masking)(a), (*make("Masking", {}))(b)};
    args.list = true;
    const Tensor merged = merge->apply(args).front();
    ASSERT_NE(merged.mask(), nullptr) << name;
    EXPECT_EQ(merged.mask()->shape(), (Shape{2, 4})) << name;
    const auto model = functional({a, b}, {merged});
    const Tensor one = test::floats({2, 4, 3}, std::vector<float>(24, 1));
    const Tensors outputs = test::run(*model, {one, one});
    EXPECT_EQ(outputs.front().mask()->shape(), (Shape{2, 4})) << name;
  }
}

}  // namespace
}  // namespace maskflow
