// SPDX-License-Identifier: MIT
// Recurrent layers over batches of which a part is padding. Each batch is timed in turns with the
// same batch without a mask: `of_full` is what it costs of that.
#include <benchmark/benchmark.h>

#include <chrono>
#include <string>

#include "layers/layer.hpp"
#include "numbers.hpp"

namespace maskflow::bench {
namespace {

constexpr Dim kBatch = 32;
constexpr Dim kTime = 100;
constexpr Dim kFeatures = 64;
constexpr int kUnits = 128;

LayerPtr layer_of(const std::string& class_name) {
  Dict config;
  config["units"] = kUnits;
  return make_layer(class_name, config);
}

// Padding at the end; lengths spread around their mean as in real batches, from half to one and a
// half of it where that fits.
MaskPtr mask_of(double kept) {
  Random random(7);
  Tensor mask = Tensor::zeros(DType::kBool, {kBatch, kTime});
  for (Dim row = 0; row < kBatch; ++row) {
    const double spread = std::min(0.5, 1 / kept - 1);
    const double share = kept * (1 + spread * (2 * random.uniform() - 1));
    const auto length = static_cast<Dim>(share * static_cast<double>(kTime) + 0.5);
    for (Dim step = 0; step < length; ++step) {
      mask.mutable_data<std::uint8_t>()[static_cast<std::size_t>(row * kTime + step)] = 1;
    }
  }
  return make_mask(mask);
}

double kept_share(const Mask& mask) {
  double kept = 0;
  for (const std::uint8_t keep : mask.values().data<std::uint8_t>()) kept += keep;
  return kept / static_cast<double>(kBatch * kTime);
}

void recurrent(benchmark::State& state, const char* class_name) {
  using Clock = std::chrono::steady_clock;
  const LayerPtr layer = layer_of(class_name);
  const std::vector<float> values = numbers(kBatch * kTime * kFeatures);
  const Tensor x = Tensor::from<float>({kBatch, kTime, kFeatures}, values);
  const MaskPtr mask = mask_of(static_cast<double>(state.range(0)) / 100);
  std::chrono::duration<double> masked{};
  std::chrono::duration<double> full{};
  for (auto _ : state) {
    // A new mask for every call: compiling it into a plan is part of the cost.
    const Tensor input = x.with_mask(make_mask(mask->values()));
    const auto start = Clock::now();
    benchmark::DoNotOptimize((*layer)(input));
    const auto middle = Clock::now();
    benchmark::DoNotOptimize((*layer)(x));
    const auto end = Clock::now();
    masked += middle - start;
    full += end - middle;
    state.SetIterationTime(std::chrono::duration<double>(middle - start).count());
  }
  state.counters["kept"] = kept_share(*mask);
  state.counters["of_full"] = masked / full;
}

void lstm(benchmark::State& state) { recurrent(state, "LSTM"); }
void gru(benchmark::State& state) { recurrent(state, "GRU"); }
BENCHMARK(lstm)->ArgName("kept%")->Arg(100)->Arg(50)->Arg(25)->Arg(10)->UseManualTime();
BENCHMARK(gru)->ArgName("kept%")->Arg(100)->Arg(50)->Arg(25)->Arg(10)->UseManualTime();

}  // namespace
}  // namespace maskflow::bench
