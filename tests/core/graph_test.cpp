// SPDX-License-Identifier: MIT
// Functional and Sequential models: what they compute, what their masks do, and their
// configuration.
#include <gtest/gtest.h>

#include "ops/ops.hpp"
#include "support/errors.hpp"
#include "support/graphs.hpp"

namespace maskflow {
namespace {

using test::fails_with;
using test::functional;
using test::input;
using test::make;
using test::random_floats;
using test::random_ints;
using test::reloaded;
using test::Rng;
using test::run;
using test::same_bits;
using test::same_mask;
using test::sequential;
using test::text_of;

void expect_same(const Tensors& got, const Tensors& wanted) {
  ASSERT_EQ(got.size(), wanted.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_TRUE(same_bits(got[i], wanted[i])) << "output " << i;
    EXPECT_TRUE(same_mask(got[i].mask(), wanted[i].mask())) << "output " << i;
  }
}

// A model from the configuration returns the same results and the same configuration.
void expect_round_trip(Layer& model, const Tensors& inputs) {
  const LayerPtr copy = reloaded(model);
  EXPECT_EQ(text_of(copy->get_config()), text_of(model.get_config()));
  expect_same(run(*copy, inputs), run(model, inputs));
}

LayerPtr embedding() {
  return make("Embedding", {{"input_dim", 7}, {"output_dim", 3}, {"mask_zero", true}});
}

Tensor some_ids() { return test::ints({3, 4}, {1, 2, 0, 0, 3, 4, 5, 6, 0, 0, 0, 0}); }

TEST(FunctionalModel, EqualsItsLayersCalledInOrder) {
  const LayerPtr words = embedding();
  const LayerPtr lstm = make("LSTM", {{"units", 4}, {"return_sequences", true}});
  const LayerPtr dense = make("Dense", {{"units", 2}});
  const Tensor ids = input({kUnknown, kUnknown}, DType::kInt32);
  const auto model = functional({ids}, {(*dense)((*lstm)((*words)(ids)))});
  const Tensor got = (*model)(some_ids());
  const Tensor wanted = (*dense)((*lstm)((*words)(some_ids())));
  expect_same({got}, {wanted});
  EXPECT_NE(got.mask(), nullptr) << "the output keeps the mask of the last layer inside";
  expect_round_trip(*model, {some_ids()});
}

// Nodes of a chain are freed in a loop: recursive destructors would overflow the stack.
TEST(FunctionalModel, SupportsThousandsOfOperations) {
  constexpr int kMany = 20'000;
  const Tensor start = input({kUnknown, 2});
  const Tensor one = Tensor::scalar(DType::kFloat32, 1);
  Tensor end = start;
  for (int i = 0; i < kMany; ++i) end = ops::add(end, one);
  EXPECT_EQ(end.shape(), (Shape{kUnknown, 2}));
}

TEST(FunctionalModel, InfersShapesOfLongSequences) {
  const Tensor one = Tensor::scalar(DType::kFloat32, 1);
  EXPECT_EQ(ops::add(input({kUnknown, 400'000, 3}), one).shape(), (Shape{kUnknown, 400'000, 3}));
  EXPECT_TRUE(
      fails_with(ErrorKind::kShape, {"24000000", "leave the length of long sequences"}, [&] {
        static_cast<void>(ops::add(input({kUnknown, 8'000'000, 3}), one));
      }));
}

TEST(FunctionalModel, MaskBecomesPartOfTheGraph) {
  const Tensor ids = input({kUnknown, kUnknown}, DType::kInt32);
  const Tensor y = (*make("LSTM", {{"units", 2}}))((*embedding())(ids));
  const auto model = functional({ids}, {y});
  std::vector<std::string> classes;
  for (const auto& node : model->graph().nodes()) classes.push_back(node->operation->class_name());
  EXPECT_EQ(classes, (std::vector<std::string>{"InputLayer", "Embedding", "NotEqual", "LSTM"}));
  EXPECT_EQ(model->sublayers().size(), 3U) << "an op does not count as a layer";
  expect_round_trip(*model, {some_ids()});
}

TEST(FunctionalModel, SharedLayersListTheirWeightsOnce) {
  const LayerPtr dense = make("Dense", {{"units", 3}, {"name", "shared"}});
  const Tensor a = input({kUnknown, 3});
  const Tensor b = input({kUnknown, 3});
  const Tensor sum = ops::add((*dense)(a), (*dense)((*dense)(b)));
  const auto model = functional({a, b}, {sum});
  EXPECT_EQ(model->weights().size(), 2U);
  Rng rng(1);
  test::randomize(*dense, rng, {1, 3});
  const Tensor x = random_floats(rng, {2, 3});
  const Tensor y = random_floats(rng, {2, 3});
  expect_same(run(*model, {x, y}), {ops::add((*dense)(x), (*dense)((*dense)(y)))});
  expect_round_trip(*model, {x, y});
}

TEST(FunctionalModel, ReturnsSeveralOutputsAndStates) {
  const LayerPtr gru =
      make("GRU", {{"units", 3}, {"return_sequences", true}, {"return_state", true}});
  const Tensor x = input({kUnknown, kUnknown, 2});
  const Tensors results = run(*gru, {x});
  ASSERT_EQ(results.size(), 2U);
  const auto model = functional({x}, {results[1], results[0]});
  Rng rng(2);
  const Tensor data = random_floats(rng, {2, 5, 2});
  const Tensors wanted = run(*gru, {data});
  expect_same(run(*model, {data}), {wanted[1], wanted[0]});
  expect_round_trip(*model, {data});
}

TEST(FunctionalModel, InitialStateIsAnArgumentOfItsNode) {
  const LayerPtr encoder = make("LSTM", {{"units", 3}, {"return_state", true}});
  const LayerPtr decoder = make("LSTM", {{"units", 3}, {"return_sequences", true}});
  const Tensor source = input({kUnknown, kUnknown, 2});
  const Tensor target = input({kUnknown, kUnknown, 2});
  const Tensors encoded = run(*encoder, {source});
  const auto model =
      functional({source, target}, test::call(*decoder, target, nullptr, {encoded[1], encoded[2]}));
  Rng rng(3);
  const Tensor x = random_floats(rng, {2, 4, 2});
  const Tensor y = random_floats(rng, {2, 3, 2});
  const Tensors states = run(*encoder, {x});
  expect_same(run(*model, {x, y}), test::call(*decoder, y, nullptr, {states[1], states[2]}));
  expect_round_trip(*model, {x, y});
}

TEST(FunctionalModel, NestedModelsPassMasksThroughAtRunTime) {
  const Tensor inner_input = input({kUnknown, kUnknown, 3});
  const LayerPtr lstm = make("LSTM", {{"units", 2}, {"return_sequences", true}});
  const auto inner = functional({inner_input}, {(*lstm)(inner_input)});
  const LayerPtr words = embedding();
  const Tensor ids = input({kUnknown, kUnknown}, DType::kInt32);
  const test::Scope scope;
  const Tensor nested = (*inner)((*words)(ids));
  EXPECT_EQ(nested.mask(), nullptr) << "symbolically a model supports no masks";
  const auto model = functional({ids}, {nested});
  const Tensor got = (*model)(some_ids());
  expect_same({got}, {(*lstm)((*words)(some_ids()))});
  EXPECT_TRUE(scope.warnings().empty()) << "its layers use the mask";
  expect_round_trip(*model, {some_ids()});
}

TEST(FunctionalModel, InnerTensorCanBeAnInput) {
  const LayerPtr lstm = make("LSTM", {{"units", 3}, {"return_state", true}});
  const Tensor x = input({kUnknown, kUnknown, 2});
  const Tensors results = run(*lstm, {x});
  const LayerPtr dense = make("Dense", {{"units", 2}});
  // The outputs of the model are the second and the third output of one node.
  const auto model =
      functional({results[2], results[1]}, {(*dense)(ops::subtract(results[1], results[2]))});
  Rng rng(4);
  const Tensor c = random_floats(rng, {2, 3});
  const Tensor h = random_floats(rng, {2, 3});
  expect_same(run(*model, {c, h}), {(*dense)(ops::subtract(h, c))});
  const Tensors symbolic = run(*model, {input({5, 3}), input({5, 3})});
  EXPECT_EQ(symbolic.front().shape(), (Shape{5, 2}));
}

TEST(FunctionalModel, AddsOrRemovesALastAxisOfSizeOne) {
  const Tensor x = input({kUnknown, kUnknown, 1});
  const LayerPtr lstm = make("LSTM", {{"units", 2}});
  const auto model = functional({x}, {(*lstm)(x)});
  Rng rng(5);
  const Tensor data = random_floats(rng, {2, 3});
  const std::vector<std::uint8_t> keep{1, 1, 0, 0, 1, 1};
  const Tensor wanted = (*lstm)(test::masked(data.reshaped({2, 3, 1}), keep));
  const test::Scope scope;
  EXPECT_TRUE(same_bits((*model)(test::masked(data, keep)), wanted)) << "with the mask it had";
}

TEST(FunctionalModel, UnsuitableInputsAreErrors) {
  const Tensor x = input({kUnknown, 3});
  const auto model = functional({x}, {(*make("Dense", {{"units", 2}}))(x)});
  model->set_name("net");
  EXPECT_TRUE(fails_with(ErrorKind::kShape, {"net:", "(None, 3)", "(2, 4)"}, [&] {
    static_cast<void>((*model)(Tensor::zeros(DType::kFloat32, {2, 4})));
  }));
  EXPECT_TRUE(fails_with(ErrorKind::kShape, {"net:", "1 inputs", "2"}, [&] {
    const Tensor data = Tensor::zeros(DType::kFloat32, {2, 3});
    static_cast<void>(run(*model, {data, data}));
  }));
  const Tensor other = input({kUnknown, 3});
  EXPECT_TRUE(fails_with(ErrorKind::kConfig, {"not an input of the model"},
                         [&] { static_cast<void>(functional({x}, {ops::add(x, other)})); }));
  EXPECT_TRUE(fails_with(ErrorKind::kConfig, {"symbolic"},
                         [&] { static_cast<void>(functional({x}, {test::floats({1}, {1})})); }));
  EXPECT_TRUE(fails_with(ErrorKind::kState, {"symbolic", "predict"},
                         [&] { static_cast<void>(x.data<float>()); }));
}

// --- Sequential
// -------------------------------------------------------------------------------------

TEST(SequentialModel, EqualsItsLayersAndTheirMasks) {
  const LayerPtr words = embedding();
  const LayerPtr both = make("Bidirectional", {{"layer", test::serialized("GRU", {{"units", 2}})}});
  const LayerPtr dense = make("Dense", {{"units", 1}, {"activation", "sigmoid"}});
  const auto model = sequential({words, both, dense});
  const Tensor got = (*model)(some_ids());
  expect_same({got}, {(*dense)((*both)((*words)(some_ids())))});
  EXPECT_EQ(model->weights().size(), 1U + 6U + 2U);
  const LayerPtr copy = deserialize_layer(serialize_layer(*model));
  EXPECT_EQ(text_of(copy->get_config()), text_of(model->get_config()));
}

TEST(SequentialModel, BuildsItsGraphWhenItsInputsAreKnown) {
  const auto model = sequential({make("Dense", {{"units", 1}})});
  EXPECT_TRUE(fails_with(ErrorKind::kState, {"not known yet", "Input"},
                         [&] { static_cast<void>(model->graph()); }));
  const auto known = sequential({make("InputLayer", {{"batch_shape", test::list({nullptr, 3})}}),
                                 make("Dense", {{"units", 1}})});
  EXPECT_EQ(known->graph().outputs().front().shape(), (Shape{kUnknown, 1}));
  EXPECT_EQ(summary(*known).size(), 2U);
}

TEST(SequentialModel, LearnsItsInputFromTheFirstCall) {
  const auto model = sequential({embedding(), make("LSTM", {{"units", 2}})});
  EXPECT_FALSE(model->has_graph());
  static_cast<void>((*model)(some_ids()));
  const Tensor& input = model->graph().inputs().front();
  EXPECT_EQ(input.shape()[0], kUnknown);
  EXPECT_EQ(input.shape()[1], some_ids().shape()[1]);
  EXPECT_EQ(input.dtype(), DType::kInt32);
  EXPECT_EQ(model->graph().outputs().front().shape(), (Shape{kUnknown, 2}));
  EXPECT_EQ(summary(*model).size(), 4U);  // Input, Embedding, NotEqual for the mask, LSTM
  // As in Keras, the graph of the remaining layers is made at once.
  model->pop();
  EXPECT_TRUE(model->has_graph());
  EXPECT_EQ(model->graph().outputs().front().shape().rank(), 3);
}

TEST(SequentialModel, LayersCanBeAddedAndRemoved) {
  const auto model = sequential({});
  EXPECT_TRUE(fails_with(ErrorKind::kState, {"no layer"}, [&] { model->pop(); }));
  EXPECT_TRUE(fails_with(ErrorKind::kConfig, {"layers"}, [&] { model->add(nullptr); }));
  model->add(make("Flatten", {}));
  model->add(make("Dense", {{"units", 3}}));
  model->pop();
  EXPECT_EQ((*model)(Tensor::zeros(DType::kFloat32, {2, 3, 4})).shape(), (Shape{2, 12}));
}

}  // namespace
}  // namespace maskflow
