// SPDX-License-Identifier: MIT
// Adds up and compares the rows of a sequence, as a pooling layer does, by features.
#include <benchmark/benchmark.h>

#include "kernels/pooling.hpp"
#include "numbers.hpp"

namespace maskflow::bench {
namespace {

constexpr std::size_t kRows = 512;

template <class F>
void over_rows(benchmark::State& state, F&& f) {
  const auto width = static_cast<std::size_t>(state.range(0));
  const std::vector<float> x = numbers(kRows * width);
  std::vector<float> out(width);
  for (auto _ : state) {
    f(x.data(), width, out.data());
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(x.size() * sizeof(float)));
}

void sum_rows(benchmark::State& state) {
  over_rows(state, [](const float* x, std::size_t width, float* out) {
    kernels::sum_rows(x, kRows, width, nullptr, out);
  });
}
void sum_half_of_the_rows(benchmark::State& state) {
  std::vector<std::uint8_t> keep(kRows, 1);
  std::fill_n(keep.begin() + kRows / 2, kRows / 2, std::uint8_t{0});
  over_rows(state, [&keep](const float* x, std::size_t width, float* out) {
    kernels::sum_rows(x, kRows, width, keep.data(), out);
  });
}
void max_rows(benchmark::State& state) {
  over_rows(state, [](const float* x, std::size_t width, float* out) {
    kernels::max_rows(x, kRows, width, out);
  });
}
BENCHMARK(sum_rows)->ArgName("features")->Arg(5)->Arg(16)->Arg(64)->Arg(256);
BENCHMARK(sum_half_of_the_rows)->ArgName("features")->Arg(64);
BENCHMARK(max_rows)->ArgName("features")->Arg(5)->Arg(16)->Arg(64)->Arg(256);

}  // namespace
}  // namespace maskflow::bench
