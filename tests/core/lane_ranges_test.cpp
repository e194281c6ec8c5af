// SPDX-License-Identifier: MIT
// The division of lanes among threads, by the time that its longest part takes on equal cores. This
// needs no cores: a step of 1, 2, 3 or 4 lanes takes 35, 53, 82 or 100 units, as measured.
#include "rnn/lane_ranges.hpp"

#include <gtest/gtest.h>

#include <array>
#include <numeric>

#include "support/random.hpp"

namespace maskflow {
namespace {

using test::Rng;

constexpr std::array<std::size_t, 9> kMembers = {1, 2, 3, 4, 6, 8, 12, 16, 40};
constexpr std::array<std::size_t, 4> kUnits = {0, 35, 53, 82};
constexpr kernels::Work kSmallWeights = 1000;
constexpr kernels::Work kLargeWeights = 1'000'000;

using Lengths = std::vector<std::size_t>;

// Returns lengths, longest first: full, uniform, with a heavy tail, or mostly short.
Lengths random_lengths(Rng& rng) {
  const int longest = rng.integer(2, 200);
  const int kind = rng.integer(0, 3);
  Lengths lengths(at(rng.integer(2, rng.chance(0.2) ? 512 : 64)));
  for (std::size_t& length : lengths) {
    const int uniform = rng.integer(1, longest);
    length = at(kind == 0   ? longest
                : kind == 1 ? uniform
                : kind == 2 ? std::min(longest, std::max(1, longest / uniform))
                            : (rng.chance(0.1) ? longest : std::max(1, longest / 10)));
  }
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

// Returns the least time of the longest of at most `members` ranges of adjacent lanes, by trying
// all.
std::size_t least_of_ranges(const Lengths& lengths, std::size_t members) {
  const std::size_t lanes = lengths.size();
  std::vector<std::size_t> least(lanes + 1, 0);  // for the lanes from each one on
  for (std::size_t lane = 0; lane < lanes; ++lane) least[lane] = units_of(lengths, lane, lanes);
  for (std::size_t more = 1; more < members; ++more) {
    std::vector<std::size_t> next = least;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      for (std::size_t end = lane + 1; end < lanes; ++end) {
        next[lane] = std::min(next[lane], std::max(units_of(lengths, lane, end), least[end]));
      }
    }
    least = std::move(next);
  }
  return least.front();
}

TEST(DividedLanes, MoreThreadsNeverEndLater) {
  Rng rng(5);
  for (int i = 0; i < 10'000; ++i) {
    const Lengths lengths = random_lengths(rng);
    const SequencePlan plan = plan_of(lengths);
    std::size_t before = units_of(lengths, 0, lengths.size());
    for (const std::size_t members : kMembers) {
      const std::vector<LaneRange> ranges = divide_lanes(plan, kSmallWeights, members);
      const std::size_t now = end_of(lengths, ranges, members);
      // Tiles are merged differently for other numbers of threads.
      EXPECT_LE(100 * now, 101 * before) << lengths.size() << " lanes, " << members << " threads";
      before = now;
    }
  }
}

TEST(DividedLanes, EndNearTheBestOfTilesAndRanges) {
  Rng rng(6);
  for (int i = 0; i < 300; ++i) {
    Lengths lengths = random_lengths(rng);
    if (lengths.size() > 40) lengths.resize(40);
    const SequencePlan plan = plan_of(lengths);
    for (const std::size_t members : {2U, 3U, 8U}) {
      const std::size_t ranges = least_of_ranges(lengths, members);
      const std::size_t tiles = end_of(lengths, tiles_of(lengths.size()), members);
      for (const kernels::Work weights : {kSmallWeights, kLargeWeights}) {
        const std::size_t ours = end_of(lengths, divide_lanes(plan, weights, members), members);
        const std::size_t best = weights == kSmallWeights ? std::min(ranges, tiles) : ranges;
        EXPECT_LE(100 * ours, 110 * best) << lengths.size() << " lanes, " << members << " threads";
      }
    }
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

TEST(DividedLanes, LargeWeightsHaveOneRangeForEachThread) {
  const SequencePlan plan = plan_of(Lengths(64, 10));
  EXPECT_EQ(divide_lanes(plan, kLargeWeights, 8).size(), 8U);
  EXPECT_EQ(divide_lanes(plan, kSmallWeights, 8).size(), 16U);
}

}  // namespace
}  // namespace maskflow
