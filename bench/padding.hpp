// SPDX-License-Identifier: MIT
// Batches that are partly padding, timed in turns with the same batch without a mask.
#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>

#include "base/random.hpp"
#include "tensor/mask.hpp"

namespace maskflow::bench {

// Masks padding at the end. The lengths are spread around their mean as in real batches, from half
// of it to one and a half times it if that fits.
inline MaskPtr padding_mask(Dim batch, Dim time, double kept) {
  Random random(7);
  Tensor mask = Tensor::zeros(DType::kBool, {batch, time});
  for (Dim row = 0; row < batch; ++row) {
    const double spread = std::min(0.5, 1 / kept - 1);
    const double share = kept * (1 + spread * (2 * random.uniform() - 1));
    const auto length = static_cast<Dim>(share * static_cast<double>(time) + 0.5);
    for (Dim step = 0; step < length; ++step) {
      mask.mutable_data<std::uint8_t>()[static_cast<std::size_t>(row * time + step)] = 1;
    }
  }
  return make_mask(mask);
}

inline double kept_share(const Mask& mask) {
  double kept = 0;
  for (const std::uint8_t keep : mask.values().data<std::uint8_t>()) kept += keep;
  return kept / static_cast<double>(mask.values().size());
}

// Calls f(x) with and without a mask of [batch, time] that keeps range(0) percent. The counters are
// the share `kept`, and `of_full`, the cost of the masked batch relative to the full one.
template <class F>
void time_masked(benchmark::State& state, const Tensor& x, F&& f) {
  using Clock = std::chrono::steady_clock;
  const MaskPtr mask =
      padding_mask(x.shape()[0], x.shape()[1], static_cast<double>(state.range(0)) / 100);
  std::chrono::duration<double> masked{};
  std::chrono::duration<double> full{};
  for (auto _ : state) {
    // Each call needs a new mask, because the cost includes compiling its plan.
    const Tensor input = x.with_mask(make_mask(mask->values()));
    const auto start = Clock::now();
    f(input);
    const auto middle = Clock::now();
    f(x);
    const auto end = Clock::now();
    masked += middle - start;
    full += end - middle;
    state.SetIterationTime(std::chrono::duration<double>(middle - start).count());
  }
  state.counters["kept"] = kept_share(*mask);
  state.counters["of_full"] = masked / full;
}

}  // namespace maskflow::bench
