// SPDX-License-Identifier: MIT
// Compares normalization with its formulas in double, for settings that no recorded case covers.
#include "layers/normalization/normalization.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "support/errors.hpp"
#include "support/recurrent.hpp"

namespace maskflow {
namespace {

using test::batch_rows;
using test::close;
using test::dict;
using test::fails_with;
using test::floats;
using test::list;
using test::make;
using test::masked;
using test::numbers;
using test::random_floats;
using test::Rng;
using test::same_bits;

struct Statistics {
  double mean = 0, variance = 0, square = 0;
};
Statistics statistics(const std::vector<double>& values) {
  Statistics s;
  const auto count = static_cast<double>(values.size());
  for (const double v : values) s.mean += v / count;
  for (const double v : values) {
    s.variance += (v - s.mean) * (v - s.mean) / count;
    s.square += v * v / count;
  }
  return s;
}

// Applies f(value, statistics) to each element of x [a, b, c], with the statistics of all elements
// for which `group` returns the same number.
using Index = std::array<Dim, 3>;
Tensor by_groups(const Tensor& x, const std::function<Dim(const Index&)>& group,
                 const std::function<double(double, const Statistics&)>& f) {
  const std::vector<double> values = numbers(x);
  const auto group_of = [&](std::size_t i) {
    const auto at = static_cast<Dim>(i);
    const Dim c = x.shape()[2];
    const Dim b = x.shape()[1];
    return group({at / (b * c), at / c % b, at % c});
  };
  Tensor result(DType::kFloat32, x.shape());
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::vector<double> members;
    for (std::size_t j = 0; j < values.size(); ++j) {
      if (group_of(j) == group_of(i)) members.push_back(values[j]);
    }
    result.mutable_data<float>()[i] = static_cast<float>(f(values[i], statistics(members)));
  }
  return result;
}

Tensor sample(std::uint64_t seed = 1) {
  Rng rng(seed);
  return random_floats(rng, {3, 5, 6}, 2);
}

double standard(double x, const Statistics& s) {
  return (x - s.mean) / std::sqrt(s.variance + 0.01);
}

TEST(Normalization, LayerNormalizationOverAnyAxes) {
  const LayerPtr middle = make("LayerNormalization", {{"axis", -2}, {"epsilon", 0.01}});
  EXPECT_TRUE(close((*middle)(sample()),
                    by_groups(
                        sample(), [](const Index& i) { return i[0] * 10 + i[2]; }, standard)));
  const LayerPtr both = make("LayerNormalization", {{"axis", list({2, 1})}, {"epsilon", 0.01}});
  EXPECT_TRUE(
      close((*both)(sample()), by_groups(
                                   sample(), [](const Index& i) { return i[0]; }, standard)));
  EXPECT_EQ(both->own_weights().front()->shape(), (Shape{5, 6}));
}

// The rms_scaling of older versions of Keras divides by the standard deviation, not by the root of
// the mean square.
TEST(Normalization, RmsScalingOfOlderConfigs) {
  const LayerPtr layer = make("LayerNormalization", {{"rms_scaling", true}, {"epsilon", 0.01}});
  const auto f = [](double x, const Statistics& s) { return x / std::sqrt(s.variance + 0.01); };
  EXPECT_TRUE(
      close((*layer)(sample()), by_groups(
                                    sample(), [](const Index& i) { return i[0] * 10 + i[1]; }, f)));
  ASSERT_EQ(layer->own_weights().size(), 1U);
  EXPECT_EQ(layer->own_weights().front()->name(), "gamma");
}

TEST(Normalization, RmsNormalizationOverSeveralAxes) {
  const LayerPtr layer = make("RMSNormalization", {{"axis", list({1, 2})}, {"epsilon", 0.01}});
  const auto f = [](double x, const Statistics& s) { return x / std::sqrt(s.square + 0.01); };
  EXPECT_TRUE(close((*layer)(sample()), by_groups(
                                            sample(), [](const Index& i) { return i[0]; }, f)));
}

// Training uses ops, inference a kernel.
TEST(Normalization, KernelAndOpsReturnTheSameBits) {
  Rng rng(3);
  const auto check = [&](const LayerPtr& layer, const Tensor& x) {
    (*layer)(x);
    for (const VariablePtr& weight : layer->own_weights()) {
      weight->set_value(random_floats(rng, weight->shape(), 2));
    }
    const auto& normalization = static_cast<const SpreadNormalization&>(*layer);
    EXPECT_TRUE(same_bits((*layer)(x), normalization.normalize_with_ops(x)));
  };
  for (const Dim width : {1, 3, 4, 15, 16, 17, 64, 131}) {
    const Tensor x = random_floats(rng, {2, 3, width}, 30);
    check(make("RMSNormalization", {}), x);
    for (const bool scale : {false, true}) {
      for (const bool center : {false, true}) {
        check(make("LayerNormalization", {{"scale", scale}, {"center", center}}), x);
      }
    }
    check(make("LayerNormalization", {{"rms_scaling", true}}), x);
  }
  Tensor odd = random_floats(rng, {4, 20}, 1e30F);
  odd.mutable_data<float>()[3] = NAN;
  odd.mutable_data<float>()[25] = INFINITY;
  check(make("LayerNormalization", {}), odd);
}

TEST(Normalization, GroupNormalizationOverAnyAxis) {
  for (const int groups : {1, 2, 3, 6, -1}) {
    const Dim size = groups == -1 ? 1 : 6 / groups;
    const LayerPtr layer = make("GroupNormalization", {{"groups", groups}, {"epsilon", 0.01}});
    const auto group = [size](const Index& i) { return i[0] * 10 + i[2] / size; };
    EXPECT_TRUE(close((*layer)(sample()), by_groups(sample(), group, standard))) << groups;
  }
  const LayerPtr first =
      make("GroupNormalization", {{"groups", 5}, {"axis", 1}, {"epsilon", 0.01}});
  const auto group = [](const Index& i) { return i[0] * 10 + i[1]; };
  EXPECT_TRUE(close((*first)(sample()), by_groups(sample(), group, standard)));
  EXPECT_TRUE(fails_with(ErrorKind::kConfig, {"6 channels", "4"}, [] {
    static_cast<void>((*make("GroupNormalization", {{"groups", 4}}))(sample()));
  }));
}

TEST(Normalization, ZeroVectorsStayZero) {
  const Tensor zeros = Tensor::zeros(DType::kFloat32, {2, 3, 4});
  EXPECT_TRUE(same_bits((*make("UnitNormalization", {}))(zeros), zeros));
  EXPECT_TRUE(same_bits((*make("RMSNormalization", {}))(zeros), zeros));
}

// Only BatchNormalization in training depends on the other samples.
TEST(Normalization, SamplesAreIndependentOfTheirBatch) {
  for (const char* name : {"BatchNormalization", "GroupNormalization", "LayerNormalization",
                           "RMSNormalization", "UnitNormalization"}) {
    Dict config;
    if (std::string_view(name) == "GroupNormalization") config["groups"] = 3;
    const LayerPtr layer = make_layer(name, config);
    EXPECT_TRUE(
        same_bits((*layer)(batch_rows(sample(), 1, 1)), batch_rows((*layer)(sample()), 1, 1)))
        << name;
  }
}

Tensors train(Layer& layer, const Tensor& x) {
  Args args;
  args.inputs = {x};
  args.training = true;
  return layer.apply(std::move(args));
}

// Appended padding changes neither the statistics nor the results of kept steps.
TEST(BatchNormalization, PaddingDoesNotCountInTraining) {
  const Tensor x = sample();
  Rng rng(2);
  Tensor longer = random_floats(rng, {3, 7, 6}, 100);
  std::vector<std::uint8_t> keep;
  for (int row = 0; row < 3; ++row) {
    std::copy_n(x.floats() + row * 30, 30, longer.mutable_floats() + row * 42);
    for (int t = 0; t < 7; ++t) keep.push_back(t < 5);
  }
  const LayerPtr plain = make("BatchNormalization", {{"momentum", 0.5}});
  const LayerPtr padded = make("BatchNormalization", {{"momentum", 0.5}});
  const Tensor expected = train(*plain, x).front();
  const Tensor result = train(*padded, masked(longer, keep)).front();
  for (int t = 0; t < 5; ++t) {
    EXPECT_TRUE(close(test::time_step(result, t), test::time_step(expected, t), {1e-5, 1e-5}));
  }
  for (std::size_t w = 0; w < 4; ++w) {
    EXPECT_TRUE(close(padded->own_weights()[w]->value(), plain->own_weights()[w]->value()));
  }
}

TEST(BatchNormalization, InferenceLeavesTheStatisticsAndIgnoresTheMask) {
  const LayerPtr layer = make("BatchNormalization", {});
  static_cast<void>(train(*layer, sample()));
  const Tensor before = layer->own_weights()[2]->value();
  const Tensor plain = (*layer)(sample());
  EXPECT_TRUE(same_bits((*layer)(masked(sample(), std::vector<std::uint8_t>(15, 0))), plain));
  EXPECT_TRUE(same_bits(layer->own_weights()[2]->value(), before));
  layer->set_trainable(false);
  EXPECT_TRUE(same_bits(train(*layer, sample()).front(), plain));
  EXPECT_TRUE(same_bits(layer->own_weights()[2]->value(), before));
}

// In training, TimeDistributed calls the layer once per step, so each step is one batch.
TEST(BatchNormalization, InTimeDistributed) {
  const LayerPtr inner = make("BatchNormalization", {{"momentum", 0.5}});
  const LayerPtr wrapper =
      make("TimeDistributed", {{"layer", dict({{std::string(kLayerHandleKey), inner->id()}})}});
  const LayerPtr alone = make("BatchNormalization", {{"momentum", 0.5}});
  const Tensor result = train(*wrapper, sample()).front();
  for (int t = 0; t < 5; ++t) {
    EXPECT_TRUE(
        same_bits(test::time_step(result, t), train(*alone, test::time_step(sample(), t)).front()));
  }
  EXPECT_TRUE(same_bits(inner->own_weights()[3]->value(), alone->own_weights()[3]->value()));
  const Tensor inference = (*wrapper)(sample());
  for (int t = 0; t < 5; ++t) {
    EXPECT_TRUE(same_bits(test::time_step(inference, t), (*alone)(test::time_step(sample(), t))));
  }
}

// Follows the formulas of Ioffe 2017 for the kept positions of two batches.
TEST(BatchNormalization, RenormUsesAndUpdatesMovingStatistics) {
  constexpr double kEpsilon = 0.01;
  constexpr double kMomentum = 0.75;
  constexpr double kRenormMomentum = 0.5;
  for (const bool clips : {false, true}) {
    const Value clipping =
        clips ? Value(dict({{"rmin", 0.9}, {"rmax", 1.1}, {"dmax", 0.25}})) : Value();
    const LayerPtr layer = make("BatchNormalization", {{"renorm", true},
                                                       {"renorm_clipping", clipping},
                                                       {"renorm_momentum", kRenormMomentum},
                                                       {"momentum", kMomentum},
                                                       {"epsilon", kEpsilon}});
    layer->build_once({{kUnknown, kUnknown, 1}});
    ASSERT_EQ(layer->own_weights().size(), 7U);
    const auto weight = [&](std::size_t i) -> Variable& { return *layer->own_weights()[i]; };
    const std::vector<float> values{1.5F, 0.25F, 0.5F, 4.0F, 2.0F, -0.5F, 3.0F};
    for (std::size_t i = 0; i < 7; ++i) weight(i).set_value(floats({1}, {values[i]}));
    double moving_mean = values[2];
    double moving_stddev = values[4];
    double renorm_mean = values[5];
    double renorm_stddev = values[6];
    for (const std::vector<float>& x : {std::vector<float>{1, 2, 6, 4}, {-3, 0, 2, 5}}) {
      // The last position is masked, so the mean has three terms.
      const double mean = (x[0] + x[1] + x[2]) / 3.0;
      double variance = 0;
      for (int i = 0; i < 3; ++i) {
        variance +=
            (x[static_cast<std::size_t>(i)] - mean) * (x[static_cast<std::size_t>(i)] - mean) / 3;
      }
      const double stddev = std::sqrt(variance + kEpsilon);
      double r = stddev / renorm_stddev;
      double d = (mean - renorm_mean) / renorm_stddev;
      if (clips) {
        r = std::clamp(r, 0.9, 1.1);
        d = std::clamp(d, -0.25, 0.25);
      }
      const Tensor result = train(*layer, masked(floats({2, 2, 1}, x), {1, 1, 1, 0})).front();
      for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_NEAR(result.data<float>()[i], ((x[i] - mean) / stddev * r + d) * 1.5 + 0.25, 1e-5);
      }
      const auto move = [](double& moving, double batch, double momentum) {
        moving = moving * momentum + batch * (1 - momentum);
      };
      move(moving_mean, mean, kMomentum);
      move(moving_stddev, stddev, kMomentum);
      move(renorm_mean, mean, kRenormMomentum);
      move(renorm_stddev, stddev, kRenormMomentum);
      const std::vector<double> expected{moving_mean, moving_stddev * moving_stddev - kEpsilon,
                                         moving_stddev, renorm_mean, renorm_stddev};
      for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_NEAR(*weight(i + 2).data(), expected[i], 1e-5) << "weight " << i + 2;
      }
    }
  }
}

TEST(BatchNormalization, StandardDeviationsStartAtTheRootOfTheVariance) {
  const Value nine = dict({{"class_name", "Constant"}, {"config", Value(dict({{"value", 9}}))}});
  const LayerPtr layer =
      make("BatchNormalization", {{"renorm", true}, {"moving_variance_initializer", nine}});
  layer->build_once({{kUnknown, 1}});
  EXPECT_EQ(*layer->own_weights()[3]->data(), 9);
  EXPECT_EQ(*layer->own_weights()[4]->data(), 3);
  EXPECT_EQ(*layer->own_weights()[6]->data(), 3);
}

TEST(BatchNormalization, RejectsInvalidSettingsAndShapes) {
  const LayerPtr layer = make("BatchNormalization", {});
  static_cast<void>((*layer)(sample()));
  EXPECT_TRUE(fails_with(ErrorKind::kConfig, {"renorm_clipping", "rmix", "rmin"}, [] {
    static_cast<void>(
        make("BatchNormalization", {{"renorm", true}, {"renorm_clipping", dict({{"rmix", 1}})}}));
  }));
  EXPECT_TRUE(fails_with(ErrorKind::kConfig, {"axis", "2 numbers"}, [] {
    static_cast<void>(make("BatchNormalization", {{"axis", list({1, 2})}}));
  }));
  EXPECT_TRUE(fails_with(ErrorKind::kShape, {"6 features", "(3, 5, 4)"}, [&] {
    static_cast<void>((*layer)(Tensor::zeros(DType::kFloat32, {3, 5, 4})));
  }));
}

}  // namespace
}  // namespace maskflow
