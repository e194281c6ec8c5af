// SPDX-License-Identifier: MIT
// The backward pass computes equal rows once. Its gradients must equal those of the same layers
// after an op that hides which rows are equal.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ops/ops.hpp"
#include "support/gradients.hpp"
#include "support/layers.hpp"
#include "support/tensors.hpp"
#include "training/recorder.hpp"

namespace maskflow {
namespace {

using test::Computation;
using test::make;
using test::Rng;

constexpr Dim kWidth = 8;
constexpr Dim kWords = 9;

// A transformer block behind an embedding.
struct Block {
  LayerPtr embedding = make("Embedding", {{"input_dim", kWords}, {"output_dim", kWidth}});
  LayerPtr attention = make("MultiHeadAttention", {{"num_heads", 2}, {"key_dim", 4}});
  LayerPtr first_sum = make("Add", {});
  LayerPtr first_scale = make("LayerNormalization", {});
  LayerPtr inner = make("Dense", {{"units", 12}, {"activation", "tanh"}});
  LayerPtr outer = make("Dense", {{"units", kWidth}});
  LayerPtr second_sum = make("Add", {});
  LayerPtr second_scale = make("RMSNormalization", {});

  [[nodiscard]] std::vector<LayerPtr> layers() const {
    return {embedding, attention, first_sum, first_scale, inner, outer, second_sum, second_scale};
  }
};

// Where the residual input of the block comes from.
enum class Residual { kEmbedding, kConstant, kWatched };

struct Case {
  Block block;
  Tensor ids;    // int32 [batch, time]
  Tensor input;  // float32 [batch, time, width], zeros where masked
  MaskPtr mask;
  Residual residual = Residual::kEmbedding;
};

Tensor call(Layer& layer, Tensors inputs, Frame& frame) {
  Args args;
  args.list = inputs.size() > 1;
  args.inputs = std::move(inputs);
  return layer.run(std::move(args), frame).tensors.front();
}

Tensor attend(Case& c, const Tensor& x, Frame& frame) {
  Args args;
  args.inputs = {x.with_mask(c.mask)};
  args.tensors.push_back({"value", {x.with_mask(c.mask)}, false});
  return c.block.attention->run(std::move(args), frame).tensors.front().with_mask(nullptr);
}

// `hide`: whether an op behind the attention hides the equal rows.
Tensors run_block(Case& c, bool hide, Frame& frame) {
  Block& block = c.block;
  const Tensor x = c.residual == Residual::kEmbedding
                       ? call(*block.embedding, {c.ids}, frame).with_mask(nullptr)
                       : c.input;
  Tensor seen = attend(c, x, frame);
  if (hide) seen = ops::multiply(seen, Tensor::scalar(DType::kFloat32, 1));
  const Tensor sum = call(*block.first_sum, {x, seen}, frame);
  const Tensor rows = call(*block.first_scale, {sum}, frame);
  const Tensor inner = call(*block.outer, {call(*block.inner, {rows}, frame)}, frame);
  return {call(*block.second_scale, {call(*block.second_sum, {rows, inner}, frame)}, frame)};
}

Case random_case(Rng& rng, Residual residual, Dim batch, Dim time,
                 const std::vector<std::uint8_t>& keep) {
  Case c;
  c.residual = residual;
  c.mask = test::mask_of({batch, time}, keep);
  c.ids = test::random_ints(rng, {batch, time}, 1, kWords - 1);
  c.input = test::random_floats(rng, {batch, time, kWidth});
  for (std::size_t i = 0; i < keep.size(); ++i) {
    if (keep[i] != 0) continue;
    c.ids.mutable_data<std::int32_t>()[i] = 0;
    std::fill_n(c.input.mutable_floats() + i * kWidth, kWidth, 0.0F);
  }
  Frame frame;
  (void)run_block(c, false, frame);
  for (const LayerPtr& layer : c.block.layers()) {
    for (const Layer::Weight& weight : layer->weights()) {
      weight.variable->set_value(test::random_floats(rng, weight.variable->shape()));
    }
  }
  return c;
}

Tensors variables_of(const Case& c) {
  Tensors variables;
  for (const LayerPtr& layer : c.block.layers()) {
    for (const Layer::Weight& weight : layer->weights()) {
      variables.push_back(weight.variable->value());
    }
  }
  if (c.residual == Residual::kWatched) variables.push_back(c.input);
  return variables;
}

TEST(DistinctRowsGradient, EqualsThatOfAllRows) {
  Rng rng(11);
  for (int i = 0; i < 120; ++i) {
    SCOPED_TRACE(i);
    const auto residual = static_cast<Residual>(i % 3);
    const int batch = rng.integer(1, 4);
    const int time = rng.integer(2, 10);
    Case c = random_case(rng, residual, batch, time, test::random_keep(rng, batch, time));
    const auto computation = [&](bool hide) {
      return Computation{variables_of(c), [&c, hide](Frame& f) { return run_block(c, hide, f); }};
    };
    Frame frame;
    const Tensors cotangents = test::random_cotangents(rng, run_block(c, false, frame));
    const Tensors reduced = test::gradients_of(computation(false), cotangents);
    const Tensors whole = test::gradients_of(computation(true), cotangents);
    ASSERT_EQ(reduced.size(), whole.size());
    for (std::size_t k = 0; k < reduced.size(); ++k) {
      ASSERT_EQ(reduced[k].empty_handle(), whole[k].empty_handle());
      if (whole[k].empty_handle()) continue;
      EXPECT_TRUE(test::close(reduced[k], whole[k], {1e-4, 1e-4})) << "variable " << k;
    }
  }
}

// Layers behind an embedding pass their gradients to its table, if that is not larger than their
// input.
TEST(DistinctRowsGradient, OfATableBehindRecurrentLayersEqualsThatOfItsRows) {
  Rng rng(12);
  for (int i = 0; i < 60; ++i) {
    SCOPED_TRACE(i);
    const int words = rng.integer(2, 60);
    const Dim batch = rng.integer(1, 5);
    const Dim time = rng.integer(1, 12);
    const Tensor ids = test::random_ints(rng, {batch, time}, 0, words - 1);
    const LayerPtr embedding =
        make("Embedding", {{"input_dim", words}, {"output_dim", kWidth}, {"mask_zero", true}});
    const LayerPtr first = make("GRU", {{"units", 5}, {"return_sequences", true}});
    const LayerPtr second = make("LSTM", {{"units", 3}});
    const auto run = [&](bool hide, Frame& frame) -> Tensors {
      Tensor x = call(*embedding, {ids}, frame);
      if (hide) x = ops::multiply(x, Tensor::scalar(DType::kFloat32, 1)).with_mask(x.mask());
      return {call(*first, {x}, frame), call(*second, {x}, frame)};
    };
    Frame frame;
    const Tensors cotangents = test::random_cotangents(rng, run(false, frame));
    const Tensor table = embedding->weights().front().variable->value();
    const auto gradient = [&](bool hide) {
      const Computation computation{{table}, [&](Frame& f) { return run(hide, f); }};
      return test::gradients_of(computation, cotangents).front();
    };
    EXPECT_TRUE(test::close(gradient(false), gradient(true), {1e-5, 1e-5}));
  }
}

// Counts the rows that Dense layers multiply while a block is recorded.
class RowCounter final : public Observer {
 public:
  explicit RowCounter(Tape& tape) : recorder_(tape) {}
  Structure call(Layer& layer, const Args& args, Frame& frame) override {
    Structure result = recorder_.call(layer, args, frame);
    const Tensor& first = result.tensors.front();
    if (layer.class_name() == "Dense" && first.lookup() != nullptr) ++reduced;
    return result;
  }
  int reduced = 0;

 private:
  Recorder recorder_;
};

TEST(DistinctRowsGradient, ReducesTheLayersBehindAttention) {
  for (const Residual residual : {Residual::kEmbedding, Residual::kConstant, Residual::kWatched}) {
    Rng rng(5);
    Case c = random_case(rng, residual, 2, 4, {1, 0, 0, 0, 1, 0, 0, 0});
    Tape tape;
    for (const Tensor& variable : variables_of(c)) tape.watch(variable);
    RowCounter counter(tape);
    Frame frame;
    frame.observer = &counter;
    (void)run_block(c, false, frame);
    // Each position of a watched input has a gradient of its own.
    EXPECT_EQ(counter.reduced, residual == Residual::kWatched ? 0 : 2);
  }
}

// The gradients of a Dense layer, where the cotangents of some rows are zeros.
Tensors dense_gradients(const Tensor& x, const Tensor& kernel, const Tensor& cotangent) {
  const LayerPtr dense = make("Dense", {{"units", cotangent.shape().back()}});
  dense->build_once({x.shape()});
  dense->set_weights({kernel, Tensor::zeros(DType::kFloat32, {cotangent.shape().back()})});
  Tensors variables{x};
  for (const Layer::Weight& weight : dense->weights())
    variables.push_back(weight.variable->value());
  const Computation computation{variables, [&](Frame& f) { return Tensors{call(*dense, {x}, f)}; }};
  return test::gradients_of(computation, {cotangent});
}

TEST(ZeroCotangents, AreSkippedWithTheSameBits) {
  Rng rng(17);
  for (int i = 0; i < 40; ++i) {
    const int rows = rng.integer(1, 150);
    const Tensor x = test::random_floats(rng, {rows, 5});
    const Tensor kernel = test::random_floats(rng, {5, 3});
    Tensor cotangent = test::random_floats(rng, {rows, 3});
    std::vector<std::int32_t> used;
    for (int row = 0; row < rows; ++row) {
      if (rng.chance(0.7)) {
        std::fill_n(cotangent.mutable_floats() + 3 * row, 3, 0.0F);
      } else {
        used.push_back(row);
      }
    }
    const auto part = [&](const Tensor& all) {
      return ops::take(all, test::ints({static_cast<Dim>(used.size())}, used), 0);
    };
    const Tensors whole = dense_gradients(x, kernel, cotangent);
    const Tensors kept = dense_gradients(part(x), kernel, part(cotangent));
    EXPECT_TRUE(test::same_bits(part(whole[0]), kept[0]));
    EXPECT_TRUE(test::same_bits(whole[1], kept[1]));
    EXPECT_TRUE(test::same_bits(whole[2], kept[2]));
  }
}

TEST(ZeroCotangents, OfFactorsThatAreNotFiniteGiveNaN) {
  const float infinity = std::numeric_limits<float>::infinity();
  const Tensor cotangent = test::floats({2, 1}, {1, 0});
  const Tensor plain = test::floats({1, 1}, {2});
  const Tensors hidden = dense_gradients(test::floats({2, 1}, {3, infinity}), plain, cotangent);
  EXPECT_TRUE(std::isnan(hidden[1].floats()[0]));
  const Tensors kernel =
      dense_gradients(test::floats({2, 1}, {3, 4}), test::floats({1, 1}, {infinity}), cotangent);
  EXPECT_TRUE(std::isnan(kernel[0].floats()[1]));
}

}  // namespace
}  // namespace maskflow
