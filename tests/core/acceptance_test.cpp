// SPDX-License-Identifier: MIT
// Layers, ops and symbolic shapes refuse invalid arguments, and their errors name the cause.
#include <gtest/gtest.h>

#include <array>

#include "ops/ops.hpp"
#include "support/errors.hpp"
#include "support/graphs.hpp"

namespace maskflow {
namespace {

using test::dict;
using test::fails_with;
using test::list;
using test::make;

Args several(const Tensors& inputs) {
  Args args;
  args.inputs = inputs;
  args.list = true;
  return args;
}
Tensor ones(const Shape& shape) { return Tensor::full(DType::kFloat32, shape, 1); }

TEST(Acceptance, BuildChecksTheRank) {
  for (const LayerPtr& layer : {make("LSTM", {{"units", 2}}), make("Dense", {{"units", 2}}),
                                make("MultiHeadAttention", {{"num_heads", 2}, {"key_dim", 2}})}) {
    EXPECT_TRUE(fails_with(ErrorKind::kShape, {"rank", "(1,)"}, [&] { layer->build_once({{1}}); }))
        << layer->class_name();
    EXPECT_FALSE(layer->built());
  }
}

TEST(Acceptance, LayersOfOneTensorRefuseTwo) {
  const Tensor x = ones({2, 3, 4});
  for (const LayerPtr& layer : {make("LSTM", {{"units", 2}}), make("Dense", {{"units", 2}}),
                                make("Dropout", {{"rate", 0.5}})}) {
    EXPECT_TRUE(fails_with(ErrorKind::kValue, {layer->class_name(), "one tensor", "2"}, [&] {
      static_cast<void>(layer->apply(several({x, x})));
    }));
    EXPECT_NO_THROW(static_cast<void>(layer->apply(several({x})))) << layer->class_name();
  }
}

TEST(Acceptance, UnknownCallArgumentsAreErrors) {
  const Tensor x = ones({2, 3, 4});
  const LayerPtr lstm = make("LSTM", {{"units", 2}});
  Args args;
  args.inputs = {x};
  args.tensors.push_back({"inital_state", {x}, false});
  EXPECT_TRUE(fails_with(ErrorKind::kValue, {"LSTM", "inital_state", "initial_state"},
                         [&] { static_cast<void>(lstm->apply(args)); }));
  args.tensors.clear();
  args.options["causal"] = true;
  EXPECT_TRUE(fails_with(ErrorKind::kValue, {"causal", "mask, training"},
                         [&] { static_cast<void>(lstm->apply(args)); }));
  args.options["causal"] = nullptr;
  EXPECT_NO_THROW(static_cast<void>(lstm->apply(args)));
}

TEST(Acceptance, KerasDtypePoliciesAreAcceptedAndOthersRefused) {
  const auto dense = [](const Value& dtype) {
    return make("Dense", {{"units", 2}, {"dtype", dtype}});
  };
  const auto policy = [](const char* class_name, const char* name) {
    return Value(dict({{"module", "keras"},
                       {"class_name", class_name},
                       {"config", Value(dict({{"name", name}}))},
                       {"registered_name", nullptr}}));
  };
  for (const Value& dtype :
       {Value("float16"), Value("mixed_float16"), Value("mixed_bfloat16"), Value("float64"),
        Value(nullptr), policy("DTypePolicy", "mixed_float16")}) {
    const LayerPtr layer = dense(dtype);
    EXPECT_EQ((*layer)(ones({1, 3})).dtype(), DType::kFloat32);
    EXPECT_EQ(test::text_of(layer->get_config()["dtype"]), test::text_of(dtype));
  }
  for (const Value& dtype :
       {Value("flot32"), Value(3), policy("QuantizedDTypePolicy", "int8_from_float32"),
        Value(dict({{"class_name", "DTypePolicyMap"}}))}) {
    EXPECT_TRUE(fails_with(ErrorKind::kUnsupported, {"dtype", "mixed_float16", "float32"},
                           [&] { static_cast<void>(dense(dtype)); }));
  }
}

Tensor item(const Tensor& x, const Value& key) {
  return apply_op1("GetItem", {&x, 1}, dict({{"key", key}}));
}

TEST(Acceptance, InvalidKeysOfGetItemAreErrors) {
  const Tensor x = ones({2, 3});
  for (const Value& key : {Value("x"), Value(list({"x"})), Value(list({true})),
                           Value(list({Value(dict({{"strat", 1}}))}))}) {
    EXPECT_TRUE(fails_with(ErrorKind::kValue, {"GetItem", "index", "start, stop, step"},
                           [&] { static_cast<void>(item(x, key)); }));
  }
  EXPECT_EQ(item(x, list({"...", Value(dict({{"start", 1}}))})).shape(), (Shape{2, 2}));
}

TEST(Acceptance, ImpossibleShapesAreErrors) {
  const Tensor x = ones({2, 3});
  const auto run = [&](const char* name, Operands operands, test::Entries settings) {
    static_cast<void>(apply_op(name, operands, dict(settings)));
  };
  EXPECT_TRUE(fails_with(ErrorKind::kShape, {"Repeat", "1000000000", "2147483647"}, [&] {
    run("Repeat", {&x, 1}, {{"repeats", 1e9}});
  }));
  EXPECT_TRUE(fails_with(ErrorKind::kShape, {"Tile", "1000000000", "2147483647"}, [&] {
    run("Tile", {&x, 1}, {{"repeats", list({1e9})}});
  }));
  for (const char* name : {"Zeros", "Ones"}) {
    EXPECT_TRUE(fails_with(ErrorKind::kShape, {name, "negative", "-1", "0 or more"}, [&] {
      run(name, {}, {{"shape", list({2, -1})}});
    }));
  }
}

// Errors do not show the size that replaces an unknown dimension while shapes are inferred.
TEST(Acceptance, UnknownDimensionsAreNoneInErrors) {
  const Tensor x = test::input({kUnknown, kUnknown, 4});
  const Tensor three = ones({3});
  EXPECT_TRUE(fails_with(ErrorKind::kShape, {"(None, None, 4)", "(3,)"},
                         [&] { static_cast<void>(ops::add(x, three)); }));
  // A known dimension of 12 is shown as 12.
  const Tensor twelve = test::input({kUnknown, 12});
  EXPECT_TRUE(fails_with(ErrorKind::kShape, {"(None, 12)", "(3,)"},
                         [&] { static_cast<void>(ops::add(twelve, three)); }));
  // Later calls on tensors show all sizes as numbers.
  EXPECT_TRUE(fails_with(ErrorKind::kShape, {"(12, 4)", "(24,)"}, [&] {
    static_cast<void>(ops::add(ones({12, 4}), ones({24})));
  }));
}

TEST(Acceptance, ModelOfAnInnerTensorGetsItsOwnInputs) {
  const Tensor x = test::input({kUnknown, kUnknown, 4});
  const LayerPtr lstm = make("LSTM", {{"units", 3}, {"return_sequences", true}});
  const LayerPtr dense = make("Dense", {{"units", 2}});
  const Tensor h = (*lstm)(x);
  const auto model = test::functional({h}, {(*dense)(ops::add(h, test::scalar(1)))});
  // The layer that computes the input does not belong to the model.
  std::vector<std::string> names;
  for (const LayerPtr& layer : model->sublayers()) names.push_back(layer->class_name());
  EXPECT_EQ(names, (std::vector<std::string>{"InputLayer", "Dense"}));
  EXPECT_EQ(model->weights().size(), 2U);
  const Tensor data = ones({2, 5, 3});
  const Tensor wanted = (*dense)(ops::add(data, test::scalar(1)));
  EXPECT_TRUE(test::same_bits((*model)(data), wanted));
  EXPECT_TRUE(test::same_bits((*test::reloaded(*model))(data), wanted));
  EXPECT_EQ(model->graph().inputs().front().shape(), (Shape{kUnknown, kUnknown, 3}));
  // Every tensor that the model needs from the outer graph must be one of its inputs.
  EXPECT_TRUE(fails_with(ErrorKind::kConfig, {"not an input of the model"}, [&] {
    static_cast<void>(test::functional({h}, {ops::concatenate(std::array{x, h}, -1)}));
  }));
}

}  // namespace
}  // namespace maskflow
