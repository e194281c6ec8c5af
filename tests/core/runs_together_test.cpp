// SPDX-License-Identifier: MIT
// Runs that wait: only a layer that is meant joins them, and no call leaves one waiting.
#include <gtest/gtest.h>

#include "kernels/team.hpp"
#include "layers/recurrent/recurrent.hpp"
#include "ops/ops.hpp"
#include "support/errors.hpp"
#include "support/layers.hpp"
#include "support/team.hpp"

#if defined(MASKFLOW_THREADS)

namespace maskflow {
namespace {

using test::Rng;
using test::TeamOf;

constexpr Dim kBatch = 13;
constexpr Dim kUnits = 6;

// A cell as user code writes it: its first state is twice the output of another layer, which it
// calls in the frame of its own layer. It returns its state.
class DoublingCell final : public Layer, public RnnCell {
 public:
  DoublingCell(LayerPtr other, const Tensor& x) : other_(std::move(other)), x_(x) {
    set_class_name("DoublingCell");
  }
  Structure call(const Args& args, Frame& /*frame*/) override { return {args.inputs, false}; }
  RnnCell* as_cell() override { return this; }

  [[nodiscard]] std::string cell_name() const override { return name(); }
  [[nodiscard]] std::vector<std::size_t> state_sizes() const override { return {at(kUnits)}; }
  [[nodiscard]] std::size_t output_size() const override { return at(kUnits); }
  [[nodiscard]] std::size_t features() const override { return 5; }
  [[nodiscard]] std::size_t projected_width() const override { return 1; }
  void project(const kernels::Rows& /*inputs*/, std::size_t /*count*/,
               float* /*projected*/) override {}
  void begin(std::size_t /*lanes*/, Frame& /*frame*/) override {}
  const float* step(float* /*projected*/, const StepLanes& /*lanes*/,
                    std::span<float* const> states) override {
    return states[0];
  }
  [[nodiscard]] Tensors initial_states(Dim /*batch*/, Frame& frame) override {
    Args args;
    args.inputs = {x_};
    const Tensor result = other_->run(std::move(args), frame).tensors.front();
    return {ops::add(result, result)};
  }

 private:
  LayerPtr other_;
  Tensor x_;
};

LayerPtr lstm(Rng& rng) {
  LayerPtr layer = test::make("LSTM", {{"units", static_cast<double>(kUnits)}});
  test::randomize(*layer, rng, {kBatch, 9, 5});
  return layer;
}

LayerPtr rnn_of(const LayerPtr& cell) {
  return test::make("RNN", {{"cell", test::dict({{std::string(kLayerHandleKey), cell->id()}})}});
}

Tensor run_in(Frame& frame, Layer& layer, const Tensor& x) {
  Args args;
  args.inputs = {x};
  return layer.run(std::move(args), frame).tensors.front();
}

// Calls the layer as Bidirectional calls one that may wait.
Tensor run_with(RunsTogether& runs, Layer& layer, const Tensor& x) {
  Frame frame;
  frame.together = &runs;
  Tensor result = run_in(frame, layer, x);
  EXPECT_EQ(frame.together, nullptr);
  return result;
}

TEST(RunsTogether, LayersThatACellCallsDoNotWait) {
  Rng rng(1);
  const Tensor x = test::random_floats(rng, {kBatch, 9, 5});
  const LayerPtr other = lstm(rng);
  const Tensor output = test::call(*other, x).front();
  const auto cell = std::make_shared<DoublingCell>(other, x);
  const LayerPtr rnn = rnn_of(cell);
  const TeamOf team(3);
  RunsTogether runs;
  EXPECT_TRUE(test::same_bits(run_with(runs, *rnn, x), ops::add(output, output)));
}

TEST(RunsTogether, ACellMayCallALayerWhoseRunWaited) {
  Rng rng(2);
  const Tensor x = test::random_floats(rng, {kBatch, 9, 5});
  const LayerPtr other = lstm(rng);
  const Tensor output = test::call(*other, x).front();
  const auto cell = std::make_shared<DoublingCell>(other, x);
  const LayerPtr rnn = rnn_of(cell);
  const TeamOf team(3);
  RunsTogether runs;
  const Tensor first = run_with(runs, *other, x);
  EXPECT_FALSE(test::same_bits(first, output)) << "the run does not wait";
  EXPECT_TRUE(test::same_bits(run_with(runs, *rnn, x), ops::add(output, output)));
  EXPECT_TRUE(test::same_bits(first, output));
}

TEST(RunsTogether, TheNextCallWorksAfterAnErrorOfTheSecondDirection) {
  Rng rng(3);
  const Tensor x = test::random_floats(rng, {kBatch, 9, 5});
  const LayerPtr both =
      test::make("Bidirectional",
                 {{"layer", test::serialized("LSTM", {{"units", static_cast<double>(kUnits)}})}});
  test::randomize(*both, rng, {kBatch, 9, 5});
  const auto states = [](Dim backward_units) {
    const Tensor forward = Tensor::zeros(DType::kFloat32, {kBatch, kUnits});
    const Tensor backward = Tensor::zeros(DType::kFloat32, {kBatch, backward_units});
    return Tensors{forward, forward, backward, backward};
  };
  const TeamOf team(3);
  const Tensor expected = test::call(*both, x).front();
  EXPECT_TRUE(test::fails_with(ErrorKind::kShape, {"initial_state 0", "(13, 7)", "(13, 6)"}, [&] {
    static_cast<void>(test::call(*both, x, nullptr, states(kUnits + 1)));
  }));
  EXPECT_TRUE(test::same_bits(test::call(*both, x, nullptr, states(kUnits)).front(), expected));
}

// TimeDistributed folds time into the batch without a mask, and calls step by step with one.
TEST(RunsTogether, ReturnTheSameBitsInsideOtherLayers) {
  Rng rng(4);
  const Value both = test::serialized(
      "Bidirectional",
      {{"layer", test::serialized("GRU", {{"units", static_cast<double>(kUnits)}})}});
  const LayerPtr wrapper = test::make("TimeDistributed", {{"layer", both}});
  test::randomize(*wrapper, rng, {kBatch, 3, 9, 5});
  const Tensor x = test::random_floats(rng, {kBatch, 3, 9, 5});
  Tensor keep(DType::kBool, {kBatch, 3, 9});
  for (std::uint8_t& kept : keep.mutable_data<std::uint8_t>()) kept = rng.integer(0, 3) > 0 ? 1 : 0;
  for (const MaskPtr& mask : {MaskPtr(), make_mask(keep)}) {
    test::expect_same_for_all_teams([&] { return test::call(*wrapper, x, mask); });
  }
}

}  // namespace
}  // namespace maskflow

#endif
