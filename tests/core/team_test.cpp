// SPDX-License-Identifier: MIT
// The team: each part of a region runs once, and results have the same bits for any number of
// members. Only builds with MASKFLOW_THREADS have one.
#include "kernels/team.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <numeric>
#include <thread>

#include "kernels/flops.hpp"
#include "kernels/gemm_gradient.hpp"
#include "kernels/quantized.hpp"
#include "layer/layer_gradient.hpp"
#include "layer/quantize.hpp"
#include "ops/ops.hpp"
#include "rnn/lane_ranges.hpp"
#include "support/gradients.hpp"
#include "support/layer_cases.hpp"
#include "support/layers.hpp"
#include "support/team.hpp"
#include "support/training.hpp"

#if defined(MASKFLOW_THREADS)

namespace maskflow {
namespace {

using test::LayerCase;
using test::Rng;
using test::TeamOf;

TEST(Team, RunsEachPartOnce) {
  Rng rng(1);
  for (int region = 0; region < 3000; ++region) {
    const TeamOf team(rng.integer(1, 7));
    const int parts = rng.integer(0, 20);
    std::vector<int> runs(at(parts), 0);
    std::vector<int> members(at(parts), -1);
    kernels::parallel(parts, [&](int part, int member) {
      ++runs[at(part)];
      members[at(part)] = member;
    });
    EXPECT_TRUE(std::ranges::all_of(runs, [](int count) { return count == 1; })) << region;
    for (const int member : members) {
      EXPECT_GE(member, 0);
      EXPECT_LT(member, kernels::team_size());
    }
  }
}

TEST(Team, RunsARegionInsideARegionAsALoop) {
  std::vector<int> counts(40, 0);
  kernels::parallel(4, [&](int outer, int /*member*/) {
    kernels::parallel(10, [&](int inner, int /*member*/) { ++counts[at(outer * 10 + inner)]; });
  });
  EXPECT_EQ(counts, std::vector<int>(40, 1));
}

TEST(Team, RangesCoverAllNumbersOnce) {
  Rng rng(2);
  for (int i = 0; i < 500; ++i) {
    const std::size_t count = at(rng.integer(0, 300));
    const std::size_t grain = at(rng.integer(1, 70));
    std::vector<int> counts(count, 0);
    kernels::parallel_ranges({count, grain}, kernels::kMuchWork,
                             [&](std::size_t begin, std::size_t end) {
                               EXPECT_TRUE(begin == end || begin % grain == 0);
                               for (; begin < end; ++begin) ++counts[begin];
                             });
    EXPECT_EQ(counts, std::vector<int>(count, 1));
  }
}

// Returns the blocks, and checks that they contain each number once.
int blocks_of(kernels::Grains first, kernels::Grains second) {
  std::atomic<int> blocks = 0;
  std::vector<int> counts(first.count * second.count, 0);
  const auto count = [&](kernels::Interval rows, kernels::Interval columns) {
    ++blocks;
    EXPECT_EQ(rows.begin % first.size, 0U);
    EXPECT_EQ(columns.begin % second.size, 0U);
    for (std::size_t row = rows.begin; row < rows.end; ++row) {
      for (std::size_t i = columns.begin; i < columns.end; ++i) ++counts[row * second.count + i];
    }
  };
  kernels::parallel_blocks(first, second, kernels::kMuchWork, count);
  EXPECT_EQ(counts, std::vector<int>(counts.size(), 1));
  return blocks;
}

TEST(Team, BlocksCoverTheMatrixOnce) {
  Rng rng(3);
  for (int i = 0; i < 100; ++i) {
    const TeamOf team(rng.integer(1, 40));
    const auto grains = [&] {
      return kernels::Grains{at(rng.integer(1, 100)), at(rng.integer(1, 40))};
    };
    const kernels::Grains first = grains();
    EXPECT_GE(blocks_of(first, grains()), 1);
  }
}

// The weights of an LSTM with 64 units and features, and a Dense layer after 32 rows.
TEST(Team, HasTwoBlocksForEachMemberIfThereAreGrains) {
  for (const auto& [members, gradient, product] :
       {std::array{2, 8, 4}, std::array{4, 8, 8}, std::array{8, 16, 8}, std::array{16, 32, 8}}) {
    const TeamOf team(members);
    EXPECT_EQ(blocks_of({256, 32}, {64, 16}), gradient);
    EXPECT_EQ(blocks_of({32, 32}, {256, 32}), product);
  }
}

// Helpers that sleep: the main thread wakes two of them, and each of these wakes two.
TEST(Team, WakesSleepersAsATree) {
  const TeamOf team(7);
  for (int region = 0; region < 20; ++region) {
    std::this_thread::sleep_for(std::chrono::milliseconds(region < 10 ? 20 : 0));
    const std::uint32_t before = kernels::team_counts().wakes;
    std::atomic<int> arrived = 0;
    // Each part waits until all members have one.
    kernels::parallel(7, [&](int /*part*/, int /*member*/) {
      ++arrived;
      const auto start = std::chrono::steady_clock::now();
      while (arrived < 7 && std::chrono::steady_clock::now() - start < std::chrono::seconds(20)) {
        std::this_thread::yield();
      }
    });
    EXPECT_EQ(arrived, 7);
    EXPECT_LE(kernels::team_counts().wakes - before, 2U);
  }
}

TEST(Team, WakesAsManyHelpersAsTheWorkPaysFor) {
  const TeamOf team(7);
  kernels::team_use(6, 1000);
  for (const auto& [work, most] : {std::pair{999U, 0U}, {1000U, 1U}, {2000U, 2U}, {9000U, 2U}}) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    const std::uint32_t before = kernels::team_counts().wakes;
    kernels::parallel(
        7, [](int /*part*/, int /*member*/) {}, work);
    EXPECT_LE(kernels::team_counts().wakes - before, most) << work;
  }
}

// Memory that the main thread writes before a region and reads after it, without atomics.
TEST(Team, SeesWhatTheMainThreadWroteBefore) {
  std::vector<int> numbers(64, 0);
  for (int region = 1; region < 2000; ++region) {
    const int before = std::accumulate(numbers.begin(), numbers.end(), 0);
    kernels::parallel(8, [&](int part, int /*member*/) {
      for (int i = part * 8; i < part * 8 + 8; ++i) numbers[at(i)] += region;
    });
    ASSERT_EQ(std::accumulate(numbers.begin(), numbers.end(), 0), before + 64 * region);
  }
}

TEST(Team, CountsRegions) {
  const TeamOf team(3);
  const std::uint32_t before = kernels::team_counts().regions;
  for (const int parts : {0, 1, 2, 9})
    kernels::parallel(parts, [](int /*part*/, int /*member*/) {});
  EXPECT_EQ(kernels::team_counts().regions - before, 2U);
}

TEST(Team, CountsTheProductsOfHelpers) {
  for (const int members : test::kMembers) {
    const TeamOf team(members);
    const double before = kernels::flops();
    kernels::parallel(9, [&](int /*part*/, int /*member*/) { kernels::multiply_adds += 10; });
    EXPECT_EQ(kernels::flops() - before, 180);
  }
}

TEST(LaneRanges, CoverAllLanesWithWorkInOrder) {
  Rng rng(3);
  for (int seed = 0; seed < 500; ++seed) {
    const TeamOf team(rng.integer(1, 7));
    const int batch = rng.integer(1, 40);
    const int time = rng.integer(1, 12);
    const auto plan =
        SequencePlan::from_mask(test::random_keep(rng, batch, time), batch, time, rng.chance(0.5));
    const bool is_large = rng.chance(0.5);
    const std::vector<LaneRange> ranges = lane_ranges(*plan, is_large ? 1'000'000 : 10);
    ASSERT_FALSE(ranges.empty());
    EXPECT_EQ(ranges.size() > 1, shares_lanes(*plan, is_large ? 1'000'000 : 10));
    EXPECT_LE(ranges.size(), at(kernels::team_size()) * (is_large ? 1 : 16));
    std::size_t next = 0;
    for (const LaneRange& range : ranges) {
      EXPECT_EQ(range.first, next);
      EXPECT_GT(range.end, range.first);
      next = range.end;
    }
    EXPECT_GE(next, plan->lanes.empty() ? 0 : at(plan->lanes.front()));
  }
}

// Small weights: whole tiles of lanes, several for each thread. Large ones: one range for each.
TEST(LaneRanges, GiveThreadsSeveralIfTheWeightsStayInTheCache) {
  const TeamOf team(2);
  const auto plan = SequencePlan::all_kept(32, 10, false);
  const std::vector<LaneRange> small = lane_ranges(*plan, 200'000);
  ASSERT_EQ(small.size(), 8U);
  for (const LaneRange& range : small) EXPECT_EQ(range.end - range.first, 4U);
  EXPECT_EQ(lane_ranges(*plan, 200'001).size(), 2U);
}

TEST(TeamBits, OfProductsAreTheSame) {
  Rng rng(4);
  for (int seed = 0; seed < 60; ++seed) {
    const Dim m = rng.integer(1, 300);
    const Dim k = rng.integer(1, 40);
    const Dim n = rng.integer(1, 140);
    const Tensor a = test::random_floats(rng, {m, k});
    const Tensor b = test::random_floats(rng, {k, n});
    const Tensor g = test::random_floats(rng, {m, n});
    test::expect_same_for_all_teams([&] {
      Tensor outer = Tensor::zeros(DType::kFloat32, {k, n});
      kernels::add_outer({a.floats(), at(k)}, {g.floats(), at(n)}, at(m), at(k), at(n),
                         outer.mutable_floats(), at(n));
      return Tensors{ops::matmul(a, b), outer};
    });
  }
}

class TeamLayers : public testing::TestWithParam<LayerCase> {
 protected:
  test::Scope scope_{MaskPropagation::kKeras315, OnMaskDropped::kSilent};
};

// A batch that has more rows than a product's tile, and not a multiple of them.
constexpr Dim kBatch = 13;

// A new layer with the same weights and random numbers each time.
LayerPtr same_layer(const LayerCase& c, std::uint64_t seed) {
  Policy::current().random = Random(seed);
  Rng rng(seed);
  LayerPtr layer = c.make();
  test::randomize(*layer, rng, c.input);
  return layer;
}

// Calls a layer with copies of the arguments, because some layers take the mask off their own.
Tensors results_of(Layer& layer, Args args, Frame& frame) {
  args.for_each_tensor([](Tensor& x) { x = x.with_mask(x.mask()); });
  return layer.run(std::move(args), frame).tensors;
}

TEST_P(TeamLayers, ReturnTheSameBits) {
  const LayerCase c = GetParam().with_batch(kBatch);
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    Rng rng(seed);
    SCOPED_TRACE(rng.trace());
    const Args args = c.masked_arguments(rng);
    test::expect_same_for_all_teams([&] {
      Frame frame;
      return results_of(*same_layer(c, seed), args, frame);
    });
  }
}

TEST_P(TeamLayers, ReturnTheSameBitsWithWeightsOfEightBits) {
  const LayerCase c = GetParam().with_batch(kBatch);
  for (const auto activations : {kernels::Activations::kFloat, kernels::Activations::kInt8}) {
    Rng rng(9);
    const Args args = c.masked_arguments(rng);
    test::expect_same_for_all_teams([&] {
      const LayerPtr layer = same_layer(c, 9);
      static_cast<void>(quantize(*layer, activations));
      Frame frame;
      return results_of(*layer, args, frame);
    });
  }
}

// The matrix is made for one member, so that there is no room for the rows of others.
TEST(TeamBits, OfIntegerProductsAreTheSameIfTheTeamGrows) {
  Rng rng(5);
  const Tensor a = test::random_floats(rng, {200, 4000});
  const Tensor b = test::random_floats(rng, {4000, 16});
  const auto form = std::make_shared<kernels::QuantizedMatrix>(
      b.floats(), kernels::MatrixPlace{0, 4000, 16, 16}, kernels::Activations::kInt8);
  test::expect_same_for_all_teams([&] {
    Tensor c(DType::kFloat32, {200, 16});
    kernels::gemm({a.floats(), 4000}, 200, kernels::PackedMatrix(form, 4000, 16),
                  kernels::Start::kZero, nullptr, c.mutable_floats());
    return Tensors{c};
  });
}

TEST(Team, HasNoRegionsThatPayInsideARegion) {
  const TeamOf team(3);
  EXPECT_TRUE(kernels::is_region(1));
  std::vector<int> inside(6, 1);
  kernels::parallel(
      6, [&](int part, int /*member*/) { inside[at(part)] = kernels::is_region(1) ? 1 : 0; });
  EXPECT_EQ(inside, std::vector<int>(6, 0));
}

TEST(Team, TellsAThreadItsNumber) {
  const TeamOf team(4);
  std::vector<int> apart(50, 1);
  kernels::parallel(50,
                    [&](int part, int member) { apart[at(part)] = kernels::team_self() - member; });
  EXPECT_EQ(apart, std::vector<int>(50, 0));
  EXPECT_EQ(kernels::team_self(), 0);
}

TEST_P(TeamLayers, HaveTheSameGradients) {
  const LayerCase c = GetParam().with_batch(kBatch);
  for (std::uint64_t seed = 0; seed < 2; ++seed) {
    Rng rng(seed);
    SCOPED_TRACE(rng.trace());
    Args args = c.masked_arguments(rng);
    args.training = seed == 1;
    Frame frame;
    const Tensors cotangents =
        test::random_cotangents(rng, results_of(*same_layer(c, seed), args, frame));
    test::expect_same_for_all_teams([&] {
      const LayerPtr layer = same_layer(c, seed);
      test::Computation computation;
      Args(args).for_each_tensor([&](Tensor& x) {
        if (x.dtype() == DType::kFloat32) computation.variables.push_back(x);
      });
      for (const Layer::Weight& weight : layer->weights()) {
        if (weight.trainable) computation.variables.push_back(weight.variable->value());
      }
      computation.run = [&](Frame& inner) { return results_of(*layer, args, inner); };
      return test::gradients_of(computation, cotangents);
    });
  }
}

struct CountedCall {
  Tensors results;
  std::uint32_t regions;
};

CountedCall counted_call(Layer& layer, const Args& args, Observer* observer) {
  Frame frame;
  frame.observer = observer;
  const std::uint32_t before = kernels::team_counts().regions;
  Tensors results = results_of(layer, args, frame);
  return {std::move(results), kernels::team_counts().regions - before};
}

// Calls a Bidirectional with an observer, for which the directions run one after the other, and
// without one. Checks that the bits are equal and returns how many regions there are fewer.
std::uint32_t regions_saved(Layer& layer, const Args& args) {
  Observer observer;
  const CountedCall apart = counted_call(layer, args, &observer);
  const CountedCall together = counted_call(layer, args, nullptr);
  EXPECT_EQ(together.results.size(), apart.results.size());
  for (std::size_t i = 0; i < apart.results.size(); ++i) {
    EXPECT_TRUE(test::same_bits(together.results[i], apart.results[i])) << "result " << i;
  }
  return apart.regions - together.regions;
}

// Returns a batch of sequences with masks; their rows are those of an Embedding if `is_lookup`.
Args sequences(Rng& rng, bool is_lookup) {
  Args args;
  if (is_lookup) {
    const LayerPtr embedding = test::make("Embedding", {{"input_dim", 20}, {"output_dim", 5}});
    args.inputs = test::call(*embedding, test::random_ints(rng, {kBatch, 9}, 0, 19));
  } else {
    args.inputs = {test::random_floats(rng, {kBatch, 9, 5})};
  }
  Tensor keep(DType::kBool, {kBatch, 9});
  std::ranges::copy(test::random_keep(rng, kBatch, 9), keep.mutable_data<std::uint8_t>().begin());
  args.mask = Masks{make_mask(keep)};
  return args;
}

TEST(TeamBidirectional, RunsBothDirectionsInOneRegion) {
  for (const char* class_name : {"LSTM", "GRU", "SimpleRNN"}) {
    for (const bool returns_sequences : {false, true}) {
      for (const bool is_lookup : {false, true}) {
        for (const int members : {2, 3, 7}) {
          Rng rng(8);
          SCOPED_TRACE(testing::Message() << class_name << ' ' << members << " threads");
          const LayerPtr layer = test::make(
              "Bidirectional",
              {{"layer", test::serialized(class_name, {{"units", 6},
                                                       {"return_sequences", returns_sequences}})}});
          test::randomize(*layer, rng, {kBatch, 9, 5});
          const TeamOf team(members);
          EXPECT_EQ(regions_saved(*layer, sequences(rng, is_lookup)), 1U);
        }
      }
    }
  }
}

// States are read before the other direction runs.
TEST(TeamBidirectional, RunsDirectionsWithStatesOneAfterTheOther) {
  Rng rng(9);
  for (const char* setting : {"return_state", "stateful"}) {
    const LayerPtr layer = test::make(
        "Bidirectional", {{"layer", test::serialized("LSTM", {{"units", 6}, {setting, true}})}});
    test::randomize(*layer, rng, {kBatch, 9, 5});
    const Args args = sequences(rng, false);
    layer->reset_state();
    const TeamOf team(3);
    Observer observer;
    const CountedCall first = counted_call(*layer, args, &observer);
    layer->reset_state();
    const CountedCall second = counted_call(*layer, args, nullptr);
    EXPECT_EQ(first.regions, second.regions);
    EXPECT_TRUE(test::same_bits(first.results.front(), second.results.front()));
  }
}

// The forward run waits; the backward one is too small for a region.
TEST(TeamBidirectional, FinishesADirectionIfTheOtherOneDoesNotWait) {
  Rng rng(10);
  const LayerPtr layer = test::make(
      "Bidirectional",
      {{"layer", test::serialized("LSTM", {{"units", 32}})},
       {"backward_layer", test::serialized("LSTM", {{"units", 1}, {"go_backwards", true}})}});
  test::randomize(*layer, rng, {kBatch, 9, 5});
  for (const bool is_lookup : {false, true}) {
    const Args args = sequences(rng, is_lookup);
    const TeamOf team(3);
    kernels::team_use(2, 20'000);
    const CountedCall call = counted_call(*layer, args, nullptr);
    EXPECT_GT(call.regions, 0U);
    EXPECT_EQ(regions_saved(*layer, args), 0U);
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, TeamLayers, testing::ValuesIn(test::called_layer_cases()),
                         [](const auto& test) { return test.param.class_name; });

TEST(TeamOptimizers, TakeTheSameSteps) {
  for (const ConfigurableClass* known : all_configurables(ConfigurableKind::kOptimizer)) {
    if (std::string_view(known->name) == "LossScaleOptimizer") continue;  // needs another optimizer
    SCOPED_TRACE(known->name);
    test::expect_same_for_all_teams([&] {
      Rng rng(6);
      const auto optimizer = test::optimizer_from(std::string(known->name));
      const VariablePtr variable = test::variable("v", test::random_floats(rng, {17, 301}));
      test::build(*optimizer, {variable});
      for (int step = 0; step < 3; ++step) {
        test::apply(*optimizer, {test::random_floats(rng, {17, 301})}, {variable});
      }
      return Tensors{Tensor::from<float>(variable->shape(), variable->value().data<float>())};
    });
  }
}

}  // namespace
}  // namespace maskflow

#endif
