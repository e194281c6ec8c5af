// SPDX-License-Identifier: MIT
#include "rnn/lane_ranges.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>

namespace maskflow {
namespace {

// Time that a step takes longer with one lane more, by the number of lanes before, in hundredths of
// the time of four lanes, measured: products compute four, two or one together.
constexpr std::array<std::uint64_t, 4> kTimes = {35, 18, 29, 18};

// Lanes that products compute together.
constexpr std::size_t kTileLanes = kTimes.size();

// Most ranges of whole tiles for each thread. A thread whose core is quicker, or has no other work,
// runs more of them.
constexpr std::size_t kRangesPerThread = 4;

// Most of them if fewer ones end later. There are not more, because each has a buffer.
constexpr std::size_t kSmallRangesPerThread = 16;

// A preferred division is chosen if it takes at most this much longer than the best one, in
// percent.
constexpr std::uint64_t kMayLose = 5;

// Most weights that a core reads from its own cache in each step, as the multiply-adds of a row.
// Each range reads all of them, so larger weights are read for as many lanes as possible.
constexpr kernels::Work kCachedWeights = 200'000;

// Times of adjacent lanes.
class Times {
 public:
  explicit Times(const SequencePlan& plan) : lanes_(at(plan.lanes.front())) {
    for (std::vector<std::uint64_t>& sums : sums_) sums.reserve(lanes_ + 1);
    for (std::vector<std::uint64_t>& sums : sums_) sums.push_back(0);
    std::size_t steps = plan.lanes.size();
    for (std::size_t lane = 0; lane < lanes_; ++lane) {
      while (at(plan.lanes[steps - 1]) <= lane) --steps;
      for (std::size_t first = 0; first < kTileLanes; ++first) {
        const std::size_t before = (lane + kTileLanes - first) % kTileLanes;
        sums_[first].push_back(sums_[first].back() + steps * kTimes[before]);
      }
    }
  }

  [[nodiscard]] std::size_t lanes() const { return lanes_; }

  [[nodiscard]] std::uint64_t of(const LaneRange& range) const {
    const std::vector<std::uint64_t>& sums = sums_[range.first % kTileLanes];
    return sums[range.end] - sums[range.first];
  }

  // Returns the longest range from `first` on that takes at most `limit`. The first lane must.
  [[nodiscard]] LaneRange range_within(std::size_t first, std::uint64_t limit) const {
    const std::vector<std::uint64_t>& sums = sums_[first % kTileLanes];
    const auto begin = sums.begin() + static_cast<std::ptrdiff_t>(first);
    const auto past = std::upper_bound(begin, sums.end(), *begin + limit);
    return {first, static_cast<std::size_t>(past - sums.begin()) - 1};
  }

 private:
  std::size_t lanes_;
  // For ranges whose first lane is congruent to the index: the sum of the times of all lanes before
  // each one.
  std::array<std::vector<std::uint64_t>, kTileLanes> sums_;
};

// Ranges, and the time until the last one ends on equal cores.
struct Division {
  std::vector<LaneRange> ranges;
  std::uint64_t time = 0;
};

// Threads, and runs of the same lanes that share them.
struct Sharing {
  std::size_t members = 1;
  std::size_t runs = 1;
};

// Returns the time until the last range ends. A member runs the next range as soon as it is idle.
std::uint64_t time_of(const Times& times, const std::vector<LaneRange>& ranges, Sharing sharing) {
  std::vector<std::uint64_t> busy(sharing.members, 0);
  for (const LaneRange& range : ranges) {
    for (std::size_t run = 0; run < sharing.runs; ++run) {
      *std::ranges::min_element(busy) += times.of(range);
    }
  }
  return std::ranges::max(busy);
}

// Returns whether `members` ranges, of which each takes at most `limit`, contain all lanes.
bool suffices(const Times& times, std::size_t members, std::uint64_t limit) {
  std::size_t first = 0;
  for (std::size_t i = 0; i < members && first < times.lanes(); ++i) {
    first = times.range_within(first, limit).end;
  }
  return first == times.lanes();
}

// Returns at most `count` ranges, of which the longest takes the least time possible.
std::vector<LaneRange> balanced(const Times& times, std::size_t count) {
  std::uint64_t high = times.of({0, times.lanes()});  // always suffices
  // An equal share or the first lane, whichever takes longer: no division takes less.
  std::uint64_t low = std::max(high / count, times.of({0, 1}));
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (suffices(times, count, middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  std::vector<LaneRange> ranges;
  for (std::size_t first = 0; first < times.lanes(); first = ranges.back().end) {
    ranges.push_back(times.range_within(first, high));
  }
  return ranges;
}

// Returns ranges of `tiles` tiles each.
std::vector<LaneRange> tiled(const Times& times, std::size_t tiles) {
  std::vector<LaneRange> ranges;
  const std::size_t size = tiles * kTileLanes;
  for (std::size_t first = 0; first < times.lanes(); first += size) {
    ranges.push_back({first, std::min(first + size, times.lanes())});
  }
  return ranges;
}

// Returns the divisions to choose from, the preferred ones first: whole tiles in small ranges, one
// range for each member, whole tiles in very small ranges. Tilings with one range for each member
// are left out, because balanced() is never slower. More members have all divisions of a single run
// that fewer have, and each of them ends no later, so their best one does not either.
std::vector<Division> divisions(const Times& times, Sharing sharing, bool has_tiles) {
  std::vector<Division> all;
  std::vector<Division> very_small;
  const auto [members, runs] = sharing;
  const auto division = [&](std::vector<LaneRange> ranges) -> Division {
    const std::uint64_t time = time_of(times, ranges, sharing);
    return {std::move(ranges), time};
  };
  const std::size_t count = has_tiles ? (times.lanes() + kTileLanes - 1) / kTileLanes : 0;
  std::size_t size = 1;  // one, two, three, four, six, eight, … tiles
  for (std::size_t ranges = count; ranges * runs > members; ranges = (count + size - 1) / size) {
    if (ranges * runs <= kRangesPerThread * members) {
      all.push_back(division(tiled(times, size)));
    } else if (ranges * runs <= kSmallRangesPerThread * members) {
      very_small.push_back(division(tiled(times, size)));
    }
    if (ranges == 1) break;
    size += std::max<std::size_t>(std::bit_floor(size) / 2, 1);
  }
  // Each run has its own members, or all members run one after the other.
  if (members >= runs) all.push_back(division(balanced(times, members / runs)));
  if (runs > 1) all.push_back(division(balanced(times, members)));
  std::ranges::move(very_small, std::back_inserter(all));
  return all;
}

std::uint64_t least_time(const std::vector<Division>& divisions) {
  return std::ranges::min(divisions, {}, &Division::time).time;
}

}  // namespace

std::vector<LaneRange> divide_lanes(const SequencePlan& plan, kernels::Work multiply_adds,
                                    std::size_t members, std::size_t runs) {
  const Times times(plan);
  const bool has_tiles = members > 1 && multiply_adds <= kCachedWeights;
  std::vector<Division> all = divisions(times, {members, runs}, has_tiles);
  const std::uint64_t least = least_time(all);
  std::uint64_t limit = least * (100 + kMayLose) / 100;
  if (members > 1 && all.size() > 1) {
    // The chosen one must not take longer than any of fewer members either.
    const std::uint64_t fewer = least_time(divisions(times, {members - 1, runs}, has_tiles));
    limit = std::clamp(fewer, least, limit);
  }
  return std::move(std::ranges::find_if(all, [&](const Division& division) {
                     return division.time <= limit;
                   })->ranges);
}

bool shares_lanes(const SequencePlan& plan, kernels::Work multiply_adds) {
  return plan.lanes.size() > 1 && plan.lanes.front() > 1 &&
         kernels::is_region(at(plan.rows()) * multiply_adds);
}

std::vector<LaneRange> lane_ranges(const SequencePlan& plan, kernels::Work multiply_adds,
                                   std::size_t runs) {
  if (!shares_lanes(plan, multiply_adds)) return {{0, at(plan.batch)}};
  return divide_lanes(plan, multiply_adds, static_cast<std::size_t>(kernels::team_size()), runs);
}

}  // namespace maskflow
