// SPDX-License-Identifier: MIT
#include "tensor/plan.hpp"

#include <algorithm>
#include <numeric>

#include "base/memory.hpp"

namespace maskflow {
namespace {

using Index = std::int32_t;  // The type of indices in SequencePlan.

// Positions of the kept steps, one row after the other.
struct KeptSteps {
  std::vector<Index> positions;
  // Maps each row to its first entry in `positions`; the last item is the end.
  std::vector<Index> begins;

  [[nodiscard]] Index count(Index row) const { return begins[at(row) + 1] - begins[at(row)]; }
};

KeptSteps kept_steps(std::span<const std::uint8_t> keep, const SequencePlan& plan) {
  KeptSteps steps;
  steps.positions.reserve(keep.size());
  steps.begins.reserve(at(plan.batch) + 1);
  steps.begins.push_back(0);
  for (Index row = 0; row < plan.batch; ++row) {
    for (Index p = 0; p < plan.time; ++p) {
      const Index t = plan.backwards ? plan.time - 1 - p : p;
      if (keep[at(row * plan.time + t)] != 0) steps.positions.push_back(p);
    }
    steps.begins.push_back(static_cast<Index>(steps.positions.size()));
  }
  return steps;
}

void fill_targets(SequencePlan& plan) {
  plan.target.assign(at(plan.batch * plan.time), -1);
  for (Index packed = 0; packed < plan.rows(); ++packed) {
    plan.target[at(plan.position[at(packed)])] = packed;
  }
  for (Index row = 0; row < plan.batch; ++row) {
    Index last = -1;
    for (Index p = 0; p < plan.time; ++p) {
      Index& target = plan.target[at(row * plan.time + p)];
      last = target = target >= 0 ? target : last;
    }
  }
}

// Returns the rows by number of kept steps, longest first. This is a counting sort, so equal rows
// keep their order.
std::vector<Index> longest_first(const KeptSteps& steps, Index batch, Index time) {
  // begin[time - n] is the place of the first row with n kept steps.
  std::vector<Index> begin((Count(time) + 2).of<Index>(), 0);
  for (Index row = 0; row < batch; ++row) ++begin[at(time - steps.count(row) + 1)];
  for (Index n = 0; n < time; ++n) begin[at(n + 1)] += begin[at(n)];
  std::vector<Index> order(at(batch));
  for (Index row = 0; row < batch; ++row) order[at(begin[at(time - steps.count(row))]++)] = row;
  return order;
}

}  // namespace

std::shared_ptr<const SequencePlan> SequencePlan::from_mask(std::span<const std::uint8_t> keep,
                                                            std::int32_t batch, std::int32_t time,
                                                            bool backwards) {
  // Checks the memory for its five lists, which have at most one entry per step each.
  static_cast<void>((Count(keep.size()) * 5).of<Index>());
  auto plan = std::make_shared<SequencePlan>();
  plan->batch = batch;
  plan->time = time;
  plan->backwards = backwards;
  const KeptSteps steps = kept_steps(keep, *plan);
  plan->order = longest_first(steps, batch, time);
  plan->position.reserve(steps.positions.size());
  plan->source.reserve(steps.positions.size());
  if (batch > 0) plan->lanes.reserve(at(steps.count(plan->order.front())));
  Index alive = batch;
  for (Index step = 0;; ++step) {
    while (alive > 0 && steps.count(plan->order[at(alive - 1)]) <= step) --alive;
    if (alive == 0) break;
    plan->lanes.push_back(alive);
    for (Index lane = 0; lane < alive; ++lane) {
      const Index row = plan->order[at(lane)];
      const Index p = steps.positions[at(steps.begins[at(row)] + step)];
      plan->position.push_back(row * time + p);
      plan->source.push_back(row * time + (backwards ? time - 1 - p : p));
    }
  }
  plan->dense = plan->rows() == batch * time;
  fill_targets(*plan);
  return plan;
}

std::shared_ptr<const SequencePlan> SequencePlan::all_kept(std::int32_t batch, std::int32_t time,
                                                           bool backwards) {
  // Largest plan that is kept for the next call; consecutive calls often have data of one shape.
  constexpr Index kMaxSteps = 1 << 16;
  static std::shared_ptr<const SequencePlan> latest[2];
  auto& plan = latest[backwards ? 1 : 0];
  if (plan != nullptr && plan->batch == batch && plan->time == time) return plan;
  const std::vector<std::uint8_t> keep(at(batch * time), 1);
  auto result = from_mask(keep, batch, time, backwards);
  if (batch * time <= kMaxSteps) plan = result;
  return result;
}

}  // namespace maskflow
