// SPDX-License-Identifier: MIT
// Recurrent layers over batches that are partly padding. Each batch is timed in turns with the same
// batch without a mask; `of_full` is the share of that time.
#include <benchmark/benchmark.h>

#include <string>

#include "layer/layer.hpp"
#include "numbers.hpp"
#include "padding.hpp"

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

void recurrent(benchmark::State& state, const char* class_name) {
  const LayerPtr layer = layer_of(class_name);
  const std::vector<float> values = numbers(kBatch * kTime * kFeatures);
  const Tensor x = Tensor::from<float>({kBatch, kTime, kFeatures}, values);
  time_masked(state, x, [&](const Tensor& input) { (*layer)(input); });
}

void lstm(benchmark::State& state) { recurrent(state, "LSTM"); }
void gru(benchmark::State& state) { recurrent(state, "GRU"); }
BENCHMARK(lstm)->ArgName("kept%")->Arg(100)->Arg(50)->Arg(25)->Arg(10)->UseManualTime();
BENCHMARK(gru)->ArgName("kept%")->Arg(100)->Arg(50)->Arg(25)->Arg(10)->UseManualTime();

}  // namespace
}  // namespace maskflow::bench
