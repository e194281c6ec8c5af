// SPDX-License-Identifier: MIT
// Convolutions over time equal their definition, also for settings without recorded cases.
#include <gtest/gtest.h>

#include "support/errors.hpp"
#include "support/graphs.hpp"
#include "support/naive_conv.hpp"
#include "support/recurrent.hpp"

namespace maskflow {
namespace {

using test::batch_rows;
using test::close;
using test::fails_with;
using test::make;
using test::naive_conv;
using test::NaiveWindow;
using test::random_floats;
using test::Rng;
using test::same_bits;
using test::swapped;

constexpr int kSeeds = 150;
constexpr test::Tolerance kTolerance{1e-5, 2e-6};

// Random settings, in which at most one of stride and dilation is above 1.
struct Settings {
  NaiveWindow window;
  int kernel_size;
  bool channels_first;
  bool use_bias;
  Shape input;  // channels last

  Settings(Rng& rng, bool causal, int channels)
      : kernel_size(rng.integer(1, 4)),
        channels_first(rng.chance(0.3)),
        use_bias(rng.chance(0.7)),
        input{rng.integer(1, 3), rng.integer(10, 14), channels} {
    (rng.chance(0.5) ? window.stride : window.dilation) = rng.integer(1, 3);
    const char* const paddings[] = {"valid", "same", "causal"};
    window.padding = paddings[rng.integer(0, causal ? 2 : 1)];
  }
  [[nodiscard]] Dict config() const {
    return test::dict({{"kernel_size", kernel_size},
                       {"strides", window.stride},
                       {"dilation_rate", window.dilation},
                       {"padding", window.padding},
                       {"data_format", channels_first ? "channels_first" : "channels_last"},
                       {"use_bias", use_bias}});
  }
  [[nodiscard]] Shape input_shape() const {
    return channels_first ? Shape{input[0], input[2], input[1]} : input;
  }
};

Tensors weights_of(Layer& layer) {
  Tensors values;
  for (const Layer::Weight& weight : layer.weights()) values.push_back(weight.variable->value());
  return values;
}

// Compares layers with random settings and weights to f(settings, x, weights), channels last, after
// add_settings(config, settings, rng). Also compares symbolic shapes, and a row of the batch alone.
template <class AddSettings, class F>
void compare(const char* class_name, bool causal, int channels, AddSettings&& add_settings, F&& f) {
  for (int seed = 0; seed < kSeeds && !testing::Test::HasFailure(); ++seed) {
    Rng rng(static_cast<std::uint64_t>(seed));
    SCOPED_TRACE(rng.trace());
    Settings settings(rng, causal, channels);
    Dict config = settings.config();
    add_settings(config, settings, rng);
    const LayerPtr layer = make_layer(class_name, config);
    test::randomize(*layer, rng, settings.input_shape());
    const Tensor x = random_floats(rng, settings.input);
    const Tensor input = settings.channels_first ? swapped(x) : x;
    const Tensor result = (*layer)(input);
    const Tensor expected = f(settings, x, weights_of(*layer));
    EXPECT_TRUE(close(settings.channels_first ? swapped(result) : result, expected, kTolerance));
    Shape shape = settings.input_shape();
    EXPECT_EQ(layer
                  ->apply([&] {
                    Args args;
                    args.inputs = {test::input(shape)};
                    return args;
                  }())
                  .front()
                  .shape(),
              result.shape());
    const int last = static_cast<int>(shape[0]) - 1;
    EXPECT_TRUE(same_bits((*layer)(batch_rows(input, last, 1)), batch_rows(result, last, 1)));
  }
}

// Computes a depthwise convolution with a kernel [taps, channels, multiplier] as one with a group
// for each channel.
Tensor depthwise(const Settings& s, const Tensor& x, const Tensor& kernel, const Tensor& bias) {
  NaiveWindow window = s.window;
  window.groups = static_cast<int>(kernel.shape()[1]);
  return naive_conv(x,
                    kernel.reshaped({kernel.shape()[0], 1, kernel.shape()[1] * kernel.shape()[2]}),
                    bias, window);
}

TEST(Convolution, Conv1DEqualsItsDefinition) {
  compare(
      "Conv1D", true, 6,
      [](Dict& config, Settings& s, Rng& rng) {
        const int groups[] = {1, 2, 3, 6};
        s.window.groups = groups[rng.integer(0, 3)];
        config["groups"] = s.window.groups;
        config["filters"] = s.window.groups * rng.integer(1, 5);
      },
      [](const Settings& s, const Tensor& x, const Tensors& w) {
        return naive_conv(x, w[0], s.use_bias ? w[1] : Tensor(), s.window);
      });
}

TEST(Convolution, DepthwiseConv1DEqualsItsDefinition) {
  compare(
      "DepthwiseConv1D", false, 5,
      [](Dict& config, Settings&, Rng& rng) { config["depth_multiplier"] = rng.integer(1, 3); },
      [](const Settings& s, const Tensor& x, const Tensors& w) {
        return depthwise(s, x, w[0], s.use_bias ? w[1] : Tensor());
      });
}

TEST(Convolution, SeparableConv1DEqualsItsDefinition) {
  compare(
      "SeparableConv1D", false, 5,
      [](Dict& config, Settings&, Rng& rng) {
        config["depth_multiplier"] = rng.integer(1, 3);
        config["filters"] = rng.integer(1, 9);
      },
      [](const Settings& s, const Tensor& x, const Tensors& w) {
        return naive_conv(depthwise(s, x, w[0], {}), w[1], s.use_bias ? w[2] : Tensor(), {});
      });
}

double dot(const Tensor& a, const Tensor& b) {
  const std::vector<double> x = test::numbers(a);
  const std::vector<double> y = test::numbers(b);
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

// Tests the definition of the transpose: <conv(y), x> = <y, transposed(x)> for all x and y with one
// kernel.
TEST(Convolution, Conv1DTransposeIsTheAdjointOfConv1D) {
  for (int seed = 0; seed < kSeeds; ++seed) {
    Rng rng(static_cast<std::uint64_t>(seed));
    SCOPED_TRACE(rng.trace());
    Settings s(rng, false, 5);
    Dict config = s.config();
    config["use_bias"] = false;
    config["filters"] = rng.integer(1, 6);
    if (s.window.padding == "valid") config["output_padding"] = rng.integer(0, s.window.stride - 1);
    const LayerPtr transposed = make_layer("Conv1DTranspose", config);
    test::randomize(*transposed, rng, s.input_shape());
    const Tensor x = random_floats(rng, s.input_shape());
    const Tensor longer = (*transposed)(x);
    const Tensor y = random_floats(rng, longer.shape());
    const Tensor kernel = transposed->weights().front().variable->value();
    const Tensor shorter =
        naive_conv(s.channels_first ? swapped(y) : y, kernel, Tensor(), s.window);
    ASSERT_EQ(shorter.shape(), s.input);
    EXPECT_NEAR(dot(shorter, s.channels_first ? swapped(x) : x), dot(y, longer), 1e-4);
    EXPECT_EQ((*transposed)(test::input(s.input_shape())).shape(), longer.shape());
  }
}

TEST(Convolution, UnknownTimeStaysUnknown) {
  const LayerPtr causal =
      make("Conv1D", {{"filters", 3}, {"kernel_size", 2}, {"padding", "causal"}, {"strides", 2}});
  EXPECT_EQ((*causal)(test::input({kUnknown, kUnknown, 4})).shape(),
            (Shape{kUnknown, kUnknown, 3}));
  const LayerPtr transposed = make("Conv1DTranspose", {{"filters", 3}, {"kernel_size", 2}});
  EXPECT_EQ((*transposed)(test::input({kUnknown, kUnknown, 4})).shape(),
            (Shape{kUnknown, kUnknown, 3}));
}

TEST(Convolution, ImpossibleSettingsAreErrorsWithTheirNumbers) {
  const auto refused = [](const char* class_name, Dict config,
                          std::initializer_list<std::string> parts) {
    if (config.find("filters") == nullptr && std::string(class_name) != "DepthwiseConv1D") {
      config["filters"] = 2;
    }
    if (config.find("kernel_size") == nullptr) config["kernel_size"] = 3;
    return fails_with(ErrorKind::kConfig, parts,
                      [&] { static_cast<void>(make_layer(class_name, config)); });
  };
  using test::dict;
  using test::list;
  EXPECT_TRUE(refused("Conv1D", dict({{"filters", 0}}), {"filters", "0"}));
  EXPECT_TRUE(refused("Conv1D", dict({{"filters", 4}, {"groups", 3}}), {"4", "3", "divide"}));
  EXPECT_TRUE(refused("Conv1D", dict({{"kernel_size", 0}}), {"kernel_size", "0", "at least 1"}));
  EXPECT_TRUE(refused("Conv1D", dict({{"kernel_size", list({})}}), {"kernel_size", "0 numbers"}));
  EXPECT_TRUE(refused("Conv1D", dict({{"strides", list({1, 2})}}), {"strides", "2 numbers"}));
  EXPECT_TRUE(refused("Conv1D", dict({{"strides", 2}, {"dilation_rate", 3}}), {"2", "3", "1"}));
  EXPECT_TRUE(refused("Conv1D", dict({{"padding", "full"}}), {"full", "'causal'"}));
  EXPECT_TRUE(refused("Conv1D", dict({{"data_format", "last"}}), {"last", "channels_last"}));
  for (const char* name : {"DepthwiseConv1D", "SeparableConv1D", "Conv1DTranspose", "ConvLSTM1D"}) {
    EXPECT_TRUE(refused(name, dict({{"padding", "causal"}}), {"causal", "'same'"}));
  }
  EXPECT_TRUE(refused("SeparableConv1D", dict({{"depth_multiplier", 0}}), {"depth_multiplier"}));
  EXPECT_TRUE(refused("Conv1DTranspose", dict({{"strides", 2}, {"output_padding", 2}}),
                      {"output_padding", "strides", "2"}));
}

TEST(Convolution, UnsuitableInputsAreErrorsWithTheirNumbers) {
  const LayerPtr layer = make("Conv1D", {{"filters", 2}, {"kernel_size", 4}, {"groups", 2}});
  EXPECT_TRUE(fails_with(ErrorKind::kConfig, {"5 channels", "2"}, [&] {
    static_cast<void>((*layer)(test::input({1, 9, 5})));
  }));
  EXPECT_TRUE(fails_with(ErrorKind::kShape, {"rank 3"}, [&] {
    static_cast<void>((*layer)(test::input({1, 9, 4, 4})));
  }));
  EXPECT_TRUE(fails_with(ErrorKind::kShape, {"4 steps", "only 3", "same"}, [&] {
    static_cast<void>((*layer)(test::input({1, 3, 4})));
  }));
  static_cast<void>((*layer)(test::input({1, 9, 4})));
  EXPECT_TRUE(fails_with(ErrorKind::kShape, {"4 features", "(1, 9, 6)"}, [&] {
    static_cast<void>((*layer)(Tensor::zeros(DType::kFloat32, {1, 9, 6})));
  }));
}

TEST(Convolution, PaddingIsReadInAnyCase) {
  const LayerPtr layer = make("Conv1D", {{"filters", 2}, {"kernel_size", 4}, {"padding", "Same"}});
  EXPECT_EQ(layer->get_config().find("padding")->as_string("padding"), "same");
}

}  // namespace
}  // namespace maskflow
