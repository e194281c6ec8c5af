// SPDX-License-Identifier: MIT
// Attention over batches that are partly padding, and its scores by the kernels.
#include <benchmark/benchmark.h>

#include "kernels/attention.hpp"
#include "layer/layer.hpp"
#include "numbers.hpp"
#include "padding.hpp"

namespace maskflow::bench {
namespace {

constexpr Dim kBatch = 16;
constexpr Dim kTime = 128;
constexpr Dim kFeatures = 128;

Tensor batch() {
  const std::vector<float> values = numbers(kBatch * kTime * kFeatures);
  return Tensor::from<float>({kBatch, kTime, kFeatures}, values);
}

// Self-attention.
void multi_head_attention(benchmark::State& state) {
  Dict config;
  config["num_heads"] = 4;
  config["key_dim"] = 32;
  const LayerPtr layer = make_layer("MultiHeadAttention", config);
  time_masked(state, batch(), [&](const Tensor& x) {
    Args args;
    // Each call needs a new mask, because the layer removes the mask of its input.
    args.inputs = {x.with_mask(x.mask())};
    args.tensors.push_back({"value", args.inputs, false});
    benchmark::DoNotOptimize(layer->apply(std::move(args)));
  });
}

void dot_attention(benchmark::State& state) {
  const LayerPtr layer = make_layer("Attention", {});
  time_masked(state, batch(), [&](const Tensor& x) {
    Args args;
    args.inputs = {x, x};
    args.list = true;
    benchmark::DoNotOptimize(layer->apply(std::move(args)));
  });
}

BENCHMARK(multi_head_attention)->ArgName("kept%")->Arg(100)->Arg(50)->Arg(25)->UseManualTime();
BENCHMARK(dot_attention)->ArgName("kept%")->Arg(100)->Arg(50)->Arg(25)->UseManualTime();

void attention_scores(benchmark::State& state) {
  constexpr std::size_t kRows = 128;
  constexpr std::size_t kWidth = 32;
  const std::vector<float> x = numbers(kRows * kWidth);
  std::vector<float> scores(kRows * kRows);
  const kernels::Score score{.additive = state.range(0) != 0};
  kernels::AttentionRoom room;
  for (auto _ : state) {
    kernels::attention_scores({x.data(), kWidth}, kRows, {x.data(), kWidth}, kRows, kWidth, score,
                              room, scores.data());
    benchmark::DoNotOptimize(scores.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kRows * kRows * kWidth));
}
BENCHMARK(attention_scores)->ArgName("additive")->Arg(0)->Arg(1);

}  // namespace
}  // namespace maskflow::bench
