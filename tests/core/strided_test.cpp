// SPDX-License-Identifier: MIT
// Joining axes must not change which elements are visited, nor their order.
#include "ops/strided.hpp"

#include <gtest/gtest.h>

#include "support/random.hpp"

namespace maskflow {
namespace {

using test::Rng;

// The offsets of all elements of a view, in order.
std::vector<Dim> offsets_of(const Shape& shape, const Strides& strides) {
  std::vector<Dim> offsets{0};
  for (int axis = 0; axis < shape.rank(); ++axis) {
    std::vector<Dim> next;
    for (const Dim offset : offsets) {
      for (Dim i = 0; i < shape[axis]; ++i) next.push_back(offset + i * strides[at(axis)]);
    }
    offsets = std::move(next);
  }
  return offsets;
}

// Returns the same offsets, row by row.
std::vector<Dim> offsets_by_rows(const Shape& shape, const Strides& strides) {
  std::vector<Dim> result;
  const Dim length = shape.rank() == 0 ? 1 : shape.back();
  const Dim step = shape.rank() == 0 ? 0 : strides[at(shape.rank() - 1)];
  for_each_row<1>(shape, {strides}, [&](const std::array<Dim, 1>& offsets) {
    for (Dim i = 0; i < length; ++i) result.push_back(offsets[0] + i * step);
  });
  return result;
}

Shape random_shape(Rng& rng) {
  Shape shape;
  for (int axis = rng.integer(0, 5); axis > 0; --axis) shape.push_back(rng.integer(1, 4));
  return shape;
}

// Strides of a contiguous tensor, some of which are 0, reversed or those of a larger tensor.
Strides random_strides(Rng& rng, const Shape& shape) {
  Strides strides = strides_of(shape);
  for (int axis = 0; axis < shape.rank(); ++axis) {
    Dim& stride = strides[at(axis)];
    if (rng.chance(0.3)) stride *= 2 * rng.integer(0, 1) - 1;
    if (rng.chance(0.3)) stride *= rng.integer(0, 2);
  }
  return strides;
}

TEST(JoinAxes, VisitsTheSameElementsInOrder) {
  Rng rng(21);
  for (int i = 0; i < 2000; ++i) {
    const Shape shape = random_shape(rng);
    const std::array<Strides, 2> strides{random_strides(rng, shape), random_strides(rng, shape)};
    std::array<Strides, 2> joined = strides;
    const Shape axes = join_axes(shape, joined);
    EXPECT_LE(axes.rank(), shape.rank());
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_EQ(offsets_by_rows(axes, joined[k]), offsets_of(shape, strides[k]));
    }
  }
}

TEST(JoinAxes, MakesRowsAsLongAsPossible) {
  const Shape shape{32, 50, 1, 8};
  const auto joined = [&](const Shape& other) {
    std::array<Strides, 2> strides{strides_of(shape), broadcast_strides(other, shape)};
    return join_axes(shape, strides);
  };
  EXPECT_EQ(joined(shape), (Shape{12800}));
  EXPECT_EQ(joined({}), (Shape{12800}));
  EXPECT_EQ(joined({32, 50, 1, 1}), (Shape{1600, 8}));
  EXPECT_EQ(joined({50, 1, 8}), (Shape{32, 400}));
}

}  // namespace
}  // namespace maskflow
