// SPDX-License-Identifier: MIT
// The matrix product, packed, beside the multiply-add peak measured right before and after.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>

#include "kernels/gemm.hpp"
#include "numbers.hpp"
#include "peak.hpp"

namespace maskflow::bench {
namespace {

void gemm(benchmark::State& state) {
  const auto m = static_cast<std::size_t>(state.range(0));
  const auto k = static_cast<std::size_t>(state.range(1));
  const auto n = static_cast<std::size_t>(state.range(2));
  const std::vector<float> a = numbers(m * k);
  const std::vector<float> b = numbers(k * n);
  const std::vector<float> bias = numbers(n);
  std::vector<float> c(m * n);
  const kernels::PackedMatrix packed(b.data(), k, n, n);
  double peak = multiply_add_peak();
  const auto start = std::chrono::steady_clock::now();
  for (auto _ : state) {
    kernels::gemm({a.data(), k}, m, packed, kernels::Start::kBias, bias.data(), c.data());
    benchmark::DoNotOptimize(c.data());
    benchmark::ClobberMemory();
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  peak = std::max(peak, multiply_add_peak());
  const double speed = 2e-9 * static_cast<double>(m * k * n) *
                       static_cast<double>(state.iterations()) / took.count();
  state.counters["GFLOP/s"] = speed;
  state.counters["peak"] = peak;
  state.counters["of_peak"] = speed / peak;
}

// Sizes are rows x depth x columns: first projections of a batch, then single steps of a recurrent
// layer.
BENCHMARK(gemm)
    ->ArgNames({"m", "k", "n"})
    ->Args({256, 128, 256})
    ->Args({256, 256, 1024})
    ->Args({512, 512, 512})
    ->Args({2048, 16, 128})
    ->Args({32, 128, 512})
    ->Args({32, 32, 128})
    ->Args({1, 128, 512})
    ->Args({7, 100, 300});

}  // namespace
}  // namespace maskflow::bench
