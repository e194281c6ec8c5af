// SPDX-License-Identifier: MIT
// SequencePlan of masks written by hand; plan_property_test.cpp has random ones.
#include "tensor/plan.hpp"

#include <gtest/gtest.h>

namespace maskflow {
namespace {

using Ints = std::vector<std::int32_t>;
using Keep = std::vector<std::uint8_t>;

std::shared_ptr<const SequencePlan> forwards(const Keep& keep, int batch, int time) {
  return SequencePlan::from_mask(keep, batch, time, false);
}

std::vector<bool> kept(const SequencePlan& plan) {
  std::vector<bool> result;
  for (std::size_t i = 0; i < plan.target.size(); ++i) result.push_back(plan.keeps(i));
  return result;
}

TEST(Plan, ExampleOfTheHeader) {
  const auto plan = forwards({1, 0, 0, 0,  //
                              1, 0, 1, 1},
                             2, 4);
  EXPECT_EQ(plan->order, (Ints{1, 0}));
  EXPECT_EQ(plan->lanes, (Ints{2, 1, 1}));
  EXPECT_EQ(plan->source, (Ints{4, 0, 6, 7}));
  EXPECT_EQ(plan->position, plan->source);
  EXPECT_EQ(plan->target, (Ints{1, 1, 1, 1, 0, 0, 2, 3}));
  EXPECT_EQ(kept(*plan), (std::vector<bool>{true, false, false, false, true, false, true, true}));
  EXPECT_EQ(plan->steps(), 3);
  EXPECT_EQ(plan->rows(), 4);
  EXPECT_FALSE(plan->dense);
}

TEST(Plan, RightPadding) {
  const auto plan = forwards({1, 1, 0}, 1, 3);
  EXPECT_EQ(plan->lanes, (Ints{1, 1}));
  EXPECT_EQ(plan->source, (Ints{0, 1}));
  EXPECT_EQ(plan->target, (Ints{0, 1, 1}));
}

TEST(Plan, LeftPaddingShowsNothingBeforeTheFirstKeptStep) {
  const auto plan = forwards({0, 0, 1, 1}, 1, 4);
  EXPECT_EQ(plan->source, (Ints{2, 3}));
  EXPECT_EQ(plan->target, (Ints{-1, -1, 0, 1}));
  EXPECT_EQ(kept(*plan), (std::vector<bool>{false, false, true, true}));
}

TEST(Plan, HoleRepeatsTheStepBeforeIt) {
  const auto plan = forwards({1, 0, 0, 1}, 1, 4);
  EXPECT_EQ(plan->source, (Ints{0, 3}));
  EXPECT_EQ(plan->target, (Ints{0, 0, 0, 1}));
}

TEST(Plan, MaskedStepsShowTheirTargetOrZeros) {
  const auto plan = forwards({0, 1, 0, 1, 0}, 1, 5);
  const auto shown = [&](bool zero_masked) {
    Ints rows;
    for (std::size_t i = 0; i < 5; ++i) rows.push_back(plan->shown_row(i, zero_masked));
    return rows;
  };
  EXPECT_EQ(shown(false), (Ints{-1, 0, 0, 1, 1}));
  EXPECT_EQ(shown(true), (Ints{-1, 0, -1, 1, -1}));
}

TEST(Plan, RowWithoutKeptStepsIsLastAndNeverAlive) {
  const auto plan = forwards({0, 0,  //
                              1, 1,  //
                              0, 1},
                             3, 2);
  EXPECT_EQ(plan->order, (Ints{1, 2, 0}));
  EXPECT_EQ(plan->lanes, (Ints{2, 1}));
  EXPECT_EQ(plan->source, (Ints{2, 5, 3}));
  EXPECT_EQ(plan->target, (Ints{-1, -1, 0, 2, -1, 1}));
}

TEST(Plan, NoStepKept) {
  const auto plan = forwards(Keep(6, 0), 2, 3);
  EXPECT_EQ(plan->steps(), 0);
  EXPECT_EQ(plan->rows(), 0);
  EXPECT_EQ(plan->order, (Ints{0, 1}));
  EXPECT_EQ(plan->target, Ints(6, -1));
  EXPECT_FALSE(plan->dense);
}

TEST(Plan, AllStepsKeptIsDense) {
  for (const auto& plan : {forwards(Keep(6, 1), 2, 3), SequencePlan::all_kept(2, 3, false)}) {
    EXPECT_TRUE(plan->dense);
    EXPECT_EQ(plan->order, (Ints{0, 1}));
    EXPECT_EQ(plan->lanes, (Ints{2, 2, 2}));
    EXPECT_EQ(plan->source, (Ints{0, 3, 1, 4, 2, 5}));
    EXPECT_EQ(plan->target, (Ints{0, 2, 4, 1, 3, 5}));
  }
}

TEST(Plan, AnyNonZeroByteKeeps) {
  const auto plan = forwards({255, 0, 2}, 1, 3);
  EXPECT_EQ(plan->source, (Ints{0, 2}));
}

TEST(Plan, RowsOfEqualLengthKeepTheirOrder) {
  const auto plan = forwards({1, 0,  //
                              1, 1,  //
                              0, 1,  //
                              1, 1},
                             4, 2);
  EXPECT_EQ(plan->order, (Ints{1, 3, 0, 2}));
  EXPECT_EQ(plan->lanes, (Ints{4, 2}));
}

TEST(Plan, BackwardPositionsAreInProcessingOrder) {
  const auto plan = SequencePlan::from_mask(Keep{1, 1, 0}, 1, 3, true);
  EXPECT_TRUE(plan->backwards);
  EXPECT_EQ(plan->source, (Ints{1, 0}));
  EXPECT_EQ(plan->position, (Ints{1, 2}));
  EXPECT_EQ(plan->target, (Ints{-1, 0, 1}));
}

TEST(Plan, EmptyBatch) {
  const auto plan = forwards({}, 0, 5);
  EXPECT_EQ(plan->steps(), 0);
  EXPECT_TRUE(plan->order.empty());
  EXPECT_TRUE(plan->target.empty());
}

TEST(Plan, EmptyTimeAxis) {
  const auto plan = forwards({}, 3, 0);
  EXPECT_EQ(plan->steps(), 0);
  EXPECT_EQ(plan->order, (Ints{0, 1, 2}));
  EXPECT_TRUE(plan->target.empty());
}

}  // namespace
}  // namespace maskflow
