// SPDX-License-Identifier: MIT
// Layers refuse invalid calls with typed errors that state the layer's name, the numbers and the
// remedy. An invalid call must never access memory outside a tensor; the sanitizer reports it.
#include "support/errors.hpp"

#include <gtest/gtest.h>

#include "base/memory.hpp"
#include "ops/op.hpp"
#include "support/graphs.hpp"
#include "support/layer_cases.hpp"

namespace maskflow {
namespace {

using test::call;
using test::dict;
using test::fails_with;
using test::floats;
using test::ints;
using test::list;
using test::make;
using test::mask_of;
using test::Rng;

constexpr auto kShape = ErrorKind::kShape;
constexpr auto kValue = ErrorKind::kValue;
constexpr auto kConfig = ErrorKind::kConfig;

Tensor ones(const Shape& shape) { return Tensor::full(DType::kFloat32, shape, 1); }

LayerPtr lstm() { return make("LSTM", {{"name", "reader"}, {"units", 3}}); }

testing::AssertionResult refuses(Layer& layer, const Tensor& x, ErrorKind kind,
                                 std::initializer_list<std::string> parts,
                                 const MaskPtr& mask = nullptr, const Tensors& states = {}) {
  return fails_with(kind, parts, [&] { static_cast<void>(call(layer, x, mask, states)); });
}

TEST(Errors, RankAndFeatures) {
  const LayerPtr layer = lstm();
  EXPECT_TRUE(refuses(*layer, ones({2, 4}), kShape, {"reader:", "rank 3", "(2, 4)"}));
  EXPECT_TRUE(refuses(*layer, ones({2, 3, 4, 5}), kShape, {"reader:", "rank 3", "(2, 3, 4, 5)"}));
  static_cast<void>(call(*layer, ones({2, 3, 4})));
  EXPECT_TRUE(refuses(*layer, ones({2, 3, 5}), kShape, {"reader:", "4", "5", "(2, 3, 5)"}));
  EXPECT_TRUE(refuses(*layer, ones({2, 0, 4}), kValue, {"reader:", "no steps", "(2, 0, 4)"}));
}

TEST(Errors, MasksOfAnotherShape) {
  const LayerPtr layer = lstm();
  const auto keep = [](const Shape& shape) {
    return mask_of(shape, std::vector<std::uint8_t>(static_cast<std::size_t>(shape.size()), 1));
  };
  const Tensor x = ones({2, 3, 4});
  EXPECT_TRUE(refuses(*layer, x, kShape, {"reader:", "(2, 4)", "(2, 3)"}, keep({2, 4})));
  EXPECT_TRUE(refuses(*layer, x, kShape, {"reader:", "(3, 3)", "(2, 3)"}, keep({3, 3})));
  EXPECT_TRUE(refuses(*layer, x, kShape, {"reader:", "(2, 3, 4)"}, keep({2, 3, 4})));
  EXPECT_TRUE(refuses(*layer, x, kShape, {"reader:", "(2, 3, 1, 1)"}, keep({2, 3, 1, 1})));
}

TEST(Errors, InitialStates) {
  const LayerPtr layer = lstm();
  const Tensor x = ones({2, 3, 4});
  EXPECT_TRUE(
      refuses(*layer, x, kValue, {"reader:", "1 tensors", "2 states"}, nullptr, {ones({2, 3})}));
  EXPECT_TRUE(refuses(*layer, x, kShape, {"reader:", "initial_state 1", "(2, 4)", "(2, 3)"},
                      nullptr, {ones({2, 3}), ones({2, 4})}));
  const LayerPtr both =
      make("Bidirectional", {{"name", "both"}, {"layer", serialize_layer(*lstm())}});
  EXPECT_TRUE(refuses(*both, x, kValue, {"both:", "3", "even"}, nullptr,
                      {ones({2, 3}), ones({2, 3}), ones({2, 3})}));
}

TEST(Errors, StatefulLayerKeepsItsBatchSize) {
  const LayerPtr layer = make("GRU", {{"name", "memory"}, {"units", 2}, {"stateful", true}});
  static_cast<void>(call(*layer, ones({2, 3, 4})));
  EXPECT_TRUE(refuses(*layer, ones({3, 3, 4}), kValue, {"memory:", "3", "2", "resetState()"}));
  layer->reset_state();
  EXPECT_NO_THROW(static_cast<void>(call(*layer, ones({3, 3, 4}))));
}

TEST(Errors, IdsOutOfRange) {
  const LayerPtr layer =
      make("Embedding", {{"name", "words"}, {"input_dim", 5}, {"output_dim", 2}});
  for (const std::int32_t id : {5, -6, INT32_MAX, INT32_MIN}) {
    EXPECT_TRUE(refuses(*layer, ints({1, 1}, {id}), kValue,
                        {"words:", std::to_string(id), "input_dim is 5", "-5 to 4"}));
  }
  for (const float id : {1e30F, -1e30F, INFINITY, NAN}) {
    EXPECT_TRUE(refuses(*layer, floats({1, 1}, {id}), kValue, {"words:", "not a 32-bit integer"}));
  }
}

TEST(Errors, ImpossibleSettings) {
  const auto refused = [](const char* name, const Dict& config,
                          std::initializer_list<std::string> parts) {
    return fails_with(kConfig, parts, [&] { static_cast<void>(make_layer(name, config)); });
  };
  EXPECT_TRUE(refused("LSTM", {}, {"LSTM:", "'units' must be given"}));
  EXPECT_TRUE(refused("LSTM", dict({{"units", 0}, {"name", "a"}}), {"a:", "'units' is 0", "1"}));
  EXPECT_TRUE(refused("LSTM", dict({{"units", 2.5}}), {"'units'", "an integer", "2.5"}));
  EXPECT_TRUE(refused("LSTM", dict({{"units", "many"}}), {"'units'", "'many'"}));
  EXPECT_TRUE(refused("LSTM", dict({{"units", 2}, {"unit", 3}}), {"'unit'", "units"}));
  EXPECT_TRUE(refused("LSTM", dict({{"units", 2}, {"dropout", 1.5}}), {"1.5", "0 to 1"}));
  EXPECT_TRUE(refused("LSTM", dict({{"units", 2}, {"activation", "tahn"}}), {"tahn"}));
  EXPECT_TRUE(
      refused("Embedding", dict({{"input_dim", -1}, {"output_dim", 2}}), {"input_dim", "-1"}));
  EXPECT_TRUE(refused("RNN", dict({{"cell", list({})}}), {"'cells' is empty"}));
  EXPECT_TRUE(refused("RNN", dict({{"cell", test::serialized("Dense", {{"units", 1}})}}),
                      {"Dense", "LSTMCell"}));
  EXPECT_TRUE(refused("RNN", dict({{"cell", 3}}), {"'cell'", "3"}));
  EXPECT_TRUE(refused("Bidirectional", dict({{"layer", test::serialized("Dense", {{"units", 1}})}}),
                      {"recurrent", "Dense"}));
  const Value inner = test::serialized("GRU", {{"units", 2}});
  EXPECT_TRUE(
      refused("Bidirectional", dict({{"layer", inner}, {"merge_mode", "max"}}), {"max", "concat"}));
  EXPECT_TRUE(refused("Bidirectional", dict({{"layer", inner}, {"backward_layer", inner}}),
                      {"go_backwards"}));
  EXPECT_TRUE(refused("Masking", dict({{"mask_value", "zero"}}), {"mask_value", "zero"}));
}

TEST(Errors, MaskingNeedsAValueForEachFeature) {
  const LayerPtr layer = make("Masking", {{"name", "m"}, {"mask_value", list({1, 2})}});
  EXPECT_TRUE(refuses(*layer, ones({1, 2, 3}), kShape, {"m:", "2 numbers", "3 features"}));
}

TEST(Errors, DisposedLayer) {
  int id = 0;
  {
    const LayerPtr layer = lstm();
    id = layer->id();
    EXPECT_EQ(find_layer(id), layer);
  }
  EXPECT_TRUE(
      fails_with(ErrorKind::kState, {"disposed"}, [&] { static_cast<void>(find_layer(id)); }));
}

TEST(Errors, SpecialCasesHaveTheirGeneralKindAndACodeOfTheirOwn) {
  const auto code_of = [](auto f) {
    try {
      f();
    } catch (const Error& error) {
      return std::pair{general_kind(error.kind()), error.kind()};
    }
    return std::pair{ErrorKind::kNone, ErrorKind::kNone};
  };
  const auto config = [](ErrorKind code) { return std::pair{kConfig, code}; };
  EXPECT_EQ(code_of([] { static_cast<void>(make_layer("Mine", {})); }), config(kUnknownLayer));
  EXPECT_EQ(code_of([] { static_cast<void>(find_op("Mine")); }), config(kUnknownOp));
  EXPECT_EQ(code_of([] {
              static_cast<void>(make("Activation", {{"activation", "mine"}}));
            }),
            config(kUnknownActivation));
  EXPECT_EQ(code_of([] { static_cast<void>(find_layer(-1)); }),
            (std::pair{ErrorKind::kState, kDisposed}));
  EXPECT_EQ(code_of([] { refuse_memory("a tensor", Count(1)); }),
            (std::pair{ErrorKind::kState, kOutOfMemory}));
  EXPECT_EQ(code_of([] { shape_error("x"); }), (std::pair{kShape, kShape}));
}

// Calls each layer with an input that has another size than the layer was built for.
TEST(Errors, NoLayerReadsBeyondAnInputItWasNotBuiltFor) {
  for (const test::LayerCase& c : test::layer_cases()) {
    if (c.class_name == "InputLayer") continue;
    for (int axis = 0; axis < c.input.rank(); ++axis) {
      for (const Dim size : {Dim{0}, Dim{1}, c.input[axis] - 1, c.input[axis] + 3}) {
        SCOPED_TRACE(text(c.class_name, ", axis ", axis, " of size ", size));
        const LayerPtr layer = c.make();
        Rng rng(9);
        test::randomize(*layer, rng, c.input);
        Args args = c.arguments(rng);
        Shape shape = args.inputs[0].shape();
        shape.set(axis, size);
        args.inputs[0] = Tensor::zeros(c.dtype, shape);
        try {
          static_cast<void>(layer->apply(args));
        } catch (const Error&) {  // Both an error and a result are allowed here.
        }
      }
    }
  }
}

TEST(Errors, NoLayerReadsBeyondAnInputOfAnotherRank) {
  for (const test::LayerCase& c : test::layer_cases()) {
    if (c.class_name == "InputLayer") continue;
    for (int rank = 0; rank <= 5; ++rank) {
      Shape shape;
      for (int axis = 0; axis < rank; ++axis) shape.push_back(2);
      for (const bool built : {false, true}) {
        SCOPED_TRACE(text(c.class_name, ", ", shape, built ? ", built before" : ""));
        const LayerPtr layer = c.make();
        Rng rng(9);
        if (built) test::randomize(*layer, rng, c.input);
        Args args = c.arguments(rng);
        args.inputs[0] = Tensor::zeros(c.dtype, shape);
        try {
          static_cast<void>(layer->apply(args));
        } catch (const Error&) {
        }
        // Inside TimeDistributed a layer is called without the checks of the protocol.
        const LayerPtr wrapper = make(
            "TimeDistributed", {{"layer", dict({{std::string(kLayerHandleKey), layer->id()}})}});
        try {
          static_cast<void>((*wrapper)(args.inputs[0]));
        } catch (const Error&) {
        }
      }
    }
  }
}

TEST(Errors, NoInputAtAll) {
  for (const test::LayerCase& c : test::layer_cases()) {
    const LayerPtr layer = c.make();
    EXPECT_TRUE(fails_with(kValue, {"at least one input"}, [&] {
      static_cast<void>(layer->apply(Args()));
    })) << c.class_name;
    Args absent;
    absent.inputs = {Tensor()};
    EXPECT_TRUE(fails_with(kValue, {"missing"}, [&] { static_cast<void>(layer->apply(absent)); }))
        << c.class_name;
  }
}

}  // namespace
}  // namespace maskflow
