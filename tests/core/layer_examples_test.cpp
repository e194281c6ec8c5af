// SPDX-License-Identifier: MIT
// Examples of small layers: layers without recorded cases, training, and invalid arguments.
#include <gtest/gtest.h>

#include <cmath>

#include "support/errors.hpp"
#include "support/graphs.hpp"

namespace maskflow {
namespace {

using test::close;
using test::fails_with;
using test::floats;
using test::ints;
using test::list;
using test::make;
using test::random_floats;
using test::Rng;
using test::same_bits;

Tensor train(const LayerPtr& layer, const Tensor& x) {
  Args args;
  args.inputs = {x};
  args.training = true;
  return layer->apply(std::move(args)).front();
}

// The examples are from Keras's documentation.
TEST(CategoryEncoding, AsDocumented) {
  EXPECT_TRUE(
      same_bits((*make("CategoryEncoding", {{"num_tokens", 4}, {"output_mode", "one_hot"}}))(
                    ints({4}, {3, 2, 0, 1})),
                floats({4, 4}, {0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0})));
  EXPECT_TRUE(
      same_bits((*make("CategoryEncoding", {{"num_tokens", 4}, {"output_mode", "one_hot"}}))(
                    ints({2, 1}, {3, -1})),
                floats({2, 4}, {0, 0, 0, 1, 0, 0, 0, 0})));
  const Tensor ids = ints({4, 2}, {0, 1, 0, 0, 1, 2, 3, 1});
  EXPECT_TRUE(same_bits((*make("CategoryEncoding", {{"num_tokens", 4}}))(ids),
                        floats({4, 4}, {1, 1, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 1})));
  const LayerPtr counts = make("CategoryEncoding", {{"num_tokens", 4}, {"output_mode", "count"}});
  EXPECT_TRUE(
      same_bits((*counts)(ids), floats({4, 4}, {1, 1, 0, 0, 2, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 1})));
  Args args;
  args.inputs = {ids};
  args.tensors.push_back(
      {"count_weights", {floats({4, 2}, {.1F, .2F, .1F, .1F, .2F, .3F, .4F, .2F})}, false});
  EXPECT_TRUE(close(counts->apply(args).front(), floats({4, 4}, {.1F, .2F, 0, 0, .2F, 0, 0, 0, 0,
                                                                 .2F, .3F, 0, 0, .2F, 0, .4F})));
  EXPECT_TRUE(fails_with(ErrorKind::kValue, {"4", "num_tokens"}, [&] {
    (*counts)(ints({1, 1}, {4}));
  }));
  EXPECT_TRUE(fails_with(ErrorKind::kValue, {"count_weights", "multi_hot"}, [&] {
    make("CategoryEncoding", {{"num_tokens", 4}})->apply(args);
  }));
  EXPECT_TRUE(fails_with(ErrorKind::kConfig, {"output_mode", "binary"}, [] {
    static_cast<void>(make("CategoryEncoding", {{"num_tokens", 4}, {"output_mode", "binary"}}));
  }));
}

TEST(Discretization, AsDocumented) {
  const Tensor x = floats({2, 4}, {-1.5F, 1.0F, 3.4F, .5F, 0.0F, 3.0F, 1.3F, 0.0F});
  const LayerPtr layer = make("Discretization", {{"bin_boundaries", list({0, 1, 2})}});
  EXPECT_TRUE(same_bits((*layer)(x), ints({2, 4}, {0, 2, 3, 1, 1, 3, 2, 1})));
  EXPECT_EQ((*layer)(test::input({kUnknown, 4})).dtype(), DType::kInt32);
  const LayerPtr counts =
      make("Discretization", {{"bin_boundaries", list({0, 0.5, 1})}, {"output_mode", "count"}});
  EXPECT_TRUE(same_bits((*counts)(floats({1, 3}, {.1F, .8F, .9F})), floats({1, 4}, {0, 1, 2, 0})));
  EXPECT_TRUE(fails_with(ErrorKind::kState, {"5", "bin_boundaries"}, [&] {
    (*make("Discretization", {{"num_bins", 5}}))(x);
  }));
  EXPECT_TRUE(fails_with(ErrorKind::kConfig, {"bin_boundaries", "ascending"}, [] {
    static_cast<void>(make("Discretization", {{"bin_boundaries", list({1, 0})}}));
  }));
  EXPECT_TRUE(fails_with(ErrorKind::kConfig, {"bin_boundaries"},
                         [] { static_cast<void>(make("Discretization", {})); }));
}

TEST(Normalization, AsDocumented) {
  const Tensor x = floats({3, 1}, {1, 2, 3});
  const LayerPtr configured = make("Normalization", {{"mean", 3}, {"variance", 2}});
  EXPECT_TRUE(close((*configured)(x), floats({3, 1}, {-1.4142135F, -0.70710677F, 0})));
  const LayerPtr adapted = make("Normalization", {{"axis", nullptr}});
  adapted->build_once({{kUnknown, 3}});
  ASSERT_EQ(adapted->weights().size(), 3U);
  EXPECT_EQ(adapted->weights()[2].variable->dtype(), DType::kInt32);
  adapted->set_weights({test::scalar(3), test::scalar(2), ints({}, {5})});
  EXPECT_TRUE(
      close((*adapted)(floats({1, 3}, {1, 2, 3})), floats({1, 3}, {-1.4142135F, -0.70710677F, 0})));
  const LayerPtr inverse =
      make("Normalization",
           {{"mean", list({1, 8, 5})}, {"variance", list({1, 1, 1})}, {"invert", true}});
  EXPECT_TRUE(close((*inverse)(floats({1, 3}, {1, 2, 3})), floats({1, 3}, {2, 10, 8})));
  // Each position of two axes has its own mean; the inner lists are rows.
  const LayerPtr grid = make("Normalization", {{"axis", list({1, 2})},
                                               {"mean", list({list({1, 2}), list({3, 4})})},
                                               {"variance", list({list({1, 1}), list({1, 1})})}});
  EXPECT_TRUE(close((*grid)(floats({1, 2, 2}, {1, 2, 3, 4})), floats({1, 2, 2}, {0, 0, 0, 0})));
  EXPECT_TRUE(fails_with(ErrorKind::kConfig, {"variance", "missing"}, [] {
    static_cast<void>(make("Normalization", {{"mean", 1}}));
  }));
  EXPECT_TRUE(fails_with(ErrorKind::kShape, {"(2,)", "(1, 3)"}, [] {
    (*make("Normalization", {{"mean", list({1, 2})}, {"variance", list({1, 1})}}))(
        floats({1, 3}, {1, 2, 3}));
  }));
}

struct Moments {
  explicit Moments(const Tensor& x) {
    for (const float value : x.data<float>()) mean += value;
    mean /= static_cast<double>(x.size());
    for (const float value : x.data<float>()) variance += (value - mean) * (value - mean);
    variance /= static_cast<double>(x.size());
  }
  double mean = 0;
  double variance = 0;
};

TEST(Noise, HasTheDocumentedMoments) {
  const test::Scope scope;
  Policy::current().random = Random(11);
  const Tensor ones = Tensor::full(DType::kFloat32, {1000, 40}, 1);
  const Moments noise(train(make("GaussianNoise", {{"stddev", 0.5}}), ones));
  EXPECT_NEAR(noise.mean, 1, 0.01);
  EXPECT_NEAR(noise.variance, 0.25, 0.01);
  const Moments dropout(train(make("GaussianDropout", {{"rate", 0.2}}), ones));
  EXPECT_NEAR(dropout.mean, 1, 0.01);
  EXPECT_NEAR(dropout.variance, 0.25, 0.01);
  Tensor normal(DType::kFloat32, {1000, 40});
  for (float& value : normal.mutable_data<float>()) {
    value = static_cast<float>(Policy::current().random.normal());
  }
  const Moments alpha(train(make("AlphaDropout", {{"rate", 0.3}}), normal));
  EXPECT_NEAR(alpha.mean, 0, 0.02);
  EXPECT_NEAR(alpha.variance, 1, 0.03);
}

TEST(SpatialDropout, DropsWholeFeatures) {
  const test::Scope scope;
  Policy::current().random = Random(12);
  const Tensor ones = Tensor::full(DType::kFloat32, {20, 5, 10}, 1);
  const Tensor dropped = train(make("SpatialDropout1D", {{"rate", 0.5}}), ones);
  int zeros = 0;
  for (std::size_t b = 0; b < 20; ++b) {
    for (std::size_t i = 0; i < 10; ++i) {
      const float first = dropped.data<float>()[b * 50 + i];
      EXPECT_TRUE(first == 0 || first == 2);
      zeros += first == 0 ? 1 : 0;
      for (std::size_t t = 1; t < 5; ++t) {
        EXPECT_EQ(dropped.data<float>()[b * 50 + t * 10 + i], first);
      }
    }
  }
  EXPECT_NEAR(zeros, 100, 30);
}

TEST(SpectralNormalization, TrainingMakesTheLargestSingularValueOne) {
  const LayerPtr layer =
      make("SpectralNormalization",
           {{"layer", test::serialized("Dense", {{"units", 3}})}, {"power_iterations", 200}});
  Rng rng(13);
  test::randomize(*layer, rng, {2, 4});
  const Tensor x = random_floats(rng, {2, 4});
  const Tensor before = (*layer)(x);
  EXPECT_TRUE(same_bits((*layer)(x), before));
  static_cast<void>(train(layer, x));
  // Normalizing a kernel that is already normalized does not change it.
  const Tensor once = (*layer)(x);
  EXPECT_FALSE(same_bits(once, before));
  static_cast<void>(train(layer, x));
  EXPECT_TRUE(close((*layer)(x), once));
  EXPECT_TRUE(fails_with(ErrorKind::kConfig, {"Dropout", "kernel"}, [&] {
    (*make("SpectralNormalization", {{"layer", test::serialized("Dropout", {{"rate", 0.5}})}}))(x);
  }));
}

TEST(Reshaping, RejectsInvalidSettingsAndShapes) {
  const Tensor x = Tensor::zeros(DType::kFloat32, {2, 3, 4});
  const auto call = [&](std::string_view name, test::Entries config) {
    return [&x, layer = make(name, config)] { (*layer)(x); };
  };
  const auto config_of = [](std::string_view name, test::Entries config) {
    return [name, config] { static_cast<void>(make(name, config)); };
  };
  EXPECT_TRUE(fails_with(ErrorKind::kShape, {"12", "(5,)"},
                         call("Reshape", {{"target_shape", list({5})}})));
  EXPECT_TRUE(fails_with(ErrorKind::kShape, {"12", "(5, None)", "multiple of 5"},
                         call("Reshape", {{"target_shape", list({5, -1})}})));
  EXPECT_TRUE(fails_with(ErrorKind::kConfig, {"2 sizes of -1"},
                         config_of("Reshape", {{"target_shape", list({-1, -1})}})));
  EXPECT_TRUE(fails_with(ErrorKind::kConfig, {"2 axes", "lacks axis 1"},
                         config_of("Permute", {{"dims", list({2, 3})}})));
  EXPECT_TRUE(fails_with(ErrorKind::kShape, {"rank 4", "rank 3"},
                         call("Permute", {{"dims", list({3, 2, 1})}})));
  EXPECT_TRUE(
      fails_with(ErrorKind::kShape, {"rank 2", "(2, 3, 4)"}, call("RepeatVector", {{"n", 2}})));
  EXPECT_TRUE(
      fails_with(ErrorKind::kConfig, {"size", "0"}, config_of("UpSampling1D", {{"size", 0}})));
  EXPECT_TRUE(fails_with(ErrorKind::kShape, {"remove 3", "has 3"},
                         call("Cropping1D", {{"cropping", list({1, 2})}})));
  EXPECT_TRUE(fails_with(ErrorKind::kConfig, {"padding", "-1"},
                         config_of("ZeroPadding1D", {{"padding", -1}})));
  EXPECT_TRUE(fails_with(ErrorKind::kShape, {"5 steps", "only 3", "same"},
                         call("MaxPooling1D", {{"pool_size", 5}})));
  EXPECT_TRUE(fails_with(ErrorKind::kConfig, {"padding", "causal"},
                         config_of("AveragePooling1D", {{"padding", "causal"}})));
  EXPECT_TRUE(fails_with(ErrorKind::kConfig, {"strides", "0"},
                         config_of("AveragePooling1D", {{"strides", 0}})));
  EXPECT_TRUE(fails_with(ErrorKind::kConfig, {"LeakyReLU", "-1"},
                         config_of("LeakyReLU", {{"negative_slope", -1}})));
  EXPECT_TRUE(
      fails_with(ErrorKind::kConfig, {"stddev", "2"}, config_of("GaussianNoise", {{"stddev", 2}})));
}

TEST(Reshaping, UnknownDimensionsStayUnknown) {
  const Tensor x = test::input({kUnknown, kUnknown, 4});
  const auto shape = [&](std::string_view name, test::Entries config) {
    return (*make(name, config))(x).shape();
  };
  EXPECT_EQ(shape("Reshape", {{"target_shape", list({-1, 2})}}), (Shape{kUnknown, kUnknown, 2}));
  EXPECT_EQ(shape("Permute", {{"dims", list({2, 1})}}), (Shape{kUnknown, 4, kUnknown}));
  EXPECT_EQ(shape("UpSampling1D", {}), (Shape{kUnknown, kUnknown, 4}));
  EXPECT_EQ(shape("Cropping1D", {}), (Shape{kUnknown, kUnknown, 4}));
  EXPECT_EQ(shape("MaxPooling1D", {}), (Shape{kUnknown, kUnknown, 4}));
  EXPECT_EQ(shape("AdaptiveMaxPooling1D", {{"output_size", 3}}), (Shape{kUnknown, 3, 4}));
  EXPECT_EQ(shape("GlobalMaxPooling1D", {}), (Shape{kUnknown, 4}));
}

TEST(LeakyReLU, AcceptsAlphaOfOlderVersions) {
  const LayerPtr layer = make("LeakyReLU", {{"alpha", 0.5}});
  EXPECT_TRUE(same_bits((*layer)(floats({2}, {-2, 2})), floats({2}, {-1, 2})));
  EXPECT_EQ(layer->get_config().find("negative_slope")->as_number(""), 0.5);
}

}  // namespace
}  // namespace maskflow
