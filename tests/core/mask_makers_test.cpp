// SPDX-License-Identifier: MIT
// The layers that create masks, and the effect of padding on layers after them.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/recurrent.hpp"

namespace maskflow {
namespace {

using test::bools;
using test::call;
using test::floats;
using test::ints;
using test::Rng;
using test::same_bits;

constexpr int kSeeds = 100;
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(MaskMakers, EmbeddingLooksUpAndMasksZero) {
  for (int seed = 0; seed < kSeeds && !HasFailure(); ++seed) {
    Rng rng(3000 + static_cast<std::uint64_t>(seed));
    SCOPED_TRACE(rng.trace());
    const int size = rng.integer(1, 9);
    const int width = rng.integer(1, 7);
    const LayerPtr layer =
        test::make("Embedding", {{"input_dim", size}, {"output_dim", width}, {"mask_zero", true}});
    const Tensor ids =
        test::random_ints(rng, {rng.integer(1, 5), rng.integer(0, 6)}, -size, size - 1);
    test::randomize(*layer, rng, ids.shape());
    const Tensor result = (*layer)(ids);
    const Tensor table = layer->weights().front().variable->value();
    ASSERT_NE(result.mask(), nullptr);
    EXPECT_EQ(result.mask()->shape(), ids.shape());
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const int id = ids.data<std::int32_t>()[i];
      EXPECT_EQ(result.mask()->values().data<std::uint8_t>()[i], id != 0 ? 1 : 0);
      for (int k = 0; k < width; ++k) {
        const int row = id < 0 ? id + size : id;
        EXPECT_EQ(
            result.data<float>()[i * static_cast<std::size_t>(width) + static_cast<std::size_t>(k)],
            table.data<float>()[static_cast<std::size_t>(row * width + k)]);
      }
    }
  }
}

TEST(MaskMakers, EmbeddingComparesFloatsBeforeTruncating) {
  const LayerPtr layer =
      test::make("Embedding", {{"input_dim", 3}, {"output_dim", 1}, {"mask_zero", true}});
  Rng rng(1);
  test::randomize(*layer, rng, {1, 4});
  const Tensor result = (*layer)(floats({1, 4}, {0, 0.5F, 1.9F, -0.0F}));
  EXPECT_TRUE(same_bits(result.mask()->values(), bools({1, 4}, {0, 1, 1, 0})));
  EXPECT_EQ(result.data<float>()[1], result.data<float>()[0]);
}

TEST(MaskMakers, EmbeddingWithoutMaskZeroHasNoMask) {
  const LayerPtr layer = test::make("Embedding", {{"input_dim", 3}, {"output_dim", 2}});
  EXPECT_EQ((*layer)(ints({1, 2}, {0, 1})).mask(), nullptr);
}

TEST(MaskMakers, MaskingComparesEveryFeatureExactly) {
  const LayerPtr layer = test::make("Masking", {});
  const Tensor x = floats({1, 5, 2}, {0, -0.0F,   // equal: -0 is 0
                                      0, 1e-45F,  // A denormal number is not 0.
                                      kNan, 0,    // NaN is not equal to any number.
                                      0, 0,       //
                                      3, 0});
  const Tensor result = (*layer)(x);
  EXPECT_TRUE(same_bits(result.mask()->values(), bools({1, 5}, {0, 1, 1, 0, 1})));
  // Keras multiplies by the mask, so -0 stays -0.
  EXPECT_TRUE(same_bits(result, floats({1, 5, 2}, {0, -0.0F, 0, 1e-45F, kNan, 0, 0, 0, 3, 0})));
}

TEST(MaskMakers, MaskingWithAnotherValueSetsThoseStepsToZero) {
  const LayerPtr layer = test::make("Masking", {{"mask_value", -1}});
  const Tensor result = (*layer)(floats({1, 3, 2}, {-1, -1, -1, 0, 0, 0}));
  EXPECT_TRUE(same_bits(result, floats({1, 3, 2}, {0, 0, -1, 0, 0, 0})));
  EXPECT_TRUE(same_bits(result.mask()->values(), bools({1, 3}, {0, 1, 1})));
}

TEST(MaskMakers, MaskingOfIntegersReturnsIntegers) {
  const LayerPtr layer = test::make("Masking", {{"mask_value", 7}});
  const Tensor result = (*layer)(ints({1, 2, 2}, {7, 7, 7, 8}));
  EXPECT_TRUE(same_bits(result, ints({1, 2, 2}, {0, 0, 7, 8})));
  // No integer equals 0.5, so no step is masked.
  const LayerPtr half = test::make("Masking", {{"mask_value", 0.5}});
  EXPECT_TRUE(same_bits((*half)(ints({1, 1, 1}, {0})).mask()->values(), bools({1, 1}, {1})));
}

TEST(MaskMakers, MaskingReplacesAnIncomingMask) {
  const LayerPtr layer = test::make("Masking", {});
  const Tensor result = (*layer)(test::masked(floats({1, 2, 1}, {1, 0}), {0, 1}));
  EXPECT_TRUE(same_bits(result.mask()->values(), bools({1, 2}, {1, 0})));
}

TEST(MaskMakers, MaskingFusedEqualsComputeMask) {
  for (int seed = 0; seed < kSeeds && !HasFailure(); ++seed) {
    Rng rng(4000 + static_cast<std::uint64_t>(seed));
    SCOPED_TRACE(rng.trace());
    const LayerPtr layer = test::make("Masking", {{"mask_value", 1}});
    const Shape shape{rng.integer(1, 4), rng.integer(1, 5), rng.integer(1, 3)};
    Tensor x(DType::kFloat32, shape);
    for (float& v : x.mutable_data<float>()) v = rng.chance(0.6) ? 1.0F : rng.real();
    EXPECT_TRUE(test::same_mask((*layer)(x).mask(), layer->compute_mask({x}, {nullptr}).front()));
  }
}

// Padding before or after a sentence does not change its result.
TEST(MaskMakers, PaddingOfSentencesHasNoEffect) {
  for (const std::string name : {"SimpleRNN", "LSTM", "GRU"}) {
    for (int seed = 0; seed < kSeeds && !HasFailure(); ++seed) {
      Rng rng(5000 + static_cast<std::uint64_t>(seed));
      SCOPED_TRACE(name + ", " + rng.trace());
      const LayerPtr embedding =
          test::make("Embedding", {{"input_dim", 11}, {"output_dim", 3}, {"mask_zero", true}});
      const LayerPtr recurrent = test::make(name, {{"units", 5}});
      const Tensor words = test::random_ints(rng, {1, rng.integer(1, 6)}, 1, 10);
      test::randomize(*embedding, rng, words.shape());
      test::randomize(*recurrent, rng, {1, 1, 3});
      const Tensor wanted = (*recurrent)((*embedding)(words));
      Dict pad;
      pad["pad_width"] =
          test::list({test::list({0, 0}), test::list({rng.integer(0, 4), rng.integer(0, 4)})});
      const Tensor padded = apply_op1("Pad", std::array{words}, pad);
      EXPECT_TRUE(same_bits((*recurrent)((*embedding)(padded)), wanted));
    }
  }
}

}  // namespace
}  // namespace maskflow
