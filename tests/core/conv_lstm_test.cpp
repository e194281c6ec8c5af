// SPDX-License-Identifier: MIT
// ConvLSTM1D equals a loop of convolutions, also for settings without recorded cases.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/errors.hpp"
#include "support/graphs.hpp"
#include "support/naive_conv.hpp"
#include "support/recurrent.hpp"

namespace maskflow {
namespace {

using test::batch_rows;
using test::call;
using test::close;
using test::fails_with;
using test::Keep;
using test::make;
using test::masked;
using test::naive_conv;
using test::NaiveWindow;
using test::random_floats;
using test::Rng;
using test::same_bits;

constexpr int kSeeds = 60;

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

struct Case {
  int batch, time, positions, channels, filters, taps;
  NaiveWindow window;
  bool use_bias, backwards;
  Tensor x;
  Keep keep;
  LayerPtr layer;

  Case(Rng& rng, bool zero)
      : batch(rng.integer(1, 4)),
        time(rng.integer(1, 5)),
        positions(rng.integer(5, 8)),
        channels(rng.integer(1, 4)),
        filters(rng.integer(1, 9)),
        taps(rng.integer(1, 3)),
        use_bias(rng.chance(0.7)),
        backwards(rng.chance(0.5)),
        x(random_floats(rng, {batch, time, positions, channels})),
        keep(test::random_keep(rng, batch, time)) {
    (rng.chance(0.5) ? window.stride : window.dilation) = rng.integer(1, 2);
    window.padding = rng.chance(0.5) ? "same" : "valid";
    layer = make("ConvLSTM1D", {{"filters", filters},
                                {"kernel_size", taps},
                                {"strides", window.stride},
                                {"dilation_rate", window.dilation},
                                {"padding", window.padding},
                                {"use_bias", use_bias},
                                {"go_backwards", backwards},
                                {"return_sequences", true},
                                {"return_state", true},
                                {"zero_output_for_mask", zero}});
    test::randomize(*layer, rng, x.shape());
  }
  [[nodiscard]] Tensors run() const { return call(*layer, masked(x, keep)); }
};

// Computes one row step by step. Masked steps show zeros if `zero`, else the step before.
Tensors naive(const Case& c, int row, bool zero) {
  Tensors w;
  for (const Layer::Weight& weight : c.layer->weights()) w.push_back(weight.variable->value());
  const NaiveWindow same{1, 1, 1, "same"};
  Tensor h, cell, shown;
  std::vector<float> sequence;
  for (int step = 0; step < c.time; ++step) {
    const int t = c.backwards ? c.time - 1 - step : step;
    const Tensor frame = test::time_step(batch_rows(c.x, row, 1), t);
    const Tensor gates = naive_conv(frame, w[0], c.use_bias ? w[2] : Tensor(), c.window);
    const Shape state{1, gates.shape()[1], c.filters};
    if (h.empty_handle()) h = cell = shown = Tensor::zeros(DType::kFloat32, state);
    if (c.keep[static_cast<std::size_t>(row * c.time + t)] != 0) {
      const std::vector<double> a = test::numbers(gates);
      const std::vector<double> b = test::numbers(naive_conv(h, w[1], Tensor(), same));
      const std::vector<double> before = test::numbers(cell);
      h = Tensor(DType::kFloat32, state);
      cell = Tensor(DType::kFloat32, state);
      const auto n = static_cast<std::size_t>(c.filters);
      for (std::size_t i = 0; i < before.size(); ++i) {
        const auto z = [&](std::size_t gate) {
          const std::size_t at = i / n * 4 * n + gate * n + i % n;
          return a[at] + b[at];
        };
        const double next = sigmoid(z(1)) * before[i] + sigmoid(z(0)) * std::tanh(z(2));
        cell.mutable_data<float>()[i] = static_cast<float>(next);
        h.mutable_data<float>()[i] = static_cast<float>(sigmoid(z(3)) * std::tanh(next));
      }
      shown = h;
    } else if (zero) {
      shown = Tensor::zeros(DType::kFloat32, state);
    }
    for (const float v : shown.data<float>()) sequence.push_back(v);
  }
  return {test::floats({1, c.time, h.shape()[1], c.filters}, sequence), h, cell};
}

template <class F>
void for_cases(bool zero, F&& f) {
  for (int seed = 0; seed < kSeeds && !testing::Test::HasFailure(); ++seed) {
    Rng rng(static_cast<std::uint64_t>(seed));
    SCOPED_TRACE(rng.trace());
    f(Case(rng, zero));
  }
}

TEST(ConvLstm1D, EqualsTheNaiveLoop) {
  for (const bool zero : {false, true}) {
    for_cases(zero, [zero](const Case& c) {
      const Tensors results = c.run();
      ASSERT_EQ(results.size(), 3U);
      for (int row = 0; row < c.batch; ++row) {
        const Tensors expected = naive(c, row, zero);
        for (std::size_t i = 0; i < 3; ++i) {
          EXPECT_TRUE(close(batch_rows(results[i], row, 1), expected[i], {1e-5, 2e-6}))
              << "result " << i;
        }
      }
    });
  }
}

TEST(ConvLstm1D, MaskedStepsAndOtherRowsHaveNoEffect) {
  for_cases(false, [](const Case& c) {
    const Tensors expected = c.run();
    const Tensor with_nan =
        test::with_masked_steps(c.x, c.keep, std::numeric_limits<float>::quiet_NaN());
    const Tensors results = call(*c.layer, masked(with_nan, c.keep));
    const auto begin = c.keep.begin() + (c.batch - 1) * c.time;
    const Tensors alone =
        call(*c.layer, masked(batch_rows(c.x, c.batch - 1, 1), Keep(begin, begin + c.time)));
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_TRUE(same_bits(results[i], expected[i]));
      EXPECT_TRUE(same_bits(alone[i], batch_rows(expected[i], c.batch - 1, 1)));
    }
  });
}

TEST(ConvLstm1D, SymbolicShapesAreThoseOfRealCalls) {
  for_cases(false, [](const Case& c) {
    const Tensors real = c.run();
    Args args;
    args.inputs = {test::input(c.x.shape())};
    const Tensors symbolic = c.layer->apply(std::move(args));
    for (std::size_t i = 0; i < real.size(); ++i) {
      EXPECT_EQ(symbolic[i].shape(), real[i].shape());
    }
  });
}

// Runs the second half of a sequence with the states of the first, passed by the test or kept by a
// stateful layer, in both data formats.
TEST(ConvLstm1D, StatesCarryOver) {
  for (const bool channels_first : {false, true}) {
    const char* const format = channels_first ? "channels_first" : "channels_last";
    const auto layer_of = [&](bool stateful) {
      Rng rng(5);
      const LayerPtr layer = make("ConvLSTM1D", {{"filters", 4},
                                                 {"kernel_size", 3},
                                                 {"data_format", format},
                                                 {"stateful", stateful},
                                                 {"return_state", true}});
      test::randomize(*layer, rng, {2, 6, 5, 5});
      return layer;
    };
    Rng rng(6);
    const Tensor x = random_floats(rng, {2, 6, 5, 5});
    const auto half = [&](Dim from) {
      return apply_op1("Slice", {&x, 1},
                       test::dict({{"start_indices", test::list({0, from, 0, 0})},
                                   {"shape", test::list({2, 3, 5, 5})}}));
    };
    const Tensors whole = call(*layer_of(false), x);
    EXPECT_EQ(whole[1].shape(), (channels_first ? Shape{2, 4, 3} : Shape{2, 3, 4}));
    const Tensors first = call(*layer_of(false), half(0));
    const Tensors second = call(*layer_of(false), half(3), nullptr, {first[1], first[2]});
    const LayerPtr stateful = layer_of(true);
    static_cast<void>(call(*stateful, half(0)));
    const Tensors continued = call(*stateful, half(3));
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_TRUE(same_bits(second[i], whole[i]));
      EXPECT_TRUE(same_bits(continued[i], whole[i]));
    }
  }
}

TEST(ConvLstm1D, RunsInsideBidirectional) {
  Rng rng(7);
  const Value inner = test::serialized(
      "ConvLSTM1D",
      {{"filters", 2}, {"kernel_size", 2}, {"padding", "same"}, {"return_sequences", true}});
  const LayerPtr both = make("Bidirectional", {{"layer", inner}});
  const Tensor x = random_floats(rng, {2, 3, 5, 4});
  test::randomize(*both, rng, x.shape());
  const Tensor result = (*both)(x);
  EXPECT_EQ(result.shape(), (Shape{2, 3, 5, 4}));
  EXPECT_EQ((*both)(test::input({2, 3, 5, 4})).shape(), result.shape());
  const Tensor reversed = (*both)(test::reversed_time(x));
  EXPECT_FALSE(same_bits(test::reversed_time(reversed), result));
}

TEST(ConvLstm1D, UnsuitableInputsAreErrorsWithTheirNumbers) {
  const LayerPtr layer = make("ConvLSTM1D", {{"filters", 2}, {"kernel_size", 3}});
  EXPECT_TRUE(fails_with(ErrorKind::kShape, {"rank 4"}, [&] {
    static_cast<void>((*layer)(test::input({1, 2, 3})));
  }));
  EXPECT_TRUE(fails_with(ErrorKind::kShape, {"must be known"}, [&] {
    static_cast<void>((*layer)(test::input({1, 2, kUnknown, 3})));
  }));
  EXPECT_TRUE(fails_with(ErrorKind::kShape, {"3 steps", "only 2"}, [&] {
    static_cast<void>((*layer)(test::input({1, 2, 2, 3})));
  }));
  const Tensor x = Tensor::zeros(DType::kFloat32, {1, 2, 5, 3});
  static_cast<void>((*layer)(x));
  EXPECT_TRUE(fails_with(ErrorKind::kShape, {"(5, 3)", "(1, 2, 6, 3)"}, [&] {
    static_cast<void>((*layer)(Tensor::zeros(DType::kFloat32, {1, 2, 6, 3})));
  }));
  const Tensor state = Tensor::zeros(DType::kFloat32, {1, 2, 3});
  EXPECT_TRUE(fails_with(ErrorKind::kShape, {"(1, 2, 3)", "(3, 2)"}, [&] {
    static_cast<void>(call(*layer, x, nullptr, {state, state}));
  }));
}

}  // namespace
}  // namespace maskflow
