// SPDX-License-Identifier: MIT
// Checks that must hold for every registered layer class.
#include <gtest/gtest.h>

#include <set>

#include "base/text.hpp"
#include "support/errors.hpp"
#include "support/graphs.hpp"
#include "support/layer_cases.hpp"

namespace maskflow {
namespace {

using test::fails_with;
using test::LayerCase;
using test::Rng;
using test::same_bits;
using test::text_of;

class Layers : public testing::TestWithParam<LayerCase> {
 protected:
  // Returns a layer with random weights, built for the input of the case.
  [[nodiscard]] static LayerPtr built() {
    const LayerPtr layer = GetParam().make();
    Rng rng(7);
    test::randomize(*layer, rng, GetParam().input);
    return layer;
  }
  [[nodiscard]] static Args arguments() {
    Rng rng(8);
    return GetParam().arguments(rng);
  }
};

// All classes except InputLayer, which is never called.
class CallableLayers : public Layers {};

TEST_P(Layers, ConfigurationSurvivesARoundTrip) {
  const LayerPtr layer = GetParam().make();
  const Dict config = layer->get_config();
  const LayerPtr copy = make_layer(GetParam().class_name, config);
  EXPECT_EQ(text_of(copy->get_config()), text_of(config));
  EXPECT_EQ(copy->name(), layer->name());
  // Compares only names of settings, because a list of cells is written as one cell.
  for (const Dict::Entry& entry : GetParam().config.entries()) {
    EXPECT_NE(config.find(entry.key), nullptr) << entry.key;
  }
}

TEST_P(CallableLayers, CopyFromConfigAndWeightsReturnsTheSameResults) {
  const LayerPtr layer = built();
  const LayerPtr copy = deserialize_layer(serialize_layer(*layer));
  copy->build_once({GetParam().input});
  Tensors values;
  for (const Layer::Weight& weight : layer->weights()) values.push_back(weight.variable->value());
  copy->set_weights(values);
  const Tensors got = copy->apply(arguments());
  const Tensors wanted = layer->apply(arguments());
  ASSERT_EQ(got.size(), wanted.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_TRUE(same_bits(got[i], wanted[i])) << "output " << i;
    EXPECT_TRUE(test::same_mask(got[i].mask(), wanted[i].mask())) << "output " << i;
  }
}

TEST_P(CallableLayers, SymbolicCallPredictsShapeAndDtype) {
  const LayerPtr layer = built();
  const Tensors real = layer->apply(arguments());
  Args args = arguments();
  args.for_each_tensor([](Tensor& tensor) {
    Shape shape = tensor.shape();
    shape.set(0, kUnknown);
    tensor = test::input(shape, tensor.dtype());
  });
  const Tensors symbolic = layer->apply(std::move(args));
  ASSERT_EQ(symbolic.size(), real.size());
  for (std::size_t i = 0; i < real.size(); ++i) {
    Shape shape = real[i].shape();
    shape.set(0, kUnknown);
    EXPECT_EQ(text(symbolic[i].shape(), symbolic[i].dtype()), text(shape, real[i].dtype()));
    EXPECT_EQ(symbolic[i].mask() != nullptr, real[i].mask() != nullptr) << "mask " << i;
  }
}

TEST_P(Layers, UnknownSettingIsRefusedByName) {
  const std::string& name = GetParam().class_name;
  Dict config = GetParam().config;
  config["no_such_setting"] = 1;
  // Models accept settings that newer versions of Keras add to their configurations.
  if (name == "Functional" || name == "Sequential") {
    EXPECT_NO_THROW(static_cast<void>(make_layer(name, config)));
    return;
  }
  EXPECT_TRUE(fails_with(ErrorKind::kConfig, {"no_such_setting", "it has"},
                         [&] { static_cast<void>(make_layer(name, config)); }));
}

TEST_P(Layers, WeightsOfWrongNumberOrShapeChangeNothing) {
  const LayerPtr layer = built();
  const auto weights = layer->weights();
  Tensors values(weights.size() + 1, test::scalar(1));
  EXPECT_TRUE(fails_with(ErrorKind::kValue, {text(weights.size()), text(weights.size() + 1)},
                         [&] { layer->set_weights(values); }));
  if (weights.empty()) return;
  const Tensor before = weights.front().variable->value();
  values.clear();
  for (const Layer::Weight& weight : weights) {
    values.push_back(Tensor::zeros(DType::kFloat32, weight.variable->shape()));
  }
  // The last value is wrong: the values before it must not be assigned.
  Shape wrong = weights.back().variable->shape();
  wrong.push_back(2);
  values.back() = Tensor::zeros(DType::kFloat32, wrong);
  EXPECT_TRUE(fails_with(ErrorKind::kShape,
                         {weights.back().path, text(wrong), text(weights.back().variable->shape())},
                         [&] { layer->set_weights(values); }));
  if (weights.size() == 1) return;
  EXPECT_TRUE(same_bits(weights.front().variable->value(), before));
}

std::string name_of(const testing::TestParamInfo<LayerCase>& layer) {
  return layer.param.class_name;
}
std::vector<LayerCase> callable_cases() {
  std::vector<LayerCase> cases = test::layer_cases();
  std::erase_if(cases, [](const LayerCase& c) { return c.class_name == "InputLayer"; });
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Classes, Layers, testing::ValuesIn(test::layer_cases()), name_of);
INSTANTIATE_TEST_SUITE_P(Classes, CallableLayers, testing::ValuesIn(callable_cases()), name_of);

TEST(LayerRegistry, EveryClassHasACase) {
  std::set<std::string> covered;
  for (const LayerCase& layer : test::layer_cases()) covered.insert(layer.class_name);
  for (const LayerClass* known : all_layer_classes()) {
    EXPECT_TRUE(covered.contains(std::string(known->name))) << known->name << " has no case";
    for (const std::string& alias : words(known->facts.aliases)) {
      EXPECT_EQ(make_layer(alias, test::layer_case(known->name).config)->class_name(), known->name);
    }
  }
}

TEST(LayerRegistry, UnknownClassNamesTheKnownOnes) {
  EXPECT_TRUE(fails_with(ErrorKind::kConfig, {"LTSM", "LSTM", "registerLayer"},
                         [] { static_cast<void>(test::make("LTSM", {})); }));
}

TEST(LayerNames, FollowKerasAndCount) {
  const LayerPtr first = test::make("LayerNormalization", {});
  const LayerPtr second = test::make("LayerNormalization", {});
  first->ensure_name();
  second->ensure_name();
  EXPECT_TRUE(first->name().starts_with("layer_normalization")) << first->name();
  EXPECT_NE(first->name(), second->name());
  const LayerPtr cell = test::make("GRUCell", {{"units", 1}});
  cell->ensure_name();
  EXPECT_TRUE(cell->name().starts_with("gru_cell")) << cell->name();
}

// Weights are initialized when they are first used, for instance when they are packed for a
// product.
TEST(LayerWeights, InitializersRunWhenAWeightIsFirstUsed) {
  Rng rng(4);
  for (const LayerCase& c : test::layer_cases()) {
    if (c.class_name == "InputLayer" || c.dtype != DType::kFloat32) continue;
    SCOPED_TRACE(c.class_name);
    const LayerPtr layer = c.make();
    const Args args = c.arguments(rng);
    const LayerPtr copy = c.make();
    copy->build_once({c.input});
    const Tensors first = layer->apply(args);
    Tensors values;
    for (const Layer::Weight& weight : layer->weights()) values.push_back(weight.variable->value());
    copy->set_weights(values);
    EXPECT_TRUE(same_bits(first.front(), copy->apply(args).front()));
  }
}

// Weights are packed once per value. A value that is set twice between two calls, perhaps at an
// address used before, must be packed again.
TEST(LayerWeights, LastAssignedValuesAreUsed) {
  for (const LayerCase& c : test::layer_cases()) {
    if (c.class_name != "GRU" && c.class_name != "Conv1D" && c.class_name != "Dense") continue;
    SCOPED_TRACE(c.class_name);
    const LayerPtr layer = c.make();
    Rng rng(3);
    const Args args = c.arguments(rng);
    for (int round = 0; round < 8; ++round) {
      for (int times = 0; times < 2; ++times) test::randomize(*layer, rng, c.input);
      Tensors values;
      for (const Layer::Weight& w : layer->weights()) values.push_back(w.variable->value());
      const LayerPtr other = c.make();
      other->build_once({c.input});
      other->set_weights(values);
      EXPECT_TRUE(same_bits(layer->apply(args).front(), other->apply(args).front()));
    }
  }
}

}  // namespace
}  // namespace maskflow
