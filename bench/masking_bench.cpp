// SPDX-License-Identifier: MIT
// Masking: output and mask in one pass over the data, against one pass for each.
#include <benchmark/benchmark.h>

#include <chrono>

#include "kernels/masking.hpp"
#include "numbers.hpp"

namespace maskflow::bench {
namespace {

struct Batch {
  explicit Batch(std::size_t features)
      : width(features), x(numbers(kRows * features)), value(features, 0.0F), out(x.size()) {
    for (std::size_t row = 0; row < kRows; row += 2) {
      std::fill_n(x.data() + row * features, features, 0.0F);
    }
  }
  static constexpr std::size_t kRows = 4096;
  std::size_t width;
  std::vector<float> x;
  std::vector<float> value;
  std::vector<float> out;
  std::vector<std::uint8_t> keep = std::vector<std::uint8_t>(kRows);
};

void fused(Batch& batch) {
  kernels::mask_steps(batch.x.data(), Batch::kRows, batch.width, batch.value.data(),
                      batch.out.data(), batch.keep.data());
}

// Follows Keras's formula: any(x != value), then x times the mask. Uses the same vector functions.
void two_passes(Batch& batch) {
  for (std::size_t row = 0; row < Batch::kRows; ++row) {
    const float* x = batch.x.data() + row * batch.width;
    unsigned differs = 0;
    for (std::size_t i = 0; i < batch.width; ++i) {
      differs |= static_cast<unsigned>(x[i] != batch.value[i]);
    }
    batch.keep[row] = static_cast<std::uint8_t>(differs);
  }
  benchmark::ClobberMemory();
  for (std::size_t row = 0; row < Batch::kRows; ++row) {
    const auto factor = static_cast<float>(batch.keep[row]);
    for (std::size_t i = 0; i < batch.width; ++i) {
      const std::size_t at = row * batch.width + i;
      batch.out[at] = batch.x[at] * factor;
    }
  }
}

// Runs both in turns, so that phases of the machine affect both; `of_two_passes` below 1 is a gain.
void masking(benchmark::State& state) {
  using Clock = std::chrono::steady_clock;
  Batch batch(static_cast<std::size_t>(state.range(0)));
  std::chrono::duration<double> one{};
  std::chrono::duration<double> two{};
  for (auto _ : state) {
    const auto start = Clock::now();
    fused(batch);
    benchmark::ClobberMemory();
    const auto middle = Clock::now();
    two_passes(batch);
    benchmark::ClobberMemory();
    const auto end = Clock::now();
    one += middle - start;
    two += end - middle;
    state.SetIterationTime(std::chrono::duration<double>(middle - start).count());
  }
  state.counters["of_two_passes"] = one / two;
  state.SetBytesProcessed(state.iterations() *
                          static_cast<std::int64_t>(batch.x.size() * sizeof(float)));
}
BENCHMARK(masking)->ArgName("features")->Arg(5)->Arg(16)->Arg(64)->Arg(256)->UseManualTime();

}  // namespace
}  // namespace maskflow::bench
