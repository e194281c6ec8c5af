// SPDX-License-Identifier: MIT
// SequencePlan of random masks has the properties that its header states, computed the slow way.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/random.hpp"
#include "tensor/plan.hpp"

namespace maskflow {
namespace {

constexpr int kMasks = 600;

struct Case {
  int batch;
  int time;
  bool backwards;
  std::vector<std::uint8_t> keep;

  [[nodiscard]] int time_at(int position) const {
    return backwards ? time - 1 - position : position;
  }
  [[nodiscard]] bool kept(int row, int position) const {
    return keep[static_cast<std::size_t>(row * time + time_at(position))] != 0;
  }
  [[nodiscard]] int count(int row) const {
    int result = 0;
    for (int p = 0; p < time; ++p) result += kept(row, p) ? 1 : 0;
    return result;
  }
};

std::size_t at(int index) { return static_cast<std::size_t>(index); }

Case random_case(test::Rng& rng) {
  Case result{rng.integer(0, 9), rng.integer(0, 12), rng.chance(0.5), {}};
  result.keep = test::random_keep(rng, result.batch, result.time);
  return result;
}

// Calls f(case, plan) for every random mask; a failure reports the seed.
template <class F>
void for_random_plans(F&& f) {
  for (int seed = 0; seed < kMasks && !testing::Test::HasFailure(); ++seed) {
    test::Rng rng(at(seed));
    SCOPED_TRACE(rng.trace());
    const Case c = random_case(rng);
    f(c, *SequencePlan::from_mask(c.keep, c.batch, c.time, c.backwards));
  }
}

TEST(PlanProperty, OrderIsAPermutationLongestFirstAndStable) {
  for_random_plans([](const Case& c, const SequencePlan& plan) {
    ASSERT_EQ(plan.order.size(), at(c.batch));
    for (std::size_t lane = 1; lane < plan.order.size(); ++lane) {
      const int before = plan.order[lane - 1];
      const int row = plan.order[lane];
      EXPECT_TRUE(c.count(before) > c.count(row) ||
                  (c.count(before) == c.count(row) && before < row));
    }
    std::vector<std::int32_t> sorted = plan.order;
    std::ranges::sort(sorted);
    for (int row = 0; row < c.batch; ++row) EXPECT_EQ(sorted[at(row)], row);
  });
}

TEST(PlanProperty, LanesCountTheRowsThatAreLongEnough) {
  for_random_plans([](const Case& c, const SequencePlan& plan) {
    int longest = 0;
    for (int row = 0; row < c.batch; ++row) longest = std::max(longest, c.count(row));
    ASSERT_EQ(plan.steps(), longest);
    for (int step = 0; step < longest; ++step) {
      int alive = 0;
      for (int row = 0; row < c.batch; ++row) alive += c.count(row) > step ? 1 : 0;
      EXPECT_EQ(plan.lanes[at(step)], alive);
      EXPECT_LE(plan.lanes[at(step)], step > 0 ? plan.lanes[at(step - 1)] : c.batch);
    }
  });
}

TEST(PlanProperty, EveryKeptStepIsPackedOnceInItsLane) {
  for_random_plans([](const Case& c, const SequencePlan& plan) {
    std::vector<int> seen(at(c.batch * c.time), 0);
    // For each row, the position from which the search continues.
    std::vector<int> next(at(c.batch), 0);
    std::size_t packed = 0;
    for (const std::int32_t lanes : plan.lanes) {
      for (int lane = 0; lane < lanes; ++lane, ++packed) {
        const int row = plan.order[at(lane)];
        int& position = next[at(row)];
        while (position < c.time && !c.kept(row, position)) ++position;
        ASSERT_LT(position, c.time);
        EXPECT_EQ(plan.position[packed], row * c.time + position);
        EXPECT_EQ(plan.source[packed], row * c.time + c.time_at(position));
        ++seen[at(plan.source[packed])];
        ++position;
      }
    }
    EXPECT_EQ(packed, plan.source.size());
    EXPECT_EQ(packed, plan.position.size());
    for (std::size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i], c.keep[i]);
  });
}

TEST(PlanProperty, TargetIsTheLastKeptStepAndKeepsMarksKeptSteps) {
  for_random_plans([](const Case& c, const SequencePlan& plan) {
    ASSERT_EQ(plan.target.size(), at(c.batch * c.time));
    for (int row = 0; row < c.batch; ++row) {
      int last = -1;
      for (int p = 0; p < c.time; ++p) {
        if (c.kept(row, p)) last = row * c.time + p;
        const std::size_t here = at(row * c.time + p);
        const std::int32_t target = plan.target[here];
        EXPECT_EQ(target < 0 ? -1 : plan.position[at(target)], last);
        EXPECT_EQ(plan.keeps(here), c.kept(row, p));
      }
    }
  });
}

TEST(PlanProperty, DenseMeansThatNothingIsMasked) {
  for_random_plans([](const Case& c, const SequencePlan& plan) {
    EXPECT_EQ(plan.dense, std::ranges::find(c.keep, 0) == c.keep.end());
    EXPECT_EQ(plan.batch, c.batch);
    EXPECT_EQ(plan.time, c.time);
    EXPECT_EQ(plan.backwards, c.backwards);
  });
}

TEST(PlanProperty, BackwardEqualsForwardOverReversedTime) {
  for_random_plans([](const Case& c, const SequencePlan&) {
    Case reversed = c;
    for (int row = 0; row < c.batch; ++row) {
      const auto begin = reversed.keep.begin() + row * c.time;
      std::reverse(begin, begin + c.time);
    }
    const auto forwards = SequencePlan::from_mask(reversed.keep, c.batch, c.time, false);
    const auto backwards = SequencePlan::from_mask(c.keep, c.batch, c.time, true);
    EXPECT_EQ(backwards->order, forwards->order);
    EXPECT_EQ(backwards->lanes, forwards->lanes);
    EXPECT_EQ(backwards->position, forwards->position);
    EXPECT_EQ(backwards->target, forwards->target);
  });
}

}  // namespace
}  // namespace maskflow
