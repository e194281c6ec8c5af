// SPDX-License-Identifier: MIT
// Layers that merge a list of tensors: masks, shapes and invalid arguments.
#include <gtest/gtest.h>

#include "support/errors.hpp"
#include "support/graphs.hpp"

namespace maskflow {
namespace {

using test::fails_with;
using test::floats;
using test::list;
using test::make;
using test::mask_of;
using test::masked;
using test::random_floats;
using test::random_keep;
using test::Rng;
using test::same_bits;
using test::same_mask;

Tensor merge(const LayerPtr& layer, Tensors inputs) {
  Args args;
  args.inputs = std::move(inputs);
  args.list = true;
  return layer->apply(std::move(args)).front();
}
Tensor merge(std::string_view class_name, Tensors inputs) {
  return merge(make(class_name, {}), std::move(inputs));
}

TEST(Merge, EachLayerTreatsMaskedStepsByItsRule) {
  const Tensor a = masked(floats({1, 4, 1}, {2, 3, 4, 5}), {1, 1, 0, 0});
  const Tensor b = masked(floats({1, 4, 1}, {5, 2, 3, 7}), {1, 0, 1, 0});
  EXPECT_TRUE(same_bits(merge("Add", {a, b}), floats({1, 4, 1}, {7, 5, 7, 12})));
  EXPECT_TRUE(same_bits(merge("Subtract", {a, b}), floats({1, 4, 1}, {-3, 1, 1, -2})));
  EXPECT_TRUE(same_bits(merge("Average", {a, b}), floats({1, 4, 1}, {3.5, 2.5, 3.5, 6})));
  EXPECT_TRUE(same_bits(merge("Multiply", {a, b}), floats({1, 4, 1}, {10, 3, 3, 0})));
  EXPECT_TRUE(same_bits(merge("Maximum", {a, b}), floats({1, 4, 1}, {5, 3, 3, 5})));
  EXPECT_TRUE(same_bits(merge("Minimum", {a, b}), floats({1, 4, 1}, {2, 3, 3, 5})));
  const Tensor plain = b.with_mask(nullptr);
  EXPECT_TRUE(same_bits(merge("Multiply", {a, plain}), floats({1, 4, 1}, {10, 6, 3, 7})));
  for (const char* name : {"Add", "Subtract", "Average", "Multiply", "Maximum", "Minimum"}) {
    SCOPED_TRACE(name);
    EXPECT_TRUE(same_mask(merge(name, {a, b}).mask(), mask_of({1, 4}, {1, 1, 1, 0})));
    EXPECT_EQ(merge(name, {a, plain}).mask(), nullptr);
    // A mask shared by all inputs stays the same object, with its compiled plan.
    EXPECT_EQ(merge(name, {a, floats({1, 4, 1}, {1, 1, 1, 1}).with_mask(a.mask())}).mask(),
              a.mask());
  }
}

TEST(Merge, SumOfMaximumAndMinimumEqualsTheSum) {
  for (int seed = 0; seed < 50; ++seed) {
    Rng rng(static_cast<std::uint64_t>(seed));
    SCOPED_TRACE(rng.trace());
    const Shape shape{2, rng.integer(1, 5), rng.integer(1, 20)};
    const Tensor a = random_floats(rng, shape);
    const Tensor b = random_floats(rng, shape);
    EXPECT_TRUE(same_bits(merge("Add", {merge("Maximum", {a, b}), merge("Minimum", {a, b})}),
                          merge("Add", {a, b})));
    EXPECT_TRUE(test::close(merge("Average", {a, a, a}), a));
  }
}

TEST(Merge, SymbolicShapesEqualTheShapesOfResults) {
  const Tensor a = test::input({kUnknown, kUnknown, 4});
  const Tensor b = test::input({kUnknown, 3, 1});
  EXPECT_EQ(merge("Add", {a, b}).shape(), (Shape{kUnknown, 3, 4}));
  EXPECT_EQ(merge("Average", {a, test::input({kUnknown, 4})}).shape(),
            (Shape{kUnknown, kUnknown, 4}));
  EXPECT_EQ(merge("Concatenate", {a, b.with_mask(nullptr), a}).rank(), 3);
  EXPECT_EQ(merge(make("Concatenate", {{"axis", 1}}), {a, test::input({2, 3, 4})}).shape(),
            (Shape{2, kUnknown, 4}));
  EXPECT_EQ(
      merge(make("Dot", {{"axes", list({2, 1})}}), {a, test::input({kUnknown, 4, 5, 6})}).shape(),
      (Shape{kUnknown, kUnknown, 5, 6}));
}

TEST(Merge, RejectsIncompatibleInputs) {
  const Tensor x = Tensor::zeros(DType::kFloat32, {2, 3, 4});
  EXPECT_TRUE(fails_with(ErrorKind::kValue, {"Add", "list"}, [&] { (*make("Add", {}))(x); }));
  EXPECT_TRUE(fails_with(ErrorKind::kValue, {"Subtract", "2", "3"}, [&] {
    merge("Subtract", {x, x, x});
  }));
  EXPECT_TRUE(fails_with(ErrorKind::kShape, {"(2, 3, 4)", "(2, 2, 4)"}, [&] {
    merge("Maximum", {x, Tensor::zeros(DType::kFloat32, {2, 2, 4})});
  }));
  EXPECT_TRUE(fails_with(ErrorKind::kShape, {"batch sizes", "2", "3"}, [&] {
    merge("Add", {x, Tensor::zeros(DType::kFloat32, {3, 3, 4})});
  }));
  EXPECT_TRUE(fails_with(ErrorKind::kShape, {"(2, 2, 4)", "axis 2"}, [&] {
    merge("Concatenate", {x, Tensor::zeros(DType::kFloat32, {2, 2, 4})});
  }));
  EXPECT_TRUE(fails_with(ErrorKind::kConfig, {"axis 0", "batch"}, [&] {
    merge(make("Dot", {{"axes", 0}}), {x, x});
  }));
  EXPECT_TRUE(fails_with(ErrorKind::kShape, {"size 3", "4", "equal"}, [&] {
    merge(make("Dot", {{"axes", list({1, 2})}}), {x, x});
  }));
  EXPECT_TRUE(fails_with(ErrorKind::kValue, {"2", "1"}, [&] {
    merge(make("Dot", {{"axes", 1}}), {x});
  }));
  EXPECT_TRUE(fails_with(ErrorKind::kConfig, {"axes", "3"}, [] {
    static_cast<void>(make("Dot", {{"axes", list({1, 2, 3})}}));
  }));
}

TEST(Merge, DotIsASumOfProducts) {
  Rng rng(5);
  const Tensor a = random_floats(rng, {2, 3, 4, 5});
  const Tensor b = random_floats(rng, {2, 6, 4});
  const Tensor result = merge(make("Dot", {{"axes", list({2, -1})}}), {a, b});
  ASSERT_EQ(result.shape(), (Shape{2, 3, 5, 6}));
  for (std::size_t n = 0; n < 2; ++n) {
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 5; ++j) {
        for (std::size_t k = 0; k < 6; ++k) {
          double sum = 0;
          for (std::size_t d = 0; d < 4; ++d) {
            sum += a.data<float>()[((n * 3 + i) * 4 + d) * 5 + j] *
                   b.data<float>()[(n * 6 + k) * 4 + d];
          }
          EXPECT_NEAR(result.data<float>()[((n * 3 + i) * 5 + j) * 6 + k], sum, 1e-5);
        }
      }
    }
  }
}

TEST(Concatenate, FeatureAxisKeepsASharedMask) {
  Rng rng(6);
  const Tensor a = masked(random_floats(rng, {2, 3, 4}), random_keep(rng, 2, 3));
  const Tensor b = random_floats(rng, {2, 3, 5}).with_mask(a.mask());
  EXPECT_EQ(merge("Concatenate", {a, b}).mask(), a.mask());
  EXPECT_TRUE(same_mask(merge("Concatenate", {a, b.with_mask(nullptr)}).mask(),
                        mask_of({2, 3}, {1, 1, 1, 1, 1, 1})));
}

TEST(Merge, RowsAreIndependentOfTheirBatch) {
  for (const char* name : {"Add", "Multiply", "Maximum", "Minimum", "Concatenate"}) {
    Rng rng(7);
    const std::vector<std::uint8_t> keep = random_keep(rng, 4, 3);
    const Tensor a = random_floats(rng, {4, 3, 5});
    const Tensor b = random_floats(rng, {4, 3, 5});
    const Tensor all = merge(name, {masked(a, keep), masked(b, std::vector<std::uint8_t>(12, 1))});
    const std::size_t width = all.size() / 4;
    for (std::size_t row = 0; row < 4; ++row) {
      const auto row_of = [&](const Tensor& x, std::size_t n) {
        return Tensor::from<float>({1, 3, static_cast<Dim>(n / 3)},
                                   x.data<float>().subspan(row * n, n));
      };
      const std::vector<std::uint8_t> row_keep(
          keep.begin() + static_cast<std::ptrdiff_t>(row * 3),
          keep.begin() + static_cast<std::ptrdiff_t>(row * 3 + 3));
      EXPECT_TRUE(same_bits(
          merge(name, {masked(row_of(a, 15), row_keep), masked(row_of(b, 15), {1, 1, 1})}),
          row_of(all, width)))
          << name << row;
    }
  }
}

}  // namespace
}  // namespace maskflow
