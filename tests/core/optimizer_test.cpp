// SPDX-License-Identifier: MIT
// Optimizers without recorded cases: errors, shared storage, odd sizes, settings.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/memory.hpp"
#include "support/errors.hpp"
#include "support/tensors.hpp"
#include "support/training.hpp"
#include "support/values.hpp"

namespace maskflow {
namespace {

using test::dict;
using test::fails_with;
using test::floats;
using test::list;
using test::optimizer_from;

Value serialized(const std::string& name, const Dict& config = {}) {
  return dict({{"class_name", name}, {"config", config}});
}

std::vector<std::string> names_of_optimizers() {
  std::vector<std::string> names;
  for (const ConfigurableClass* one : all_configurables(ConfigurableKind::kOptimizer)) {
    names.emplace_back(one->name);
  }
  return names;
}

// An optimizer with the settings that it requires.
std::shared_ptr<Optimizer> make(const std::string& name) {
  if (name != "LossScaleOptimizer") return optimizer_from(name);
  return optimizer_from(serialized(name, dict({{"inner_optimizer", "adam"}})));
}

TEST(Optimizer, IsFoundByNameInAnyCase) {
  for (const char* name : {"AdamW", "adamw", "adam_w", "ADAMW"}) {
    EXPECT_EQ(optimizer_from(name)->class_name(), "AdamW");
  }
  EXPECT_EQ(optimizer_from("rmsprop")->name(), "rm_sprop");
  const Value torch = dict({{"module", "keras.src.backend.torch.optimizers.torch_sgd"},
                            {"class_name", "SGD"},
                            {"config", dict({{"learning_rate", 0.5}})},
                            {"registered_name", "SGD"}});
  EXPECT_EQ(optimizer_from(torch)->learning_rate(), 0.5F);
  EXPECT_TRUE(
      fails_with(ErrorKind::kConfig, {"adan", "Adam", "SGD"}, [] { optimizer_from("adan"); }));
  EXPECT_TRUE(fails_with(ErrorKind::kConfig, {"class_name"}, [] { optimizer_from(Value(3)); }));
}

TEST(Optimizer, ChecksSettings) {
  const auto with = [](const char* name, Value value) {
    return [=] { optimizer_from(serialized("SGD", dict({{name, value}}))); };
  };
  EXPECT_TRUE(fails_with(ErrorKind::kConfig, {"momentun", "'momentum'"}, with("momentun", 0.5)));
  EXPECT_TRUE(fails_with(ErrorKind::kConfig, {"momentum", "1.5"}, with("momentum", 1.5)));
  EXPECT_TRUE(
      fails_with(ErrorKind::kConfig, {"learning_rate", "fast"}, with("learning_rate", "fast")));
  EXPECT_TRUE(
      fails_with(ErrorKind::kConfig, {"learning_rate"}, with("learning_rate", std::nan(""))));
  EXPECT_TRUE(fails_with(ErrorKind::kConfig, {"gradient_accumulation_steps", "1"},
                         with("gradient_accumulation_steps", 1)));
  EXPECT_TRUE(fails_with(ErrorKind::kConfig, {"clipnorm", "clipvalue"}, [] {
    optimizer_from(serialized("Adam", dict({{"clipnorm", 1}, {"clipvalue", 1}})));
  }));
  EXPECT_TRUE(fails_with(ErrorKind::kConfig, {"AdamW", "weight_decay"}, [] {
    optimizer_from(serialized("AdamW", dict({{"weight_decay", Value()}})));
  }));
  EXPECT_TRUE(fails_with(ErrorKind::kConfig, {"ExponentialDecay", "decay_steps", "0"}, [] {
    optimizer_from(serialized(
        "SGD",
        dict({{"learning_rate", serialized("ExponentialDecay", dict({{"initial_learning_rate", 1},
                                                                     {"decay_steps", 0},
                                                                     {"decay_rate", 1}}))}})));
  }));
  EXPECT_TRUE(fails_with(ErrorKind::kConfig, {"LossScaleOptimizer", "inner_optimizer"},
                         [] { optimizer_from("LossScaleOptimizer"); }));
}

TEST(Optimizer, IsRestoredFromItsConfiguration) {
  for (const std::string& name : names_of_optimizers()) {
    const auto optimizer = make(name);
    const Value first = optimizer->serialize();
    EXPECT_EQ(test::text_of(optimizer_from(first)->serialize()), test::text_of(first)) << name;
  }
}

TEST(Optimizer, RefusesOtherVariables) {
  const auto kernel = test::variable("kernel", floats({2}, {1, 2}));
  const auto bias = test::variable("bias", floats({1}, {1}));
  const auto sgd = optimizer_from("sgd");
  const Tensor gradient = floats({2}, {1, 1});
  EXPECT_TRUE(fails_with(ErrorKind::kState, {"sgd", "build"},
                         [&] { test::apply(*sgd, {gradient}, {kernel}); }));
  test::build(*sgd, {kernel});
  EXPECT_TRUE(fails_with(ErrorKind::kValue, {"'bias'", "(1,)"}, [&] {
    test::apply(*sgd, {gradient, floats({1}, {1})}, {kernel, bias});
  }));
  EXPECT_TRUE(fails_with(ErrorKind::kShape, {"'kernel'", "(2,)", "(3,)"}, [&] {
    test::apply(*sgd, {floats({3}, {1, 1, 1})}, {kernel});
  }));
  EXPECT_TRUE(fails_with(ErrorKind::kValue, {"'kernel'", "int32"}, [&] {
    test::apply(*sgd, {test::ints({2}, {1, 1})}, {kernel});
  }));
  EXPECT_TRUE(fails_with(ErrorKind::kValue, {"1 gradients", "2 variables"}, [&] {
    test::apply(*sgd, {gradient}, {kernel, kernel});
  }));
  EXPECT_TRUE(fails_with(ErrorKind::kValue, {"'kernel'", "two gradients"}, [&] {
    test::apply(*sgd, {gradient, gradient}, {kernel, kernel});
  }));
  EXPECT_TRUE(fails_with(ErrorKind::kValue, {"gradient"},
                         [&] { test::apply(*sgd, {Tensor()}, {kernel}); }));
  EXPECT_TRUE(fails_with(ErrorKind::kState, {"sgd"}, [&] { test::build(*sgd, {bias}); }));
  EXPECT_EQ(sgd->steps(), 0);
  EXPECT_TRUE(test::same_bits(kernel->value(), floats({2}, {1, 2})));
  test::apply(*sgd, {}, {});  // As in Keras, a step without gradients does nothing.
  EXPECT_EQ(sgd->steps(), 0);
}

TEST(Optimizer, RefusesRepeatedVariablesAndOtherDTypes) {
  const auto kernel = test::variable("kernel", floats({2}, {1, 2}));
  const auto optimizer = optimizer_from("adam");
  EXPECT_TRUE(fails_with(ErrorKind::kValue, {"'kernel'", "twice"}, [&] {
    test::build(*optimizer, {kernel, kernel});
  }));
  const auto counter = test::variable("counter", test::ints({2}, {1, 2}));
  EXPECT_TRUE(fails_with(ErrorKind::kValue, {"'counter'", "int32"},
                         [&] { test::build(*optimizer, {counter}); }));
  EXPECT_FALSE(optimizer->built());
  test::build(*optimizer, {kernel});
  EXPECT_EQ(optimizer->variables().size(), 4U);
}

// The order of variables may change, and variables may be left out.
TEST(Optimizer, KeepsStateForEachVariable) {
  const auto run = [](bool turned) {
    const auto a = test::variable("a", floats({2}, {1, 2}));
    const auto b = test::variable("b", floats({2}, {3, 4}));
    const auto adam = optimizer_from("adam");
    test::build(*adam, {a, b});
    const Tensor of_a = floats({2}, {1, -1});
    const Tensor of_b = floats({2}, {0.5F, 2});
    for (int i = 0; i < 3; ++i) {
      if (turned) {
        test::apply(*adam, {of_b, of_a}, {b, a});
      } else {
        test::apply(*adam, {of_a, of_b}, {a, b});
      }
    }
    return std::pair(a->value(), b->value());
  };
  EXPECT_TRUE(test::same_bits(run(true).first, run(false).first));
  EXPECT_TRUE(test::same_bits(run(true).second, run(false).second));
}

TEST(Optimizer, WritesInPlaceUnlessStorageIsShared) {
  const auto kernel = test::variable("kernel", floats({3}, {1, 2, 3}));
  const auto sgd = optimizer_from(serialized("SGD", dict({{"learning_rate", 1}})));
  test::build(*sgd, {kernel});
  const Tensor gradient = floats({3}, {1, 1, 1});
  test::apply(*sgd, {gradient}, {kernel});
  const std::byte* place = kernel->value().raw();
  const Version version = kernel->version();
  test::apply(*sgd, {gradient}, {kernel});
  EXPECT_EQ(kernel->value().raw(), place);
  EXPECT_NE(kernel->version(), version);
  const Tensor read = kernel->value();
  test::apply(*sgd, {gradient}, {kernel});
  EXPECT_TRUE(test::same_bits(read, floats({3}, {-1, 0, 1})));
  EXPECT_TRUE(test::same_bits(kernel->value(), floats({3}, {-2, -1, 0})));
  // The gradient is the variable's own value and shares its storage.
  test::apply(*sgd, {kernel->value()}, {kernel});
  EXPECT_TRUE(test::same_bits(kernel->value(), floats({3}, {0, 0, 0})));
}

TEST(Optimizer, RepacksWeightsAfterAStep) {
  const auto kernel = test::variable("kernel", floats({1, 1}, {1}));
  kernel->use_matrix();
  const auto product = [&] {
    const float one = 1;
    float result = 0;
    kernels::gemm({&one, 1}, 1, kernel->packed(), kernels::Start::kZero, nullptr, &result);
    return result;
  };
  EXPECT_EQ(product(), 1);
  const auto sgd = optimizer_from(serialized("SGD", dict({{"learning_rate", 1}})));
  test::build(*sgd, {kernel});
  test::apply(*sgd, {floats({1, 1}, {3})}, {kernel});
  EXPECT_EQ(product(), -2);
}

// Sizes around multiples of the vector size are updated like single elements.
TEST(Optimizer, UpdatesAllSizesAlike) {
  constexpr int kMax = 19;
  for (const std::string& name : names_of_optimizers()) {
    // These optimizers use norms of the whole variable, so elements are not independent.
    if (name == "Lamb" || name == "Adafactor") continue;
    const auto update_constant = [&](int size, float w, float g) {
      const auto weight =
          test::variable("w", Tensor::full(DType::kFloat32, {size}, static_cast<double>(w)));
      const auto optimizer = make(name);
      test::build(*optimizer, {weight});
      const Tensor gradient = Tensor::full(DType::kFloat32, {size}, static_cast<double>(g));
      for (int i = 0; i < 3; ++i) test::apply(*optimizer, {gradient}, {weight});
      return weight->value();
    };
    const Tensor alone = update_constant(1, 0.5F, 0.25F);
    const float expected = alone.data<float>()[0];
    for (int size = 0; size <= kMax; ++size) {
      const Tensor actual = update_constant(size, 0.5F, 0.25F);
      for (const float x : actual.data<float>()) {
        EXPECT_EQ(x, expected) << name << " of " << size;
      }
    }
  }
}

TEST(Optimizer, AcceptsEmptyVariables) {
  for (const std::string& name : names_of_optimizers()) {
    for (const Shape& shape : {Shape{0}, Shape{0, 3}, Shape{2, 0, 3}}) {
      const auto empty = test::variable("empty", Tensor(DType::kFloat32, shape));
      const auto full = test::variable("full", floats({2, 2}, {1, 2, 3, 4}));
      const auto optimizer = make(name);
      test::build(*optimizer, {empty, full});
      const Tensor nothing(DType::kFloat32, shape);
      test::apply(*optimizer, {nothing, floats({2, 2}, {1, 1, 1, 2})}, {empty, full});
      for (const float x : full->value().data<float>()) EXPECT_TRUE(std::isfinite(x)) << name;
    }
  }
}

TEST(Optimizer, KeepsNaNWhenClipping) {
  for (const char* setting : {"clipvalue", "clipnorm", "global_clipnorm"}) {
    for (const std::string& name : names_of_optimizers()) {
      if (name == "LossScaleOptimizer") continue;
      const auto weight = test::variable("w", floats({5}, {1, 1, 1, 1, 1}));
      const auto optimizer = optimizer_from(serialized(name, dict({{setting, 1}})));
      test::build(*optimizer, {weight});
      test::apply(*optimizer, {floats({5}, {1, 1, std::nanf(""), 1, 1})}, {weight});
      EXPECT_TRUE(std::isnan(weight->value().data<float>()[2])) << name << " " << setting;
    }
  }
}

TEST(Optimizer, LossScaleSkipsGradientsThatAreNotFinite) {
  const auto weight = test::variable("w", floats({2}, {1, 1}));
  const auto optimizer = optimizer_from(
      serialized("LossScaleOptimizer",
                 dict({{"inner_optimizer", serialized("SGD", dict({{"learning_rate", 1}}))},
                       {"initial_scale", 8},
                       {"dynamic_growth_steps", 2}})));
  EXPECT_EQ(optimizer->loss_scale(), 8);
  test::build(*optimizer, {weight});
  test::apply(*optimizer, {floats({2}, {std::nanf(""), 1})}, {weight});
  EXPECT_EQ(optimizer->loss_scale(), 4);
  EXPECT_TRUE(test::same_bits(weight->value(), floats({2}, {1, 1})));
  test::apply(*optimizer, {floats({2}, {4, 8})}, {weight});
  EXPECT_TRUE(test::same_bits(weight->value(), floats({2}, {0, -1})));
  test::apply(*optimizer, {floats({2}, {0, 0})}, {weight});
  EXPECT_EQ(optimizer->loss_scale(), 8);
  EXPECT_EQ(optimizer->iterations(), 2);
  optimizer->set_learning_rate({0.5, nullptr});
  EXPECT_EQ(optimizer->learning_rate(), 0.5F);
}

TEST(Optimizer, SetsLearningRates) {
  const auto adam = optimizer_from("adam");
  adam->set_learning_rate({0.25, nullptr});
  EXPECT_EQ(adam->learning_rate(), 0.25F);
  EXPECT_EQ(adam->get_config().find("learning_rate")->as_number(""), 0.25);
  EXPECT_EQ(adam->variables().size(), 2U);
  LearningRate rate;
  read_value(serialized("PiecewiseConstantDecay",
                        dict({{"boundaries", list({1})}, {"values", list({2, 3})}})),
             "rate", rate);
  adam->set_learning_rate(rate);
  EXPECT_EQ(adam->learning_rate(), 2);
  EXPECT_EQ(adam->variables().size(), 1U);
  EXPECT_TRUE(fails_with(ErrorKind::kState, {"adam", "schedule"}, [&] {
    adam->set_learning_rate({0.1, nullptr});
  }));
}

TEST(Optimizer, ContinuesFromRestoredState) {
  const auto make_built = [](const VariablePtr& weight) {
    auto adam = optimizer_from("adam");
    test::build(*adam, {weight});
    return adam;
  };
  const auto first = test::variable("w", floats({2}, {1, 1}));
  const auto trained = make_built(first);
  const Tensor gradient = floats({2}, {1, 2});
  test::apply(*trained, {gradient}, {first});
  const auto second = test::variable("w", first->value());
  const auto resumed = make_built(second);
  Tensors state;
  for (const auto& one : trained->variables()) state.push_back(one.variable->value());
  EXPECT_TRUE(fails_with(ErrorKind::kValue, {"4 variables", "3"}, [&] {
    resumed->set_weights({state.begin(), state.begin() + 3});
  }));
  Tensors wrong = state;
  wrong[3] = floats({3}, {1, 1, 1});
  EXPECT_TRUE(fails_with(ErrorKind::kShape, {"adam/w_velocity", "(2,)", "(3,)"},
                         [&] { resumed->set_weights(wrong); }));
  EXPECT_EQ(resumed->steps(), 0);
  resumed->set_weights(state);
  for (auto [optimizer, weight] : {std::pair(trained, first), std::pair(resumed, second)}) {
    test::apply(*optimizer, {gradient}, {weight});
  }
  EXPECT_TRUE(test::same_bits(first->value(), second->value()));
}

TEST(Optimizer, MuonExcludesByPath) {
  const auto kernel = test::variable("kernel", floats({2, 2}, {1, 2, 3, 4}));
  const auto table = test::variable("embeddings", floats({2, 2}, {1, 2, 3, 4}));
  const auto muon =
      optimizer_from(serialized("Muon", dict({{"exclude_layers", list({"special"})}})));
  muon->build({{kernel, "special/kernel", nullptr}, {table, "Embedding/table", nullptr}});
  EXPECT_EQ(muon->variables().size(), 6U);
}

// A step without enough memory for its state changes nothing, and succeeds later.
TEST(Optimizer, ChangesNothingWhenItFails) {
  const auto weight = test::variable("w", Tensor::full(DType::kFloat32, {4096}, 1));
  const auto adam = optimizer_from("adam");
  test::build(*adam, {weight});
  const Tensor gradient = Tensor::full(DType::kFloat32, {4096}, 1);
  {
    const MemoryRoom room(20000, "make room");
    EXPECT_TRUE(
        fails_with(ErrorKind::kState, {}, [&] { test::apply(*adam, {gradient}, {weight}); }));
  }
  EXPECT_EQ(weight->value().data<float>()[0], 1);
  EXPECT_EQ(adam->steps(), 0);
  test::apply(*adam, {gradient}, {weight});
  EXPECT_NEAR(static_cast<double>(weight->value().data<float>()[0]), 0.999, 1e-6);
}

TEST(Optimizer, AllocatesNothingAfterTheFirstStep) {
  for (const std::string& name : names_of_optimizers()) {
    const auto weight = test::variable("w", Tensor::full(DType::kFloat32, {16, 8}, 0.5));
    const auto optimizer = make(name);
    test::build(*optimizer, {weight});
    const Tensor gradient = Tensor::full(DType::kFloat32, {16, 8}, 0.25);
    test::apply(*optimizer, {gradient}, {weight});
    const MemoryRoom none(0, "there is no room");
    for (int i = 0; i < 3; ++i) test::apply(*optimizer, {gradient}, {weight});
    EXPECT_EQ(optimizer->iterations(), 4) << name;
  }
}

TEST(Constraint, IsCreatedFromNameOrConfiguration) {
  for (const char* name : {"max_norm", "MaxNorm", "maxnorm"}) {
    EXPECT_EQ(constraint_from(name)->class_name(), "MaxNorm");
  }
  EXPECT_EQ(constraint_from(Value()), nullptr);
  EXPECT_TRUE(fails_with(ErrorKind::kConfig, {"max_nrom", "MaxNorm"},
                         [] { static_cast<void>(constraint_from("max_nrom")); }));
  EXPECT_TRUE(fails_with(ErrorKind::kConfig, {"axis"}, [] {
    static_cast<void>(constraint_from(serialized("UnitNorm", dict({{"axis", "rows"}}))));
  }));
  Tensor x = floats({2}, {3, 4});
  const ConstraintPtr unit = constraint_from(serialized("UnitNorm", dict({{"axis", 1}})));
  EXPECT_TRUE(
      fails_with(ErrorKind::kShape, {"axis"}, [&] { unit->apply(x.mutable_floats(), x.shape()); }));
}

TEST(Constraint, IsFoundInTheLayerOfTheWeight) {
  const LayerPtr lstm = make_layer("LSTM", dict({{"units", 2},
                                                 {"kernel_constraint", "max_norm"},
                                                 {"recurrent_constraint", serialized("UnitNorm")},
                                                 {"bias_constraint", "non_neg"}}));
  lstm->ensure_name();
  lstm->build_once({Shape{1, 3, 4}});
  Layer& cell = *lstm->sublayers().front();
  EXPECT_EQ(constraint_of(cell, "kernel")->class_name(), "MaxNorm");
  EXPECT_EQ(constraint_of(cell, "recurrent_kernel")->class_name(), "UnitNorm");
  EXPECT_EQ(constraint_of(cell, "bias")->class_name(), "NonNeg");
  const LayerPtr heads =
      make_layer("MultiHeadAttention",
                 dict({{"num_heads", 1}, {"key_dim", 2}, {"kernel_constraint", "non_neg"}}));
  heads->ensure_name();
  heads->build_once({Shape{1, 3, 4}, Shape{1, 3, 4}, Shape{1, 3, 4}});
  Layer& query = *heads->sublayers().front();
  EXPECT_EQ(constraint_of(query, "kernel")->class_name(), "NonNeg");
  EXPECT_EQ(constraint_of(query, "bias"), nullptr);
  const LayerPtr depthwise = make_layer(
      "DepthwiseConv1D", dict({{"kernel_size", 2}, {"depthwise_constraint", "unit_norm"}}));
  EXPECT_EQ(constraint_of(*depthwise, "kernel")->class_name(), "UnitNorm");
  const LayerPtr dense =
      make_layer("Dense", dict({{"units", 2}, {"name", "head"}, {"kernel_constraint", "none"}}));
  EXPECT_TRUE(fails_with(ErrorKind::kConfig, {"head", "'none'", "NonNeg"},
                         [&] { static_cast<void>(constraint_of(*dense, "kernel")); }));
}

}  // namespace
}  // namespace maskflow
