// SPDX-License-Identifier: MIT
#include "tensor/mask.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "support/errors.hpp"
#include "support/tensors.hpp"

namespace maskflow {
namespace {

using test::bools;
using test::fails_with;
using test::floats;
using test::ints;
using test::mask_of;
using test::same_bits;

TEST(Mask, PlanIsCompiledOnceForEachDirection) {
  const MaskPtr mask = mask_of({2, 3}, {1, 1, 0, 1, 0, 0});
  const auto forwards = mask->plan(2, 3, false);
  const auto backwards = mask->plan(2, 3, true);
  EXPECT_NE(forwards, backwards);
  EXPECT_EQ(mask->plan(2, 3, false), forwards);
  EXPECT_EQ(mask->plan(2, 3, true), backwards);
}

TEST(Mask, TrailingAxisOfSizeOneIsAccepted) {
  const auto plan = mask_of({1, 3, 1}, {0, 1, 1})->plan(1, 3, false);
  EXPECT_EQ(plan->source, (std::vector<std::int32_t>{1, 2}));
}

TEST(Mask, MaskOfOneRowAppliesToAllRows) {
  const MaskPtr mask = mask_of({1, 2}, {0, 1});
  EXPECT_EQ(mask->plan(3, 2, false)->source, (std::vector<std::int32_t>{1, 3, 5}));
  EXPECT_EQ(mask->plan(1, 2, false)->source, (std::vector<std::int32_t>{1}));
  EXPECT_EQ(mask->plan(0, 2, false)->rows(), 0);
}

TEST(Mask, OtherShapesAreErrorsWithBothShapes) {
  const auto refused = [](const Shape& shape, Dim batch, Dim time) {
    const std::vector<std::uint8_t> keep(static_cast<std::size_t>(shape.size()), 1);
    return fails_with(ErrorKind::kShape, {text(shape), text(Shape{batch, time}), "(batch, time)"},
                      [&] { static_cast<void>(mask_of(shape, keep)->plan(batch, time, false)); });
  };
  EXPECT_TRUE(refused({2, 4}, 2, 3));
  EXPECT_TRUE(refused({3, 3}, 2, 3));
  EXPECT_TRUE(refused({3}, 3, 3));
  EXPECT_TRUE(refused({2, 3, 2}, 2, 3));
  EXPECT_TRUE(refused({1, 4}, 2, 3));
  EXPECT_TRUE(refused({}, 1, 1));
}

TEST(Mask, NonZeroValuesOfAnyDtypeKeep) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Tensor keep = bools({5}, {1, 0, 1, 0, 1});
  EXPECT_TRUE(same_bits(make_mask(floats({5}, {0.3F, 0, -1, -0.0F, nan}))->values(), keep));
  EXPECT_TRUE(same_bits(make_mask(ints({5}, {1, 0, -7, 0, 2}))->values(), keep));
  EXPECT_EQ(make_mask(Tensor()), nullptr);
}

TEST(Mask, IsAttachedToItsTensorOnly) {
  const Tensor plain = floats({1, 2}, {1, 2});
  const Tensor x = plain.with_mask(mask_of({1, 2}, {1, 0}));
  EXPECT_EQ(plain.mask(), nullptr);
  EXPECT_EQ(Tensor(x).mask(), x.mask());
  EXPECT_EQ(x.reshaped({2}).mask(), nullptr);
  EXPECT_EQ(x.raw(), plain.raw());
  // A mask tensor has no mask itself.
  EXPECT_EQ(make_mask(bools({1, 2}, {1, 1}).with_mask(x.mask()))->values().mask(), nullptr);
  EXPECT_TRUE(any_mask(masks_of(std::vector<Tensor>{plain, x})));
  EXPECT_FALSE(any_mask(masks_of(std::vector<Tensor>{plain, plain})));
}

}  // namespace
}  // namespace maskflow
