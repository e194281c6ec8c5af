// SPDX-License-Identifier: MIT
#include "rnn/lane_ranges.hpp"

#include <algorithm>
#include <iterator>

namespace maskflow {
namespace {

// Time that a step takes longer with one lane more, by the number of lanes before, in hundredths of
// the time of four lanes, measured: products compute four, two or one together.
constexpr std::uint64_t kTimes[] = {35, 18, 29, 18};

// Lanes that products compute together.
constexpr std::size_t kTileLanes = 4;

// Most ranges of whole tiles for each thread. A thread whose core is quicker, or has no other work,
// takes more of them.
constexpr std::size_t kRangesPerThread = 4;

// Whole tiles are chosen if they take at most this much longer, in percent, on equal cores.
constexpr std::uint64_t kTilesMayLose = 5;

// Most weights that a core reads from its own cache in each step, as the multiply-adds of a row.
// Each range reads all of them, so larger weights are read for as many lanes as possible.
constexpr kernels::Work kCachedWeights = 200'000;

// Returns the number of kept steps of each lane.
std::vector<std::size_t> lengths_of(const SequencePlan& plan) {
  std::vector<std::size_t> lengths(at(plan.batch), 0);
  for (std::size_t step = 0; step < plan.lanes.size(); ++step) {
    const std::size_t next = step + 1 < plan.lanes.size() ? at(plan.lanes[step + 1]) : 0;
    for (std::size_t lane = next; lane < at(plan.lanes[step]); ++lane) lengths[lane] = step + 1;
  }
  return lengths;
}

// Returns ranges of which each takes at most this time, if its first lane alone does.
std::vector<LaneRange> ranges_within(const std::vector<std::size_t>& lengths, std::size_t lanes,
                                     std::uint64_t limit) {
  std::vector<LaneRange> ranges;
  std::uint64_t time = 0;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const std::size_t before = ranges.empty() ? 0 : lane - ranges.back().first;
    time += lengths[lane] * kTimes[before % std::size(kTimes)];
    if (ranges.empty() || time > limit) {
      ranges.push_back({lane, lane});
      time = lengths[lane] * kTimes[0];
    }
    ranges.back().end = lane + 1;
  }
  return ranges;
}

// Returns the time of one range.
std::uint64_t time_of(const std::vector<std::size_t>& lengths, const LaneRange& range) {
  std::uint64_t time = 0;
  for (std::size_t lane = range.first; lane < range.end; ++lane) {
    time += lengths[lane] * kTimes[(lane - range.first) % std::size(kTimes)];
  }
  return time;
}

// Returns the time until the last range ends, if each member takes the next one when it is idle.
std::uint64_t time_of(const std::vector<std::size_t>& lengths, const std::vector<LaneRange>& ranges,
                      std::size_t members) {
  std::vector<std::uint64_t> busy(members, 0);
  for (const LaneRange& range : ranges) {
    *std::ranges::min_element(busy) += time_of(lengths, range);
  }
  return std::ranges::max(busy);
}

// Returns at most `members` ranges, of which the longest takes about as little time as possible.
std::vector<LaneRange> balanced(const std::vector<std::size_t>& lengths, std::size_t lanes,
                                std::size_t members) {
  std::uint64_t high = time_of(lengths, {0, lanes});  // always suffices
  // One less than what no division can go below: an equal share, or the first lane.
  std::uint64_t low =
      std::max({high / members, std::uint64_t{lengths.front()} * kTimes[0], std::uint64_t{1}}) - 1;
  const std::uint64_t precision = high / 1024 + 1;
  while (high - low > precision) {
    const std::uint64_t middle = low + (high - low) / 2;
    (ranges_within(lengths, lanes, middle).size() <= members ? high : low) = middle;
  }
  return ranges_within(lengths, lanes, high);
}

// Returns ranges of whole tiles, the longest first.
std::vector<LaneRange> tiled(std::size_t lanes, std::size_t members) {
  std::vector<LaneRange> ranges;
  const std::size_t tiles = (lanes + kTileLanes - 1) / kTileLanes;
  const std::size_t count = std::min(tiles, kRangesPerThread * members);
  for (std::size_t i = 0; i < count; ++i) {
    ranges.push_back(
        {tiles * i / count * kTileLanes, std::min(tiles * (i + 1) / count * kTileLanes, lanes)});
  }
  return ranges;
}

}  // namespace

std::vector<LaneRange> divide_lanes(const SequencePlan& plan, kernels::Work multiply_adds,
                                    std::size_t members) {
  const std::size_t lanes = at(plan.lanes.front());
  const std::vector<std::size_t> lengths = lengths_of(plan);
  std::vector<LaneRange> equal = balanced(lengths, lanes, std::min(members, lanes));
  if (multiply_adds > kCachedWeights) return equal;
  std::vector<LaneRange> tiles = tiled(lanes, members);
  const bool tiles_pay = 100 * time_of(lengths, tiles, members) <=
                         (100 + kTilesMayLose) * time_of(lengths, equal, members);
  return tiles_pay ? tiles : equal;
}

std::vector<LaneRange> lane_ranges(const SequencePlan& plan, kernels::Work multiply_adds) {
  const kernels::Work work = at(plan.rows()) * multiply_adds;
  if (plan.lanes.size() < 2 || plan.lanes.front() < 2 || !kernels::is_region(work)) {
    return {{0, at(plan.batch)}};
  }
  return divide_lanes(plan, multiply_adds, static_cast<std::size_t>(kernels::team_size()));
}

}  // namespace maskflow
