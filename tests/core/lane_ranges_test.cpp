// SPDX-License-Identifier: MIT
// The division of lanes among threads, by the time that its longest part takes on equal cores. This
// needs no cores: a step of 1, 2, 3 or 4 lanes takes 35, 53, 82 or 100 units, as measured.
#include "rnn/lane_ranges.hpp"

#include <gtest/gtest.h>

#include <array>

#include "support/random.hpp"

namespace maskflow {
namespace {

using test::Rng;

constexpr std::size_t kMostMembers = 40;
constexpr std::array<std::size_t, 4> kUnits = {0, 35, 53, 82};
constexpr std::array<std::size_t, 4> kMore = {35, 18, 29, 18};  // of one lane more
constexpr kernels::Work kSmallWeights = 1000;
constexpr kernels::Work kLargeWeights = 1'000'000;

using Lengths = std::vector<std::size_t>;

// Returns 1 to 512 lengths, longest first: full, uniform, with a heavy tail, mostly short, or one
// long row.
Lengths random_lengths(Rng& rng) {
  const int longest = rng.integer(2, 200);
  const int kind = rng.integer(0, 4);
  Lengths lengths(at(rng.integer(1, 1 << rng.integer(0, 9))));
  for (std::size_t& length : lengths) {
    const int uniform = rng.integer(1, longest);
    const int tenth = std::max(1, longest / 10);
    length = at(kind == 0   ? longest
                : kind == 1 ? uniform
                : kind == 2 ? std::max(1, longest / uniform)
                : kind == 3 ? (rng.chance(0.1) ? longest : tenth)
                            : tenth);
  }
  if (kind == 4) lengths.front() = at(longest);
  std::ranges::sort(lengths, std::greater<>());
  return lengths;
}

// Returns the parts of a plan for these lengths that a division reads.
SequencePlan plan_of(const Lengths& lengths) {
  SequencePlan plan;
  plan.batch = static_cast<std::int32_t>(lengths.size());
  plan.lanes.assign(lengths.front(), 0);
  for (const std::size_t length : lengths) {
    for (std::size_t step = 0; step < length; ++step) ++plan.lanes[step];
  }
  return plan;
}

// Returns the time of one range, in units: for each number of lanes, the steps that have that many
// lanes alive, times their cost.
std::size_t units_of(const Lengths& lengths, std::size_t first, std::size_t end) {
  std::size_t units = 0;
  for (std::size_t lane = first; lane < end; ++lane) {
    const std::size_t alive = lane + 1 - first;
    const std::size_t steps = lengths[lane] - (lane + 1 < end ? lengths[lane + 1] : 0);
    units += steps * (alive / 4 * 100 + kUnits[alive % 4]);
  }
  return units;
}

// Returns when the last range ends, if each member takes the next one as soon as it is idle.
std::size_t end_of(const Lengths& lengths, const std::vector<LaneRange>& ranges,
                   std::size_t members) {
  std::vector<std::size_t> ends(members, 0);
  for (const LaneRange& range : ranges) {
    *std::ranges::min_element(ends) += units_of(lengths, range.first, range.end);
  }
  return std::ranges::max(ends);
}

std::vector<LaneRange> tiles_of(std::size_t lanes) {
  std::vector<LaneRange> tiles;
  for (std::size_t lane = 0; lane < lanes; lane += 4) {
    tiles.push_back({lane, std::min(lane + 4, lanes)});
  }
  return tiles;
}

// Returns whether `members` ranges of adjacent lanes can end within a time: each takes as many
// lanes as it can.
bool can_end_within(const Lengths& lengths, std::size_t members, std::size_t time) {
  std::size_t first = 0;
  for (std::size_t member = 0; member < members; ++member) {
    std::size_t units = 0;
    for (std::size_t lane = first; lane < lengths.size(); ++lane) {
      units += lengths[lane] * kMore[(lane - first) % 4];
      if (units > time) break;
      first += 1;
    }
  }
  return first == lengths.size();
}

void expect_in_order(const std::vector<LaneRange>& ranges, std::size_t lanes) {
  std::size_t next = 0;
  for (const LaneRange& range : ranges) {
    ASSERT_EQ(range.first, next);
    ASSERT_GT(range.end, range.first);
    next = range.end;
  }
  ASSERT_EQ(next, lanes);
}

// Checks the divisions for these numbers of threads.
void check_divisions(const Lengths& lengths, kernels::Work weights, std::size_t least,
                     std::size_t most) {
  const SequencePlan plan = plan_of(lengths);
  std::size_t before = units_of(lengths, 0, lengths.size());
  for (std::size_t members = least; members <= most; ++members) {
    SCOPED_TRACE(testing::Message() << lengths.size() << " lanes, " << members << " threads");
    const std::vector<LaneRange> ranges = divide_lanes(plan, weights, members);
    expect_in_order(ranges, lengths.size());
    const std::size_t now = end_of(lengths, ranges, members);
    ASSERT_LE(now, before) << "later than with fewer threads";
    before = now;
    const std::size_t tenth_less = (10 * now - 1) / 11;  // most time that is not within 10 %
    ASSERT_FALSE(can_end_within(lengths, members, tenth_less)) << "more than 10 % later";
    if (weights != kSmallWeights) continue;
    const std::size_t tiles = end_of(lengths, tiles_of(lengths.size()), members);
    ASSERT_LE(100 * now, 110 * tiles) << "more than 10 % later than tiles";
  }
}

TEST(DividedLanes, EndNearTheBestDivisionAndNoLaterThanWithFewerThreads) {
  Rng rng(5);
  for (int i = 0; i < 10'000 && !testing::Test::HasFatalFailure(); ++i) {
    const Lengths lengths = random_lengths(rng);
    const auto fewer = at(rng.integer(1, static_cast<int>(kMostMembers) - 1));
    check_divisions(lengths, i % 4 == 0 ? kLargeWeights : kSmallWeights, fewer, fewer + 1);
  }
}

TEST(DividedLanes, EndNoLaterWithAnyNumberOfThreads) {
  Rng rng(6);
  for (int i = 0; i < 60 && !testing::Test::HasFatalFailure(); ++i) {
    check_divisions(random_lengths(rng), i % 4 == 0 ? kLargeWeights : kSmallWeights, 1,
                    kMostMembers);
  }
}

// A batch of eight rows for each thread: a tile of the four longest rows would end last.
TEST(DividedLanes, LongRowsGetThreadsOfTheirOwn) {
  Lengths lengths(64, 10);
  std::fill_n(lengths.begin(), 8, std::size_t{100});
  const SequencePlan plan = plan_of(lengths);
  const std::size_t tiles = end_of(lengths, tiles_of(64), 8);
  const std::size_t ours = end_of(lengths, divide_lanes(plan, kSmallWeights, 8), 8);
  EXPECT_LT(3 * ours, 2 * tiles);
}

// Returns when two runs of the same lanes end, whose ranges are taken in turns.
std::size_t end_of_two(const Lengths& lengths, const std::vector<LaneRange>& ranges,
                       std::size_t members) {
  std::vector<LaneRange> both;
  for (const LaneRange& range : ranges) both.insert(both.end(), 2, range);
  return end_of(lengths, both, members);
}

TEST(DividedLanes, TwoRunsTogetherEndNoLaterThanOneAfterTheOther) {
  Rng rng(7);
  std::size_t together = 0;
  std::size_t in_turn = 0;
  for (int i = 0; i < 1000; ++i) {
    const Lengths lengths = random_lengths(rng);
    const SequencePlan plan = plan_of(lengths);
    const auto members = at(rng.integer(1, static_cast<int>(kMostMembers)));
    const kernels::Work weights = rng.chance(0.5) ? kSmallWeights : kLargeWeights;
    const std::vector<LaneRange> ranges = divide_lanes(plan, weights, members, 2);
    expect_in_order(ranges, lengths.size());
    const std::size_t both = end_of_two(lengths, ranges, members);
    const std::size_t one = end_of(lengths, divide_lanes(plan, weights, members), members);
    // Several ranges for each thread may end 5 % later.
    EXPECT_LE(100 * both, 105 * 2 * one) << lengths.size() << " lanes, " << members << " threads";
    together += both;
    in_turn += 2 * one;
  }
  EXPECT_LT(100 * together, 90 * in_turn);
}

// Both directions of a batch of four rows for each thread: no direction has tiles for all threads.
TEST(DividedLanes, TwoRunsOfFewRowsUseAllThreads) {
  const Lengths lengths(64, 10);
  const std::size_t alone = units_of(lengths, 0, 64);
  const std::vector<LaneRange> ranges = divide_lanes(plan_of(lengths), kSmallWeights, 32, 2);
  EXPECT_EQ(end_of_two(lengths, ranges, 32), 2 * alone / 32);
}

TEST(DividedLanes, LargeWeightsHaveOneRangeForEachThread) {
  const SequencePlan plan = plan_of(Lengths(64, 10));
  EXPECT_EQ(divide_lanes(plan, kLargeWeights, 8).size(), 8U);
  EXPECT_EQ(divide_lanes(plan, kSmallWeights, 8).size(), 16U);
}

}  // namespace
}  // namespace maskflow
