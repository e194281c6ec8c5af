// SPDX-License-Identifier: MIT
// Bidirectional and TimeDistributed equal a composition of their inner layers, for random masks.
#include <gtest/gtest.h>

#include <limits>

#include "ops/ops.hpp"
#include "support/recurrent.hpp"

namespace maskflow {
namespace {

using test::call;
using test::close;
using test::dict;
using test::Keep;
using test::Kind;
using test::masked;
using test::RecurrentCase;
using test::Rng;
using test::same_bits;

constexpr int kSeeds = 60;
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

template <class F>
void for_cases(Kind kind, test::Entries settings, F&& f) {
  for (int seed = 0; seed < kSeeds && !testing::Test::HasFailure(); ++seed) {
    Rng rng(2000 + static_cast<std::uint64_t>(seed));
    SCOPED_TRACE(rng.trace());
    const RecurrentCase c(kind, rng, settings);
    f(c, rng);
  }
}

// --- Bidirectional
// --------------------------------------------------------------------------------

// Returns a Bidirectional around the layer of the case, with random weights.
LayerPtr bidirectional(const RecurrentCase& c, Rng& rng, const Value& merge_mode) {
  const LayerPtr layer = test::make(
      "Bidirectional", {{"layer", serialize_layer(*c.layer)}, {"merge_mode", merge_mode}});
  test::randomize(*layer, rng, c.x.shape());
  return layer;
}

// Computes both directions with the naive loop; the backward result is in forward order.
std::array<test::NaiveResult, 2> directions(const RecurrentCase& c, const Layer& layer,
                                            bool sequences) {
  Tensors weights;
  for (const Layer::Weight& w : layer.weights()) weights.push_back(w.variable->value());
  const Tensors forward(weights.begin(), weights.begin() + 3);
  const Tensors backward(weights.begin() + 3, weights.end());
  // Bidirectional returns zeros at masked steps of sequences, even if the wrapped layer does not.
  std::array results{
      test::naive_rnn(c.kind, forward, c.x, c.keep, {}, {sequences, false, sequences}),
      test::naive_rnn(c.kind, backward, c.x, c.keep, {}, {sequences, true, sequences})};
  if (sequences) results[1].output = test::reversed_time(results[1].output);
  return results;
}

Tensor merged(const std::string& mode, const Tensor& a, const Tensor& b) {
  if (mode == "concat") return ops::concatenate(std::array{a, b}, -1);
  if (mode == "mul") return ops::multiply(a, b);
  const Tensor sum = ops::add(a, b);
  return mode == "sum" ? sum : ops::multiply(sum, test::scalar(0.5F));
}

class BidirectionalTest : public testing::TestWithParam<Kind> {};

TEST_P(BidirectionalTest, MergesTwoNaiveLoops) {
  for (const bool sequences : {false, true}) {
    for (const std::string mode : {"concat", "sum", "ave", "mul"}) {
      for_cases(GetParam(), {{"return_sequences", sequences}},
                [&](const RecurrentCase& c, Rng& rng) {
                  const LayerPtr layer = bidirectional(c, rng, mode);
                  const Tensor x = masked(c.x, c.keep);
                  const Tensors got = call(*layer, x);
                  const auto [forward, backward] = directions(c, *layer, sequences);
                  ASSERT_EQ(got.size(), 1U);
                  EXPECT_TRUE(close(got[0], merged(mode, forward.output, backward.output))) << mode;
                  EXPECT_EQ(got[0].mask(), sequences ? x.mask() : nullptr);
                });
    }
  }
}

TEST_P(BidirectionalTest, WithoutMergingReturnsBothOutputsAndAllStates) {
  for_cases(GetParam(), {{"return_sequences", true}, {"return_state", true}},
            [](const RecurrentCase& c, Rng& rng) {
              const LayerPtr layer = bidirectional(c, rng, nullptr);
              const Tensor x = masked(c.x, c.keep);
              const Tensors got = call(*layer, x);
              const auto [forward, backward] = directions(c, *layer, true);
              Tensors wanted{forward.output, backward.output};
              wanted.insert(wanted.end(), forward.states.begin(), forward.states.end());
              wanted.insert(wanted.end(), backward.states.begin(), backward.states.end());
              ASSERT_EQ(got.size(), wanted.size());
              for (std::size_t i = 0; i < got.size(); ++i) {
                EXPECT_TRUE(close(got[i], wanted[i])) << "result " << i;
                EXPECT_EQ(got[i].mask(), i < 2 ? x.mask() : nullptr);
              }
            });
}

TEST_P(BidirectionalTest, ValuesAtMaskedStepsHaveNoEffect) {
  for_cases(GetParam(), {{"return_sequences", true}}, [](const RecurrentCase& c, Rng& rng) {
    const LayerPtr layer = bidirectional(c, rng, "concat");
    const Tensor spoilt = test::with_masked_steps(c.x, c.keep, kNan);
    EXPECT_TRUE(same_bits(call(*layer, masked(spoilt, c.keep)).front(),
                          call(*layer, masked(c.x, c.keep)).front()));
  });
}

INSTANTIATE_TEST_SUITE_P(Layers, BidirectionalTest,
                         testing::Values(Kind::kSimpleRnn, Kind::kLstm, Kind::kGru,
                                         Kind::kGruResetBefore),
                         [](const auto& kind) { return test::name_of(kind.param); });

// --- TimeDistributed
// ------------------------------------------------------------------------------

LayerPtr time_distributed(const LayerPtr& inner) {
  return test::make("TimeDistributed", {{"layer", dict({{kLayerHandleKey, inner->id()}})}});
}

TEST(TimeDistributedTest, AppliesDenseToEveryStepAndPassesTheMaskOn) {
  for_cases(Kind::kSimpleRnn, {}, [](const RecurrentCase& c, Rng& rng) {
    const LayerPtr dense = test::make("Dense", {{"units", c.units}, {"activation", "tanh"}});
    test::randomize(*dense, rng, {c.batch, c.features});
    const Tensor x = masked(c.x, c.keep);
    const Tensor got = call(*time_distributed(dense), x).front();
    EXPECT_EQ(got.mask(), x.mask());
    for (int t = 0; t < c.time; ++t) {
      EXPECT_TRUE(same_bits(test::time_step(got, t), (*dense)(test::time_step(c.x, t))));
    }
  });
}

TEST(TimeDistributedTest, RecurrentLayerReceivesSlicesOfTheMask) {
  for_cases(Kind::kLstm, {}, [](const RecurrentCase& c, Rng& rng) {
    const int outer = rng.integer(1, 4);
    const Tensor x = test::random_floats(rng, {c.batch, outer, c.time, c.features});
    const Keep keep = test::random_keep(rng, c.batch * outer, c.time);
    const MaskPtr mask = test::mask_of({c.batch, outer, c.time}, keep);
    const Tensor got = call(*time_distributed(c.layer), x.with_mask(mask)).front();
    EXPECT_EQ(got.mask(), mask);
    for (int t = 0; t < outer; ++t) {
      const Tensor wanted =
          call(*c.layer, test::time_step(x, t),
               make_mask(ops::cast(test::time_step(ops::cast(mask->values(), DType::kFloat32), t),
                                   DType::kBool)))
              .front();
      EXPECT_TRUE(same_bits(test::time_step(got, t), wanted)) << "step " << t;
    }
  });
}

}  // namespace
}  // namespace maskflow
