// SPDX-License-Identifier: MIT
// Convolutions over time: the kernel without mixing of channels, and whole layers.
#include <benchmark/benchmark.h>

#include "kernels/depthwise.hpp"
#include "layer/layer.hpp"
#include "numbers.hpp"

namespace maskflow::bench {
namespace {

void operations(benchmark::State& state, double per_iteration) {
  state.counters["FLOP/s"] =
      benchmark::Counter(per_iteration, benchmark::Counter::kIsIterationInvariantRate);
}

void depthwise(benchmark::State& state) {
  constexpr std::size_t kSteps = 100;
  constexpr std::size_t kTaps = 5;
  const auto n = static_cast<std::size_t>(state.range(0));
  const std::vector<float> x = numbers((kSteps + kTaps) * n);
  const std::vector<float> w = numbers(kTaps * n);
  std::vector<float> out(n);
  for (auto _ : state) {
    for (std::size_t step = 0; step < kSteps; ++step) {
      kernels::depthwise(x.data() + step * n, n, w.data(), kTaps, w.data(), out.data(), n);
      benchmark::ClobberMemory();
    }
  }
  operations(state, static_cast<double>(2 * kSteps * kTaps * n));
}
BENCHMARK(depthwise)->ArgName("channels")->Arg(5)->Arg(32)->Arg(33)->Arg(256);

// Convolves [32, 100, channels] to the same number of filters, with kernels of 5 steps.
void layer(benchmark::State& state, const char* class_name) {
  constexpr Dim kBatch = 32;
  constexpr Dim kTime = 100;
  const Dim channels = state.range(0);
  Dict config;
  config["kernel_size"] = 5;
  config["padding"] = "same";
  config["filters"] = channels;
  if (state.range(1) > 1) config["dilation_rate"] = state.range(1);
  const LayerPtr made = make_layer(class_name, config);
  Tensor x(DType::kFloat32, {kBatch, kTime, channels});
  const std::vector<float> values = numbers(x.size());
  std::copy(values.begin(), values.end(), x.mutable_data<float>().begin());
  for (auto _ : state) benchmark::DoNotOptimize((*made)(x));
  operations(state, static_cast<double>(2 * kBatch * kTime * 5 * channels * channels));
}
BENCHMARK_CAPTURE(layer, Conv1D, "Conv1D")
    ->ArgNames({"channels", "dilation"})
    ->Args({4, 1})
    ->Args({64, 1})
    ->Args({64, 2});
BENCHMARK_CAPTURE(layer, Conv1DTranspose, "Conv1DTranspose")
    ->ArgNames({"channels", "dilation"})
    ->Args({64, 1});

}  // namespace
}  // namespace maskflow::bench
