// SPDX-License-Identifier: MIT
// Compares layers in 8 bits with the same layers on the dequantized floats: every use of a matrix
// or table must compute with these numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kernels/quantized_rows.hpp"
#include "layer/quantize.hpp"
#include "support/errors.hpp"
#include "support/layers.hpp"

namespace maskflow {
namespace {

using kernels::Activations;
using test::close;
using test::list;
using test::Rng;
using test::same_bits;

struct Case {
  const char* class_name;
  test::Entries config;
  Shape input;
  int quantized;  // weights
  int floats;
  int ids = 0;           // Upper limit of the input's ids; 0 if the input is not ids.
  bool reverse = false;  // call option
  bool attends = false;  // Whether the inputs are the query and the value of attention.
};

const Case kCases[] = {
    {"Dense", {{"units", 9}}, {4, 5}, 1, 1},
    {"Embedding", {{"input_dim", 11}, {"output_dim", 13}}, {3, 6}, 1, 0, 11},
    {"Embedding", {{"input_dim", 1}, {"output_dim", 1}}, {2, 3}, 1, 0, 1},
    {"ReversibleEmbedding", {{"input_dim", 11}, {"output_dim", 8}}, {3, 6}, 1, 0, 11},
    {"ReversibleEmbedding", {{"input_dim", 11}, {"output_dim", 8}}, {3, 6, 8}, 1, 0, 0, true},
    {"ReversibleEmbedding",
     {{"input_dim", 11}, {"output_dim", 8}, {"tie_weights", false}},
     {3, 6, 8},
     2,
     0,
     0,
     true},
    {"EinsumDense",
     {{"equation", "abc,cd->abd"}, {"output_shape", list({Value(), 9})}, {"bias_axes", "d"}},
     {2, 3, 7},
     1,
     1},
    {"EinsumDense",
     {{"equation", "...c,cde->...de"}, {"output_shape", list({3, 5})}, {"activation", "tanh"}},
     {2, 3, 7},
     1,
     0},
    {"EinsumDense", {{"equation", "abc,bcd->ad"}, {"output_shape", list({6})}}, {4, 3, 5}, 1, 0},
    // The kernel is stored transposed.
    {"EinsumDense", {{"equation", "abc,dc->abd"}, {"output_shape", list({3, 9})}}, {2, 3, 7}, 1, 0},
    // These weights are not matrices of rows and columns and are used in no matrix product.
    {"EinsumDense",
     {{"equation", "abc,dce->abde"}, {"output_shape", list({3, 4, 5})}},
     {2, 3, 7},
     0,
     1},
    {"EinsumDense",
     {{"equation", "abc,bcd->abd"}, {"output_shape", list({3, 9})}},
     {2, 3, 7},
     0,
     1},
    {"MultiHeadAttention",
     {{"num_heads", 2}, {"key_dim", 3}, {"value_dim", 5}},
     {2, 5, 7},
     4,
     4,
     0,
     false,
     true},
    {"MultiHeadAttention",
     {{"num_heads", 3}, {"key_dim", 4}, {"use_gate", true}},
     {2, 5, 7},
     5,
     5,
     0,
     false,
     true},
    {"GroupQueryAttention",
     {{"head_dim", 3}, {"num_query_heads", 4}, {"num_key_value_heads", 2}},
     {2, 5, 7},
     4,
     4,
     0,
     false,
     true},
    {"Conv1D", {{"filters", 6}, {"kernel_size", 3}}, {2, 9, 5}, 1, 1},
    {"Conv1D",
     {{"filters", 6}, {"kernel_size", 3}, {"dilation_rate", 2}, {"padding", "causal"}},
     {2, 9, 5},
     1,
     1},
    {"Conv1D",
     {{"filters", 6}, {"kernel_size", 3}, {"strides", 2}, {"padding", "same"}},
     {2, 9, 5},
     1,
     1},
    {"Conv1D", {{"filters", 6}, {"kernel_size", 3}, {"groups", 2}}, {2, 9, 4}, 1, 1},
    {"SeparableConv1D", {{"filters", 6}, {"kernel_size", 3}}, {2, 9, 5}, 1, 2},
    {"DepthwiseConv1D", {{"kernel_size", 3}}, {2, 9, 5}, 0, 2},
    {"Conv1DTranspose", {{"filters", 6}, {"kernel_size", 3}, {"strides", 2}}, {2, 9, 5}, 1, 1},
    {"ConvLSTM1D", {{"filters", 3}, {"kernel_size", 3}}, {2, 4, 6, 5}, 2, 1},
    {"ConvLSTM1D",
     {{"filters", 3}, {"kernel_size", 3}, {"dilation_rate", 2}, {"padding", "same"}},
     {2, 4, 6, 5},
     2,
     1},
    {"LSTM", {{"units", 6}, {"return_sequences", true}}, {2, 5, 7}, 2, 1},
    {"GRU", {{"units", 6}}, {2, 5, 7}, 2, 1},
    {"GRU", {{"units", 6}, {"reset_after", false}}, {2, 5, 7}, 2, 1},
    {"SimpleRNN", {{"units", 6}}, {2, 5, 7}, 2, 1},
    {"Bidirectional", {{"layer", test::serialized("LSTM", {{"units", 4}})}}, {2, 5, 7}, 4, 2},
    {"TimeDistributed", {{"layer", test::serialized("Dense", {{"units", 4}})}}, {2, 5, 7}, 1, 1},
    {"LayerNormalization", {}, {2, 5, 7}, 0, 2},
};

// Copies.
Tensors values_of(const Layer& layer) {
  Tensors values;
  for (const Layer::Weight& weight : layer.weights()) {
    const Tensor value = weight.variable->read();
    values.push_back(Tensor::from<float>(value.shape(), value.data<float>()));
  }
  return values;
}

class Quantizing {
 public:
  Quantizing(const Case& c, Rng& rng) : c_(c), layer_(made(rng)) {
    x_ = c.ids > 0 ? test::random_ints(rng, c.input, 0, c.ids - 1)
                   : test::random_floats(rng, c.input);
  }
  // A layer with the configuration of the case.
  [[nodiscard]] LayerPtr made(Rng& rng) const {
    LayerPtr layer = test::make(c_.class_name, c_.config);
    test::randomize(*layer, rng, c_.input);
    return layer;
  }
  [[nodiscard]] Tensors outputs(Layer& layer) const {
    Args args;
    args.inputs = {x_};
    if (c_.reverse) args.options["reverse"] = true;
    if (c_.attends) args.tensors.push_back({"value", {x_}, false});
    Tensors results = layer.apply(std::move(args));
    // Reads the results, because a lookup that is not read yet keeps the table alive.
    for (const Tensor& result : results) static_cast<void>(result.data<float>());
    return results;
  }
  [[nodiscard]] Layer& layer() const { return *layer_; }

 private:
  const Case& c_;
  LayerPtr layer_;
  Tensor x_;
};

int seed_of(const Case& c) { return static_cast<int>(&c - kCases); }

// Calls f(case, quantizing, rng) for each case.
template <class F>
void for_all(F&& f) {
  const test::Scope scope;
  for (const Case& c : kCases) {
    SCOPED_TRACE(std::string(c.class_name) + ", case " + std::to_string(seed_of(c)));
    Rng rng(static_cast<std::uint64_t>(seed_of(c)));
    f(c, Quantizing(c, rng), rng);
  }
}

TEST(QuantizedLayers, EqualFloatLayersWithTheDequantizedWeights) {
  for_all([](const Case&, const Quantizing& q, Rng& rng) {
    quantize(q.layer(), Activations::kFloat);
    const LayerPtr floats = q.made(rng);
    floats->set_weights(values_of(q.layer()));
    const Tensors got = q.outputs(q.layer());
    const Tensors wanted = q.outputs(*floats);
    ASSERT_EQ(got.size(), wanted.size());
    for (std::size_t i = 0; i < got.size(); ++i) EXPECT_TRUE(close(got[i], wanted[i]));
  });
}

// The rows of inputs are rounded to 7 bits, too: results are near the float results.
// quantized_test.cpp checks how near.
TEST(QuantizedLayers, ComputeWithIntegers) {
  for_all([](const Case&, const Quantizing& q, Rng&) {
    const Tensors before = q.outputs(q.layer());
    quantize(q.layer(), Activations::kInt8);
    const Tensors after = q.outputs(q.layer());
    for (std::size_t i = 0; i < before.size(); ++i) {
      EXPECT_TRUE(close(after[i], before[i], {0.02, 0.1}));
    }
  });
}

TEST(QuantizedLayers, ReportTheirWeights) {
  for_all([](const Case& c, const Quantizing& q, Rng&) {
    const Tensors before = values_of(q.layer());
    const std::vector<QuantizedWeight> report = quantize(q.layer(), Activations::kFloat);
    const Tensors after = values_of(q.layer());
    ASSERT_EQ(report.size(), before.size());
    const auto is_quantized = [](const QuantizedWeight& w) { return w.quantized; };
    EXPECT_EQ(std::count_if(report.begin(), report.end(), is_quantized), c.quantized);
    EXPECT_EQ(std::ssize(report) - c.quantized, c.floats);
    for (std::size_t w = 0; w < report.size(); ++w) {
      EXPECT_EQ(report[w].bytes_before, before[w].bytes());
      EXPECT_EQ(report[w].shape, before[w].shape());
      double worst = 0;
      double largest = 0;
      for (std::size_t i = 0; i < before[w].size(); ++i) {
        const double was = before[w].data<float>()[i];
        worst = std::max(worst, std::fabs(after[w].data<float>()[i] - was));
        largest = std::max(largest, std::fabs(was));
      }
      EXPECT_EQ(report[w].largest_error, worst) << report[w].path;
      EXPECT_LE(worst, largest / 254 * 1.001 + 1e-7) << report[w].path;
      EXPECT_TRUE(report[w].quantized || worst == 0) << report[w].path;
    }
  });
}

// The reported bytes equal the change of memory, before and after calls and reads of weights.
TEST(QuantizedLayers, KeepNoFloats) {
  for_all([](const Case&, const Quantizing& q, Rng&) {
    static_cast<void>(q.outputs(q.layer()));
    const std::int64_t start = live_memory().bytes;
    const std::vector<QuantizedWeight> report = quantize(q.layer(), Activations::kFloat);
    std::int64_t saved = 0;
    for (const QuantizedWeight& w : report) {
      saved += static_cast<std::int64_t>(w.bytes_before) - static_cast<std::int64_t>(w.bytes);
    }
    EXPECT_EQ(live_memory().bytes, start - saved);
    static_cast<void>(q.outputs(q.layer()));
    static_cast<void>(values_of(q.layer()));
    EXPECT_EQ(live_memory().bytes, start - saved);
  });
}

TEST(QuantizedLayers, BecomeFloatWhenWeightsAreSet) {
  for_all([](const Case&, const Quantizing& q, Rng&) {
    const Tensors weights = values_of(q.layer());
    const Tensors before = q.outputs(q.layer());
    const std::int64_t start = live_memory().bytes;
    for (const auto activations : {Activations::kInt8, Activations::kFloat}) {
      quantize(q.layer(), activations);
      q.layer().set_weights(weights);
      EXPECT_EQ(live_memory().bytes, start);
      const Tensors again = q.outputs(q.layer());
      for (std::size_t i = 0; i < before.size(); ++i) EXPECT_TRUE(same_bits(again[i], before[i]));
    }
  });
}

TEST(QuantizedLayers, StayFloatWhenAWeightIsNotFinite) {
  const LayerPtr lstm = test::make("LSTM", {{"units", 3}});
  Rng rng(1);
  test::randomize(*lstm, rng, {2, 4, 5});
  Tensors weights = values_of(*lstm);
  weights[1].mutable_data<float>()[7] = INFINITY;
  lstm->set_weights(weights);
  EXPECT_TRUE(test::fails_with(ErrorKind::kValue, {"recurrent_kernel", "inf"},
                               [&] { quantize(*lstm, Activations::kFloat); }));
  const Tensors after = values_of(*lstm);
  for (std::size_t i = 0; i < weights.size(); ++i) EXPECT_TRUE(same_bits(after[i], weights[i]));
}

// Keras's formula, computed by hand: scale = 127 / (max |x| + 1e-7) in float32, halves to even.
TEST(QuantizedRows, EqualThoseOfKeras) {
  const std::vector<float> rows[] = {{0.5F, -0.25F, 0.125F, 0.0019685F, -0.5F},
                                     {0, 0, 0},
                                     {1e-7F, -5e-8F},
                                     {1e-40F, 0},
                                     {3e38F, -3e38F, 1e38F}};
  const std::vector<int> wanted[] = {
      {127, -63, 32, 0, -127}, {0, 0, 0}, {64, -32}, {0, 0}, {127, -127, 42}};
  for (std::size_t r = 0; r < std::size(rows); ++r) {
    const std::vector<float>& x = rows[r];
    std::vector<std::byte> bytes(kernels::quantized_row_bytes(x.size()));
    kernels::quantize_row(x.data(), x.size(), bytes.data());
    std::vector<float> back(x.size());
    kernels::read_quantized_row(bytes.data(), x.size(), back.data());
    float largest = 0;
    for (const float v : x) largest = std::max(largest, std::fabs(v));
    const float scale = 127.0F / (largest + 1e-7F);
    for (std::size_t i = 0; i < x.size(); ++i) {
      EXPECT_EQ(static_cast<int>(static_cast<std::int8_t>(bytes[4 + i])), wanted[r][i])
          << r << " " << i;
      EXPECT_EQ(back[i], static_cast<float>(wanted[r][i]) / scale) << r << " " << i;
    }
  }
}

// A recurrent layer projects each row of the table once, and never needs the table as floats.
TEST(QuantizedRows, AreProjectedWithoutDequantization) {
  Rng rng(5);
  const LayerPtr embedding = test::make("Embedding", {{"input_dim", 40}, {"output_dim", 10}});
  const LayerPtr lstm = test::make("LSTM", {{"units", 6}});
  test::randomize(*embedding, rng, {3, 7});
  test::randomize(*lstm, rng, {3, 7, 10});
  for (int repeat = 0; repeat < 3; ++repeat) {
    quantize(*embedding, Activations::kFloat);
    const std::int64_t bytes = live_memory().bytes;
    for (int call = 0; call < 4; ++call) {
      const Tensor ids = test::random_ints(rng, {3, 7}, 0, 39);
      const Tensor looked_up = test::call(*embedding, ids).front();
      ASSERT_NE(looked_up.lookup(), nullptr);
      const Tensor result = test::call(*lstm, looked_up).front();
      EXPECT_NE(looked_up.lookup(), nullptr) << "the layer read the vectors";
      const Tensor vectors = Tensor::from<float>(looked_up.shape(), looked_up.data<float>());
      EXPECT_TRUE(same_bits(result, test::call(*lstm, vectors).front()));
    }
    EXPECT_EQ(live_memory().bytes, bytes);
    test::randomize(*embedding, rng, {3, 7});
  }
}

TEST(QuantizedRows, LookupOutlivesItsTable) {
  Rng rng(6);
  const LayerPtr embedding = test::make("Embedding", {{"input_dim", 40}, {"output_dim", 10}});
  test::randomize(*embedding, rng, {3, 7});
  quantize(*embedding, Activations::kFloat);
  const Tensor ids = test::random_ints(rng, {3, 7}, 0, 39);
  const Tensor early = test::call(*embedding, ids).front();
  const Tensor same = test::call(*embedding, ids).front();
  const Tensor expected = Tensor::from<float>(same.shape(), same.data<float>());
  test::randomize(*embedding, rng, {3, 7});
  EXPECT_TRUE(same_bits(early, expected));
}

}  // namespace
}  // namespace maskflow
