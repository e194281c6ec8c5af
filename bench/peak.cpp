// SPDX-License-Identifier: MIT
#include "peak.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <tuple>
#include <utility>

#include "kernels/simd.hpp"

namespace maskflow::bench {
namespace {

using kernels::kLanes;
using kernels::Vec;

constexpr std::size_t kRounds = 200000;

// Volatile, because a compiler would rebuild a constant in each round.
volatile float one_factor = 0.999F;
volatile float other_factor = 1e-6F;

// Each chain is a variable of its own, because compilers keep an array in memory. There are enough
// of them to hide a latency of 4 to 5 cycles at two instructions per cycle, and few enough for 16
// registers.
template <std::size_t kChains>
float chains() {
  return [&]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
    const Vec a(one_factor);
    const Vec b(other_factor);
    auto sums = std::make_tuple(Vec(static_cast<float>(kIndex))...);
    for (std::size_t round = 0; round < kRounds; ++round) {
      ((std::get<kIndex>(sums) = xsimd::fma(a, b, std::get<kIndex>(sums))), ...);
    }
    return xsimd::reduce_add((std::get<kIndex>(sums) + ...));
  }
  (std::make_index_sequence<kChains>());
}

// Calls go through this pointer, because an engine may otherwise leave the loop in its baseline
// tier.
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
