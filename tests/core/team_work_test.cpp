// SPDX-License-Identifier: MIT
// How much of a call threads share, counted: the regions, and the multiply-adds outside of them.
// This needs no cores. The workloads are those of docs/performance.md with fewer or smaller rows,
// and work pays for a region as it does in the package.
#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/flops.hpp"
#include "kernels/team.hpp"
#include "ops/ops.hpp"
#include "support/gradients.hpp"
#include "support/layers.hpp"
#include "support/team.hpp"

#if defined(MASKFLOW_THREADS)

namespace maskflow {
namespace {

using test::Rng;
using test::TeamOf;

// Regions of a call, the share of its multiply-adds outside of them, and the helpers that the main
// thread wakes.
struct Counts {
  std::uint32_t regions;
  double outside;
  std::uint32_t wakes = 0;
};

struct Workload {
  const char* name;
  Tensor input;
  std::vector<LayerPtr> layers;
  std::function<Tensor(const Workload&, Frame&)> run;
  Counts limits;
};

Tensor call(Layer& layer, const Tensor& x, Frame& frame) {
  Args args;
  args.inputs = {x};
  return layer.run(std::move(args), frame).tensors.front();
}

Tensor run_in_turn(const Workload& workload, Frame& frame) {
  Tensor x = workload.input;
  for (const LayerPtr& layer : workload.layers) x = call(*layer, x, frame);
  return x;
}

// A block of a transformer: attention, two normalizations, two Dense layers.
Tensor run_block(const Workload& workload, Frame& frame) {
  const std::vector<LayerPtr>& layers = workload.layers;
  const Tensor x = call(*layers[0], workload.input, frame);
  Args args;
  args.inputs = {x};
  args.tensors.push_back({"value", {x}, true});
  const Tensor attended = layers[1]->run(std::move(args), frame).tensors.front();
  const Tensor h = call(*layers[2], ops::add(x, attended), frame);
  const Tensor inner = call(*layers[4], call(*layers[3], h, frame), frame);
  return call(*layers[5], ops::add(h, inner), frame);
}

// Returns rows with uniform lengths from a tenth of the steps on; masked steps are zeros.
Tensor ragged(Rng& rng, const Shape& shape) {
  Tensor x = test::random_floats(rng, shape);
  const Dim steps = shape[1];
  const std::span<float> numbers = x.mutable_data<float>();
  for (Dim row = 0; row < shape[0]; ++row) {
    const Dim length =
        row == 0 ? steps : rng.integer(static_cast<int>(steps / 10) + 1, static_cast<int>(steps));
    std::fill(numbers.begin() + (row * steps + length) * shape[2],
              numbers.begin() + (row + 1) * steps * shape[2], 0.0F);
  }
  return x;
}

// Returns sentences of words 1 to 499, most of them short, padded with zeros.
Tensor sentences(Rng& rng, Dim rows, Dim steps) {
  Tensor words = test::random_ints(rng, {rows, steps}, 1, 499);
  const std::span<std::int32_t> numbers = words.mutable_data<std::int32_t>();
  for (Dim row = 0; row < rows; ++row) {
    const Dim length = row == 0 ? steps : rng.integer(3, static_cast<int>(steps / 3));
    std::fill(numbers.begin() + row * steps + length, numbers.begin() + (row + 1) * steps, 0);
  }
  return words;
}

Workload recurrent(const char* name, const char* class_name, Counts limits) {
  Rng rng(1);
  return {name,
          ragged(rng, {32, 100, 64}),
          {test::make("Masking", {}), test::make(class_name, {{"units", 128}})},
          run_in_turn,
          limits};
}

Workload classifier(Counts limits) {
  Rng rng(2);
  return {"W3",
          sentences(rng, 64, 200),
          {test::make("Embedding", {{"input_dim", 500}, {"output_dim", 64}, {"mask_zero", true}}),
           test::make("Bidirectional", {{"layer", test::serialized("LSTM", {{"units", 64}})}}),
           test::make("Dense", {{"units", 1}, {"activation", "sigmoid"}})},
          run_in_turn,
          limits};
}

// As in W7, the weights are too large for ranges of single tiles.
Workload large(Counts limits) {
  Rng rng(3);
  return {"W7",
          test::random_floats(rng, {32, 24, 64}),
          {test::make("LSTM", {{"units", 208}, {"return_sequences", true}}),
           test::make("LSTM", {{"units", 208}})},
          run_in_turn,
          limits};
}

Workload block(Counts limits) {
  Rng rng(4);
  const auto normalization = [] { return test::make("LayerNormalization", {}); };
  return {"W8",
          ragged(rng, {16, 64, 128}),
          {test::make("Masking", {}),
           test::make("MultiHeadAttention", {{"num_heads", 4}, {"key_dim", 32}}), normalization(),
           test::make("Dense", {{"units", 512}, {"activation", "relu"}}),
           test::make("Dense", {{"units", 128}}), normalization()},
          run_block,
          limits};
}

Workload convolution(Counts limits) {
  Rng rng(5);
  return {"W9",
          test::random_floats(rng, {32, 128, 32}),
          {test::make("Conv1D", {{"filters", 64}, {"kernel_size", 5}}),
           test::make("GRU", {{"units", 64}})},
          run_in_turn,
          limits};
}

Counts counts_of(const std::function<void()>& run, int members) {
  const TeamOf team(members);
  kernels::team_use(members - 1, kernels::kLeastWork);
  const kernels::TeamCounts before = kernels::team_counts();
  const double all = kernels::flops();
  run();
  const kernels::TeamCounts after = kernels::team_counts();
  const double work = (kernels::flops() - all) / 2;
  return {after.regions - before.regions, 1 - static_cast<double>(after.work - before.work) / work};
}

void expect_within(const Workload& workload, const std::function<void()>& run) {
  run();  // builds the layers
  for (const int members : {2, 16}) {
    const Counts counts = counts_of(run, members);
    SCOPED_TRACE(testing::Message()
                 << workload.name << " with " << members << " threads: " << counts.regions
                 << " regions, " << counts.outside << " outside");
    EXPECT_GT(counts.regions, 0U);
    EXPECT_LE(counts.regions, workload.limits.regions);
    EXPECT_LE(counts.outside, workload.limits.outside);
    EXPECT_LE(counts.wakes, 2 * counts.regions);
  }
}

TEST(TeamWork, OfCallsIsInFewRegions) {
  for (const Workload& workload :
       {recurrent("W2", "LSTM", {2, 0}), classifier({1, 0.001}), recurrent("W4", "GRU", {2, 0}),
        large({4, 0}), block({15, 0.002}), convolution({3, 0.003})}) {
    expect_within(workload, [&] {
      Frame frame;
      static_cast<void>(workload.run(workload, frame));
    });
  }
}

// Computes the gradients of all weights of the layers.
void train(const Workload& workload) {
  test::Computation computation;
  for (const LayerPtr& layer : workload.layers) {
    for (const Layer::Weight& weight : layer->weights()) {
      computation.variables.push_back(weight.variable->value());
    }
  }
  Frame built;
  const Tensor result = workload.run(workload, built);
  computation.run = [&](Frame& frame) { return Tensors{workload.run(workload, frame)}; };
  const Tensor cotangent = Tensor::full(DType::kFloat32, result.shape(), 1);
  static_cast<void>(test::gradients_of(computation, {cotangent}));
}

TEST(TeamWork, OfTrainingStepsIsInFewRegions) {
  for (const Workload& workload : {recurrent("W2", "LSTM", {9, 0}), classifier({17, 0.001})}) {
    expect_within(workload, [&] { train(workload); });
  }
}

// With a single head, the backward pass of attention is one part, and its products are too small
// for regions. All else is equal.
TEST(TeamWork, OfAttentionsGradientIsSharedByHead) {
  const auto regions = [](int heads) {
    Rng rng(6);
    const Workload workload{
        "attention",
        test::random_floats(rng, {1, 64, 32}),
        {test::make("MultiHeadAttention", {{"num_heads", heads}, {"key_dim", 32 / heads}})},
        [](const Workload& w, Frame& frame) {
          Args args;
          args.inputs = {w.input};
          args.tensors.push_back({"value", {w.input}, true});
          return w.layers[0]->run(std::move(args), frame).tensors.front();
        },
        {}};
    train(workload);
    return counts_of([&] { train(workload); }, 4).regions;
  };
  EXPECT_EQ(regions(4), regions(1) + 1);
}

}  // namespace
}  // namespace maskflow

#endif
