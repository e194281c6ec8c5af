// SPDX-License-Identifier: MIT
#include "peak.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "kernels/simd.hpp"

namespace maskflow::bench {
namespace {

using kernels::kLanes;
using kernels::Vec;

constexpr std::size_t kRounds = 200000;

// Enough chains to hide a latency of 4 to 5 cycles at two instructions per cycle, few enough for 16
// registers.
template <std::size_t kChains>
float chains() {
  std::array<Vec, kChains> sums;
  for (std::size_t i = 0; i < kChains; ++i) sums[i] = Vec(static_cast<float>(i));
  const Vec factor(0.999F);
  const Vec term(0.001F);
  for (std::size_t round = 0; round < kRounds; ++round) {
    for (Vec& sum : sums) sum = xsimd::fma(sum, factor, term);
  }
  Vec total(0.0F);
  for (const Vec& sum : sums) total += sum;
  return xsimd::reduce_add(total);
}

// Called through this pointer, or an engine may leave the loop in its baseline tier.
float (*volatile run_chains[])() = {chains<8>, chains<10>, chains<12>};
constexpr std::array<double, 3> kChainCounts{8, 10, 12};

}  // namespace

double multiply_add_peak() {
  using Clock = std::chrono::steady_clock;
  double best = 0;
  for (int repeat = 0; repeat < 8; ++repeat) {
    for (std::size_t i = 0; i < kChainCounts.size(); ++i) {
      const auto start = Clock::now();
      benchmark::DoNotOptimize(run_chains[i]());
      const std::chrono::duration<double> took = Clock::now() - start;
      const double operations = 2 * kChainCounts[i] * static_cast<double>(kLanes * kRounds);
      best = std::max(best, operations / took.count());
    }
  }
  return best * 1e-9;
}

}  // namespace maskflow::bench
