// SPDX-License-Identifier: MIT
#include "rnn/lane_ranges.hpp"

#include <iterator>

namespace maskflow {
namespace {

// Time that a step takes longer with one lane more, by the number of lanes before, in hundredths of
// the time of four lanes: products compute four, two or one together.
constexpr std::uint64_t kTimes[] = {45, 15, 40, 0};

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

// Returns at most `members` ranges, of which the longest takes about as little time as possible.
std::vector<LaneRange> balanced(const SequencePlan& plan, std::size_t members) {
  const std::vector<std::size_t> lengths = lengths_of(plan);
  const std::size_t lanes = at(plan.lanes.front());
  std::uint64_t low = 0;
  std::uint64_t high = 0;  // always suffices
  for (std::size_t lane = 0; lane < lanes; ++lane) high += lengths[lane] * kTimes[0];
  const std::uint64_t precision = high / 128 + 1;
  while (high - low > precision) {
    const std::uint64_t middle = low + (high - low) / 2;
    (ranges_within(lengths, lanes, middle).size() <= members ? high : low) = middle;
  }
  return ranges_within(lengths, lanes, high);
}

}  // namespace

std::vector<LaneRange> lane_ranges(const SequencePlan& plan, kernels::Work multiply_adds) {
  const auto members = static_cast<std::size_t>(kernels::team_size());
  const kernels::Work work = at(plan.rows()) * multiply_adds;
  if (plan.lanes.size() < 2 || plan.lanes.front() < 2 || !kernels::is_region(work)) {
    return {{0, at(plan.batch)}};
  }
  return balanced(plan, std::min(members, at(plan.lanes.front())));
}

}  // namespace maskflow
