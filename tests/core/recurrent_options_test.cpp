// SPDX-License-Identifier: MIT
// How the settings of recurrent layers relate to each other, and which masks they return.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/recurrent.hpp"

namespace maskflow {
namespace {

using test::batch_rows;
using test::call;
using test::dict;
using test::Keep;
using test::Kind;
using test::masked;
using test::RecurrentCase;
using test::Rng;
using test::same_bits;
using test::same_mask;
using test::time_step;

constexpr int kSeeds = 60;

class RecurrentOptions : public testing::TestWithParam<Kind> {
 protected:
  template <class F>
  void for_cases(test::Entries settings, F&& f) {
    for (int seed = 0; seed < kSeeds && !HasFailure(); ++seed) {
      Rng rng(1000 + static_cast<std::uint64_t>(seed));
      SCOPED_TRACE(rng.trace());
      const RecurrentCase c(GetParam(), rng, settings);
      f(c, rng);
    }
  }
};

TEST_P(RecurrentOptions, WithoutSequencesReturnsTheLastStep) {
  for (const bool zero : {false, true}) {
    for (const bool backwards : {false, true}) {
      for_cases(
          {{"return_sequences", true}, {"zero_output_for_mask", zero}, {"go_backwards", backwards}},
          [&](const RecurrentCase& c, Rng&) {
            const LayerPtr last =
                c.with({{"zero_output_for_mask", zero}, {"go_backwards", backwards}});
            EXPECT_TRUE(same_bits(call(*last, masked(c.x, c.keep)).front(),
                                  time_step(c.masked_call().front(), c.time - 1)));
          });
    }
  }
}

TEST_P(RecurrentOptions, BackwardEqualsForwardOverReversedTime) {
  for_cases({{"return_sequences", true}, {"return_state", true}}, [](const RecurrentCase& c, Rng&) {
    const LayerPtr backwards =
        c.with({{"return_sequences", true}, {"return_state", true}, {"go_backwards", true}});
    Keep keep = c.keep;
    for (int row = 0; row < c.batch; ++row) {
      std::reverse(keep.begin() + row * c.time, keep.begin() + (row + 1) * c.time);
    }
    const Tensors result = call(*backwards, masked(test::reversed_time(c.x), keep));
    const Tensors expected = c.masked_call();
    ASSERT_EQ(result.size(), expected.size());
    for (std::size_t i = 0; i < result.size(); ++i) {
      EXPECT_TRUE(same_bits(result[i], expected[i])) << "result " << i;
    }
  });
}

TEST_P(RecurrentOptions, ZeroOutputIsZeroExactlyAtMaskedSteps) {
  for_cases({{"return_sequences", true}, {"return_state", true}}, [](const RecurrentCase& c, Rng&) {
    const LayerPtr zeros = c.with(
        {{"return_sequences", true}, {"return_state", true}, {"zero_output_for_mask", true}});
    const Tensors result = call(*zeros, masked(c.x, c.keep));
    const Tensors expected = c.masked_call();
    for (std::size_t s = 1; s < result.size(); ++s) {
      EXPECT_TRUE(same_bits(result[s], expected[s])) << "state " << s - 1;
    }
    EXPECT_TRUE(same_bits(result[0], test::with_masked_steps(expected[0], c.keep, 0)));
  });
}

TEST_P(RecurrentOptions, OnlySequencesHaveAMask) {
  for_cases({{"return_sequences", true}, {"return_state", true}},
            [](const RecurrentCase& c, Rng& rng) {
              const Tensor x = masked(c.x, c.keep);
              const Tensors sequences = call(*c.layer, x);
              // All sequences share one mask object, which keeps its plans.
              EXPECT_EQ(sequences[0].mask(), x.mask());
              for (std::size_t s = 1; s < sequences.size(); ++s) {
                EXPECT_EQ(sequences[s].mask(), nullptr);
              }
              EXPECT_EQ(call(*c.with({}), x).front().mask(), nullptr);
              // An explicit mask replaces the attached one, in the computation and in the result.
              const Keep other = test::random_keep(rng, c.batch, c.time);
              const MaskPtr mask = test::mask_of({c.batch, c.time}, other);
              const Tensor result = call(*c.layer, x, mask).front();
              EXPECT_EQ(result.mask(), mask);
              EXPECT_TRUE(same_bits(result, call(*c.layer, masked(c.x, other)).front()));
            });
}

TEST_P(RecurrentOptions, Keras316UsesTheMaskButDropsItWithAWarning) {
  for_cases({{"return_sequences", true}}, [](const RecurrentCase& c, Rng&) {
    const Tensor expected = c.masked_call().front();
    const test::Scope scope(MaskPropagation::kKeras316);
    const Tensor result = c.masked_call().front();
    EXPECT_TRUE(same_bits(result, expected));
    EXPECT_EQ(result.mask(), nullptr);
    EXPECT_EQ(scope.warnings().size(), 1U);
  });
}

TEST_P(RecurrentOptions, AttachedMaskIsIgnoredWithAnInitialState) {
  for_cases({{"return_sequences", true}}, [](const RecurrentCase& c, Rng& rng) {
    const Tensors states = c.random_states(rng);
    const Tensor x = masked(c.x, c.keep);
    const Tensor result = call(*c.layer, x, nullptr, states).front();
    EXPECT_TRUE(same_bits(result, call(*c.layer, c.x, nullptr, states).front()));
    EXPECT_EQ(result.mask(), x.mask());  // As in Keras, the mask is attached but not used.
  });
}

TEST_P(RecurrentOptions, StatefulContinuesWhereTheLastCallEnded) {
  for_cases({{"return_sequences", true}}, [](const RecurrentCase& c, Rng& rng) {
    const LayerPtr stateful = c.with({{"return_sequences", true}, {"stateful", true}});
    const int cut = rng.integer(0, c.time);
    if (cut == 0 || cut == c.time) return;
    const Tensor whole = c.masked_call().front();
    for (int round = 0; round < 2; ++round) {
      stateful->reset_state();
      for (const auto& [first, end] : {std::pair{0, cut}, std::pair{cut, c.time}}) {
        Dict part;
        part["start_indices"] = test::list({0, first, 0});
        part["shape"] = test::list({c.batch, end - first, c.features});
        const Tensor x = apply_op1("Slice", std::array{c.x}, part);
        Keep keep;
        for (int row = 0; row < c.batch; ++row) {
          for (int t = first; t < end; ++t) keep.push_back(c.kept(row, t));
        }
        const Tensor result = call(*stateful, masked(x, keep)).front();
        for (int row = 0; row < c.batch; ++row) {
          // Only kept steps are compared: before its first kept step, a call shows zeros.
          for (int t = first; t < end; ++t) {
            if (!c.kept(row, t)) continue;
            EXPECT_TRUE(same_bits(time_step(batch_rows(result, row, 1), t - first),
                                  time_step(batch_rows(whole, row, 1), t)));
          }
        }
      }
    }
  });
}

TEST_P(RecurrentOptions, CellInsideRnnEqualsTheLayer) {
  for_cases({{"return_sequences", true}, {"return_state", true}}, [](const RecurrentCase& c, Rng&) {
    Dict settings;
    settings["units"] = c.units;
    if (c.kind == Kind::kGruResetBefore) settings["reset_after"] = false;
    const std::string name = c.layer->class_name() + "Cell";
    const LayerPtr rnn =
        test::make("RNN", {{"cell", dict({{"class_name", name}, {"config", settings}})},
                           {"return_sequences", true},
                           {"return_state", true}});
    rnn->build_once({c.x.shape()});
    rnn->set_weights(c.weights());
    const Tensors result = call(*rnn, masked(c.x, c.keep));
    const Tensors expected = c.masked_call();
    ASSERT_EQ(result.size(), expected.size());
    for (std::size_t i = 0; i < result.size(); ++i) {
      EXPECT_TRUE(same_bits(result[i], expected[i]));
    }
    EXPECT_TRUE(same_mask(result[0].mask(), expected[0].mask()));
  });
}

TEST_P(RecurrentOptions, StackedCellsEqualStackedLayers) {
  for_cases({{"return_sequences", true}}, [](const RecurrentCase& c, Rng& rng) {
    const LayerPtr upper = test::make("LSTM", {{"units", 5}, {"return_sequences", true}});
    test::randomize(*upper, rng, {c.batch, c.time, c.units});
    Dict lower;
    lower["units"] = c.units;
    if (c.kind == Kind::kGruResetBefore) lower["reset_after"] = false;
    const std::string name = c.layer->class_name() + "Cell";
    const LayerPtr stacked =
        test::make("RNN", {{"cell", test::list({dict({{"class_name", name}, {"config", lower}}),
                                                test::serialized("LSTMCell", {{"units", 5}})})},
                           {"return_sequences", true}});
    stacked->build_once({c.x.shape()});
    Tensors weights = c.weights();
    for (const Layer::Weight& w : upper->weights()) weights.push_back(w.variable->value());
    stacked->set_weights(weights);
    const Tensor x = masked(c.x, c.keep);
    const Tensor result = call(*stacked, x).front();
    const Tensor expected = call(*upper, call(*c.layer, x).front()).front();
    EXPECT_TRUE(same_bits(result, expected));
  });
}

INSTANTIATE_TEST_SUITE_P(Layers, RecurrentOptions,
                         testing::Values(Kind::kSimpleRnn, Kind::kLstm, Kind::kGru,
                                         Kind::kGruResetBefore),
                         [](const auto& kind) { return test::name_of(kind.param); });

}  // namespace
}  // namespace maskflow
