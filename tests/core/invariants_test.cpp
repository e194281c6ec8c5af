// SPDX-License-Identifier: MIT
// Properties of every recurrent layer under every mask. Some results must be equal to the bit:
// masked steps are removed before anything is computed, and the rounding of a row does not depend
// on the other rows.
#include <gtest/gtest.h>

#include <limits>

#include "support/recurrent.hpp"

namespace maskflow {
namespace {

using test::batch_rows;
using test::call;
using test::close;
using test::Keep;
using test::Kind;
using test::masked;
using test::random_floats;
using test::RecurrentCase;
using test::Rng;
using test::same_bits;
using test::time_step;

constexpr int kSeeds = 120;

class Invariants : public testing::TestWithParam<Kind> {
 protected:
  // Calls f(case, rng) for many random cases of a layer with these settings.
  template <class F>
  void for_cases(test::Entries settings, F&& f) {
    for (int seed = 0; seed < kSeeds && !HasFailure(); ++seed) {
      Rng rng(static_cast<std::uint64_t>(seed));
      SCOPED_TRACE(rng.trace());
      const RecurrentCase c(GetParam(), rng, settings);
      f(c, rng);
    }
  }
};

void expect_same(const Tensors& got, const Tensors& wanted) {
  ASSERT_EQ(got.size(), wanted.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_TRUE(same_bits(got[i], wanted[i])) << "result " << i;
  }
}

TEST_P(Invariants, EqualsTheNaiveLoop) {
  for (const bool sequences : {false, true}) {
    for (const bool backwards : {false, true}) {
      for (const bool zero : {false, true}) {
        for_cases({{"return_sequences", sequences},
                   {"go_backwards", backwards},
                   {"zero_output_for_mask", zero},
                   {"return_state", true}},
                  [&](const RecurrentCase& c, Rng& rng) {
                    const Tensors initial = rng.chance(0.5) ? c.random_states(rng) : Tensors{};
                    const MaskPtr mask = test::mask_of({c.batch, c.time}, c.keep);
                    const Tensors got = call(*c.layer, c.x, mask, initial);
                    const test::NaiveResult wanted = test::naive_rnn(
                        c.kind, c.weights(), c.x, c.keep, initial, {sequences, backwards, zero});
                    ASSERT_EQ(got.size(), 1 + wanted.states.size());
                    EXPECT_TRUE(close(got[0], wanted.output));
                    for (std::size_t s = 0; s < wanted.states.size(); ++s) {
                      EXPECT_TRUE(close(got[s + 1], wanted.states[s])) << "state " << s;
                    }
                  });
      }
    }
  }
}

TEST_P(Invariants, AppendedPaddingChangesNothing) {
  for_cases({{"return_sequences", true}, {"return_state", true}}, [](const RecurrentCase& c,
                                                                     Rng& rng) {
    const int more = rng.integer(1, 5);
    Tensor longer = random_floats(rng, {c.batch, c.time + more, c.features}, 50);
    Keep keep;
    const auto width = static_cast<std::size_t>(c.time * c.features);
    for (int row = 0; row < c.batch; ++row) {
      const auto from = c.x.data<float>().subspan(static_cast<std::size_t>(row) * width, width);
      std::ranges::copy(from,
                        longer.mutable_data<float>().begin() + row * (c.time + more) * c.features);
      for (int t = 0; t < c.time + more; ++t) keep.push_back(t < c.time && c.kept(row, t));
    }
    const Tensors before = c.masked_call();
    const Tensors after = call(*c.layer, masked(longer, keep));
    for (int t = 0; t < c.time + more; ++t) {
      // After the end of a sequence, the last output is repeated.
      EXPECT_TRUE(same_bits(time_step(after[0], t), time_step(before[0], std::min(t, c.time - 1))))
          << "step " << t;
    }
    for (std::size_t s = 1; s < before.size(); ++s) {
      EXPECT_TRUE(same_bits(after[s], before[s])) << "state " << s - 1;
    }
  });
}

TEST_P(Invariants, MaskedStepsCanBeRemoved) {
  // A masked row returns what its kept steps alone return.
  for_cases({{"return_sequences", true}, {"return_state", true}}, [](const RecurrentCase& c, Rng&) {
    const Tensors all = c.masked_call();
    for (int row = 0; row < c.batch; ++row) {
      const Tensor x = batch_rows(c.x, row, 1);
      const Tensor output = batch_rows(all[0], row, 1);
      std::vector<float> kept_steps;
      std::vector<int> times;
      for (int t = 0; t < c.time; ++t) {
        if (!c.kept(row, t)) continue;
        times.push_back(t);
        const Tensor step = time_step(x, t);
        for (const float v : step.data<float>()) kept_steps.push_back(v);
      }
      if (times.empty()) continue;
      const auto count = static_cast<int>(times.size());
      const Tensors alone = call(*c.layer, test::floats({1, count, c.features}, kept_steps));
      for (int i = 0; i < count; ++i) {
        EXPECT_TRUE(same_bits(time_step(output, times[static_cast<std::size_t>(i)]),
                              time_step(alone[0], i)));
      }
      for (std::size_t s = 1; s < all.size(); ++s) {
        EXPECT_TRUE(same_bits(batch_rows(all[s], row, 1), alone[s]));
      }
    }
  });
}

TEST_P(Invariants, RowsAreIndependentOfTheirBatch) {
  for (const bool sequences : {false, true}) {
    for_cases({{"return_sequences", sequences}, {"return_state", true}},
              [](const RecurrentCase& c, Rng&) {
                const Tensors all = c.masked_call();
                for (int row = 0; row < c.batch; ++row) {
                  const auto begin = c.keep.begin() + row * c.time;
                  const Keep keep(begin, begin + c.time);
                  Tensors wanted;
                  for (const Tensor& result : all) wanted.push_back(batch_rows(result, row, 1));
                  expect_same(call(*c.layer, masked(batch_rows(c.x, row, 1), keep)), wanted);
                }
              });
  }
}

TEST_P(Invariants, ValuesAtMaskedStepsHaveNoEffect) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  for (const bool backwards : {false, true}) {
    for_cases({{"return_sequences", true}, {"return_state", true}, {"go_backwards", backwards}},
              [&](const RecurrentCase& c, Rng&) {
                const Tensors wanted = c.masked_call();
                for (const float value : {kNan, kInfinity, -kInfinity, 1e30F}) {
                  const Tensor x = test::with_masked_steps(c.x, c.keep, value);
                  expect_same(call(*c.layer, masked(x, c.keep)), wanted);
                }
              });
  }
}

TEST_P(Invariants, MaskOfOnesEqualsNoMask) {
  for (const bool backwards : {false, true}) {
    for_cases({{"return_sequences", true}, {"return_state", true}, {"go_backwards", backwards}},
              [](const RecurrentCase& c, Rng&) {
                const Keep ones(c.keep.size(), 1);
                const Tensors with_mask = call(*c.layer, masked(c.x, ones));
                const Tensors without = call(*c.layer, c.x);
                expect_same(with_mask, without);
                EXPECT_NE(with_mask[0].mask(), nullptr);
                EXPECT_EQ(without[0].mask(), nullptr);
              });
  }
}

TEST_P(Invariants, RowWithoutKeptStepsReturnsZerosAndItsInitialState) {
  for_cases({{"return_state", true}}, [](const RecurrentCase& c, Rng& rng) {
    const Tensors initial = c.random_states(rng);
    const MaskPtr nothing = test::mask_of({c.batch, c.time}, Keep(c.keep.size(), 0));
    const Tensors results = call(*c.layer, c.x, nothing, initial);
    EXPECT_TRUE(same_bits(results[0], Tensor::zeros(DType::kFloat32, {c.batch, c.units})));
    for (std::size_t s = 0; s < initial.size(); ++s) {
      EXPECT_TRUE(same_bits(results[s + 1], initial[s]));
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Layers, Invariants,
                         testing::Values(Kind::kSimpleRnn, Kind::kLstm, Kind::kGru,
                                         Kind::kGruResetBefore),
                         [](const auto& kind) { return test::name_of(kind.param); });

}  // namespace
}  // namespace maskflow
