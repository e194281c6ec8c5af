// SPDX-License-Identifier: MIT
// Layers that compute each row by itself, after a layer that returns many equal rows: the results
// must equal those of a tensor that stores every row, and no distinct row may be omitted.
#include "layer/distinct_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/layers.hpp"
#include "support/recurrent.hpp"

namespace maskflow {
namespace {

using test::make;
using test::randomize;
using test::Rng;

constexpr int kWidth = 6;
constexpr std::size_t kCount = 5;

Tensor random_tensor(Rng& rng, const Shape& shape) {
  Tensor result(DType::kFloat32, shape);
  for (float& x : result.mutable_data<float>()) x = rng.real(1);
  return result;
}

// A tensor of 24 positions that look up five rows.
Tensor repeated(Rng& rng, const Shape& shape, const Tensor& table) {
  std::vector<std::int32_t> rows;
  for (Dim place = 0; place < shape.size() / kWidth; ++place) {
    rows.push_back(static_cast<std::int32_t>((rng.real(1) + 1) / 2 * (kCount - 1) + 0.5F));
  }
  return Tensor::looked_up(table.table(), rows, shape);
}

Tensor written_out(const Tensor& x) {
  const Tensor same = Tensor::looked_up(x.lookup()->table, x.lookup()->rows, x.shape());
  return Tensor::from<float>(x.shape(), same.data<float>());
}

Tensor run(Layer& layer, const Tensors& inputs) {
  Args args;
  args.inputs = inputs;
  args.list = inputs.size() > 1;
  return layer.apply(std::move(args)).front();
}

void expect_close(const Tensor& a, const Tensor& b) {
  ASSERT_EQ(a.shape(), b.shape());
  for (std::size_t i = 0; i < a.size(); ++i) {
    const float x = a.data<float>()[i];
    const float y = b.data<float>()[i];
    if (std::isnan(x) && std::isnan(y)) continue;
    ASSERT_NEAR(x, y, 2e-6F) << "element " << i;
  }
}

std::vector<LayerPtr> layers() {
  return {make("Dense", {{"units", 7}, {"activation", "softmax"}}), make("LayerNormalization", {}),
          make("RMSNormalization", {}), make("Activation", {{"activation", "gelu"}}),
          make("LeakyReLU", {})};
}

TEST(DistinctRows, ReturnTheResultsOfAllRows) {
  Rng rng(3);
  for (const Shape& shape : {Shape{24, kWidth}, Shape{4, 6, kWidth}, Shape{2, 3, 4, kWidth}}) {
    for (const LayerPtr& layer : layers()) {
      randomize(*layer, rng, shape);
      Tensor table = random_tensor(rng, {kCount, kWidth});
      table.mutable_data<float>()[3] = std::numeric_limits<float>::quiet_NaN();
      const Tensor x = repeated(rng, shape, table);
      const Tensor vectors = written_out(x);
      const Tensor result = run(*layer, {x});
      ASSERT_NE(result.lookup(), nullptr) << layer->class_name();
      EXPECT_EQ(result.lookup()->rows, x.lookup()->rows);
      expect_close(result, run(*layer, {vectors}));
    }
  }
}

TEST(DistinctRows, AddToRowsWithTheSameLookup) {
  Rng rng(5);
  const Shape shape{4, 6, kWidth};
  const LayerPtr add = make("Add", {});
  const Tensor x = repeated(rng, shape, random_tensor(rng, {kCount, kWidth}));
  const Tensor same =
      Tensor::looked_up(random_tensor(rng, {kCount, kWidth}).table(), x.lookup()->rows, shape);
  const Tensor dense = written_out(same);
  for (const Tensors& inputs : {Tensors{x, same}, Tensors{x, dense}, Tensors{dense, x}}) {
    const Tensor result = run(*add, inputs);
    EXPECT_NE(result.lookup(), nullptr);
    expect_close(result, run(*add, {written_out(x), dense}));
  }
}

TEST(DistinctRows, OmitNothingWhereRowsDiffer) {
  Rng rng(7);
  const Shape shape{4, 6, kWidth};
  const LayerPtr add = make("Add", {});
  const Tensor x = repeated(rng, shape, random_tensor(rng, {kCount, kWidth}));
  const Tensor vectors = written_out(x);
  for (std::size_t place = 0; place < vectors.size(); ++place) {
    Tensor other = Tensor::from<float>(shape, vectors.data<float>());
    other.mutable_data<float>()[place] += 1;
    const Tensor fresh = Tensor::looked_up(x.lookup()->table, x.lookup()->rows, shape);
    expect_close(run(*add, {fresh, other}), run(*add, {vectors, other}));
  }
}

TEST(DistinctRows, AreUnusedWhenMostRowsDiffer) {
  Rng rng(9);
  const Tensor table = random_tensor(rng, {8, kWidth});
  std::vector<std::int32_t> rows{0, 1, 2, 3, 4, 5, 6, 7};
  EXPECT_FALSE(distinct_rows({Tensor::looked_up(table.table(), rows, {2, 4, kWidth})}));
  rows.insert(rows.end(), {0, 0, 0, 0});
  EXPECT_TRUE(distinct_rows({Tensor::looked_up(table.table(), rows, {3, 4, kWidth})}));
}

TEST(DistinctRows, AreUnusedForOtherShapes) {
  Rng rng(11);
  const Tensor x = repeated(rng, {4, 6, kWidth}, random_tensor(rng, {kCount, kWidth}));
  EXPECT_FALSE(distinct_rows({x, random_tensor(rng, {4, 1, kWidth})}));
  EXPECT_FALSE(distinct_rows({x.reshaped({4, 6, 2, 3})}));
  EXPECT_FALSE(distinct_rows({random_tensor(rng, {4, 6, kWidth})}));
  const LayerPtr along_time = make("LayerNormalization", {{"axis", 1}});
  randomize(*along_time, rng, {4, 6, kWidth});
  EXPECT_EQ(run(*along_time, {x}).lookup(), nullptr);
}

// Attention over masked rows returns equal rows; the block after it must compute what it computes
// when every row is stored.
TEST(DistinctRows, CarryABlockOfLayersOverPadding) {
  Rng rng(13);
  const Shape shape{3, 16, kWidth};
  const LayerPtr attention = make("MultiHeadAttention", {{"num_heads", 2}, {"key_dim", 3}});
  const LayerPtr add = make("Add", {});
  const LayerPtr norm = make("LayerNormalization", {});
  const LayerPtr dense = make("Dense", {{"units", kWidth}, {"activation", "relu"}});
  Tensor keep(DType::kBool, {3, 16});
  Tensor x = random_tensor(rng, shape);
  for (int place = 0; place < 48; ++place) {
    const bool kept = place % 16 < 3 + 4 * (place / 16);
    keep.mutable_data<std::uint8_t>()[static_cast<std::size_t>(place)] = kept ? 1 : 0;
    for (int i = 0; i < kWidth && !kept; ++i) {
      x.mutable_data<float>()[static_cast<std::size_t>(place * kWidth + i)] = 0;
    }
  }
  const auto attended = [&] {
    // The layer removes the mask of its arguments.
    const Tensor masked = x.with_mask(make_mask(keep));
    Args args;
    args.inputs = {masked};
    args.tensors.push_back({"value", {masked}});
    return attention->apply(std::move(args)).front();
  };
  const auto block = [&](const Tensor& from) {
    const Tensor normed = run(*norm, {run(*add, {x, from})});
    return run(*add, {normed, run(*dense, {normed})});
  };
  static_cast<void>(block(attended()));
  for (const LayerPtr& layer : {attention, norm, dense}) randomize(*layer, rng, shape);
  const Tensor first = attended();
  ASSERT_NE(first.lookup(), nullptr);
  const Tensor result = block(first);
  ASSERT_NE(result.lookup(), nullptr);
  const Tensor plain = attended();
  static_cast<void>(plain.data<float>());
  ASSERT_EQ(plain.lookup(), nullptr);
  expect_close(result, block(plain));
}

}  // namespace
}  // namespace maskflow
