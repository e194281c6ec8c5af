// SPDX-License-Identifier: MIT
// Causal attention in a stream returns what the layer returns on the sequence so far, for any masks
// and any number of steps per call.
#include <gtest/gtest.h>

#include <algorithm>

#include "model/stream.hpp"
#include "ops/ops.hpp"
#include "rnn/kv_cache.hpp"
#include "support/errors.hpp"
#include "support/graphs.hpp"
#include "support/recurrent.hpp"

namespace maskflow {
namespace {

using test::fails_with;
using test::Rng;

constexpr int kBatch = 3;
// The number of steps is more than twice the first capacity of the cache.
constexpr Dim kTime = 40;
constexpr Dim kFeatures = 4;

struct Kind {
  const char* class_name;
  test::Entries config;
};
const Kind kKinds[] = {
    {"Attention", {{"use_scale", true}}},
    {"Attention", {{"use_scale", true}, {"score_mode", "concat"}}},
    {"AdditiveAttention", {}},
    {"MultiHeadAttention", {{"num_heads", 2}, {"key_dim", 3}, {"value_dim", 5}}},
    {"MultiHeadAttention", {{"num_heads", 3}, {"key_dim", 2}, {"use_gate", true}}},
    {"MultiHeadAttention", {{"num_heads", 2}, {"key_dim", 2}, {"dropout", 0.5}}},
    {"MultiHeadAttention", {{"num_heads", 2}, {"key_dim", 9}, {"sliding_window", 3}}},
    {"GroupQueryAttention", {{"head_dim", 3}, {"num_query_heads", 4}, {"num_key_value_heads", 2}}},
};

struct Options {
  bool causal = true;
  bool scores = false;
};

std::shared_ptr<Functional> self_attention(const LayerPtr& layer, Options options) {
  const Tensor x = test::input({kUnknown, kUnknown, kFeatures});
  Args args;
  args.inputs = {x};
  if (layer->class_name().ends_with("QueryAttention") ||
      layer->class_name() == "MultiHeadAttention") {
    args.tensors.push_back({"value", {x}, false});
  } else {
    args.inputs.push_back(x);
    args.list = true;
  }
  if (options.causal) args.options["use_causal_mask"] = true;
  if (options.scores) args.options["return_attention_scores"] = true;
  return test::functional({x}, layer->apply(std::move(args)));
}

std::shared_ptr<Functional> random_model(const Kind& kind, Rng& rng, Options options) {
  const LayerPtr layer = test::make(kind.class_name, kind.config);
  const auto model = self_attention(layer, options);
  test::randomize(*layer, rng, {kBatch, kTime, kFeatures});
  return model;
}

std::shared_ptr<Stream> stream_of(Model& model, Dim batch = kBatch) {
  return std::make_shared<Stream>(std::make_shared<StreamPlan>(model, batch, std::vector<Shape>{}));
}

Tensor piece(const Tensor& x, int axis, Dim first, Dim count) {
  const Tensor values = ops::slice_axis(x, axis, first, first + count);
  if (axis != 1 || x.mask() == nullptr) return values;
  return values.with_mask(make_mask(ops::slice_axis(x.mask()->values(), 1, first, first + count)));
}

Tensor random_x(Rng& rng, int batch = kBatch) {
  const Tensor x = test::random_floats(rng, {batch, kTime, kFeatures});
  return rng.chance(0.3) ? x : test::masked(x, test::random_keep(rng, batch, kTime));
}

void expect_close(const Tensor& actual, const Tensor& expected) {
  ASSERT_EQ(actual.shape(), expected.shape());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const float number = expected.data<float>()[i];
    EXPECT_NEAR(actual.data<float>()[i], number, std::max(1e-6F, 1e-5F * std::fabs(number)))
        << "element " << i;
  }
}

// Compares each call of a stream to a call of the model on all steps so far.
void check_pieces(Model& model, const Tensor& x, Rng& rng, int longest) {
  const auto stream = stream_of(model, x.shape()[0]);
  for (Dim first = 0; first < kTime && !testing::Test::HasFailure();) {
    const Dim count = std::min<Dim>(rng.integer(1, longest), kTime - first);
    SCOPED_TRACE(testing::Message() << "steps " << first << " to " << first + count);
    const Tensors results = stream->step({piece(x, 1, first, count)});
    first += count;
    const Tensors whole = test::run(model, {piece(x, 1, 0, first)});
    for (std::size_t i = 0; i < results.size(); ++i) {
      const int time = whole[i].rank() == 4 ? 2 : 1;
      expect_close(results[i].with_mask(nullptr),
                   piece(whole[i].with_mask(nullptr), time, first - count, count));
    }
  }
}

TEST(StreamAttention, StepsEqualThoseOfTheSequenceSoFar) {
  for (const Kind& kind : kKinds) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      Rng rng(seed);
      SCOPED_TRACE(testing::Message() << kind.class_name << ", " << rng.trace());
      const test::Scope scope(MaskPropagation::kKeras315, OnMaskDropped::kSilent);
      const auto model = random_model(kind, rng, {.scores = seed % 3 == 0});
      // A batch of one row without scores takes a shorter path.
      const Tensor x = random_x(rng, seed % 2 == 0 ? kBatch : 1);
      for (const int longest : {1, 5, 40}) check_pieces(*model, x, rng, longest);
    }
  }
}

TEST(StreamAttention, StatesContinueInAnotherStream) {
  for (const Kind& kind : kKinds) {
    Rng rng(7);
    SCOPED_TRACE(kind.class_name);
    const test::Scope scope(MaskPropagation::kKeras315, OnMaskDropped::kSilent);
    const auto model = random_model(kind, rng, {});
    const Tensor x = random_x(rng);
    const auto stream = stream_of(*model);
    for (Dim t = 0; t < 30; ++t) stream->step({piece(x, 1, t, 1)});
    const auto copy = stream->clone();
    const auto other = stream_of(*model);
    other->set({stream->states().front().state->tensors()});
    const Tensor expected = stream->step({piece(x, 1, 30, 10)}).front();
    expect_close(copy->step({piece(x, 1, 30, 10)}).front(), expected);
    expect_close(other->step({piece(x, 1, 30, 10)}).front(), expected);
    stream->reset();
    expect_close(stream->step({piece(x, 1, 0, 40)}).front().with_mask(nullptr),
                 test::run(*model, {x}).front().with_mask(nullptr));
  }
}

TEST(StreamAttention, ResettingAllocatesNoMoreMemory) {
  Rng rng(1);
  const auto model = random_model(kKinds[3], rng, {});
  const auto stream = stream_of(*model);
  const Tensor x = test::random_floats(rng, {kBatch, kTime, kFeatures});
  const auto round = [&] {
    for (Dim t = 0; t < kTime; ++t) stream->step({piece(x, 1, t, 1)});
    stream->reset();
  };
  round();
  const MemoryInfo before = live_memory();
  for (int i = 0; i < 3; ++i) round();
  EXPECT_EQ(live_memory().bytes, before.bytes);
  EXPECT_EQ(live_memory().tensors, before.tensors);
}

// The cache keeps the keys of the window and a few older ones.
TEST(StreamAttention, WindowsForgetOldKeys) {
  KvCache cache;
  Dim longest = 0;
  for (Dim t = 0; t < 1000; ++t) {
    cache.reserve(1, "heads");
    const Tensor x = Tensor::full(DType::kFloat32, {1, 1, 1}, static_cast<double>(t + 1));
    cache.append({nullptr, nullptr}, x, x, x, 5);
    const Tensors state = cache.tensors();
    const Dim count = state[2].shape()[1];
    longest = std::max(longest, count);
    const auto numbers = state[2].data<float>();
    ASSERT_TRUE(test::same_bits(state[0], state[2]));
    ASSERT_EQ(numbers[static_cast<std::size_t>(count - 1)], static_cast<float>(t + 1));
    ASSERT_LE(numbers[0], static_cast<float>(std::max<Dim>(t - 3, 1)));
    const Tensor seen = cache.allowed(nullptr, 1);
    ASSERT_EQ(std::ranges::count(seen.data<std::uint8_t>(), 1), std::min<Dim>(t + 1, 5));
  }
  EXPECT_LE(longest, 16);
  EXPECT_EQ(cache.capacity(), 16);
}

TEST(StreamAttention, TooManyStepsAreAnErrorThatKeepsNone) {
  Rng rng(2);
  const auto model = random_model(kKinds[0], rng, {});
  const auto stream = stream_of(*model, 1);
  const Dim max_keys = KvCache::kMaxKeys;
  Tensors state = stream->states().front().state->tensors();
  state[0] = state[1] = Tensor::zeros(DType::kFloat32, {1, max_keys, kFeatures});
  state[2] = Tensor(DType::kFloat32, {1, max_keys, 1});
  for (Dim i = 0; i < max_keys; ++i) {
    state[2].mutable_data<float>()[static_cast<std::size_t>(i)] = static_cast<float>(i + 1);
  }
  state[4] = Tensor::full(DType::kFloat32, {1}, static_cast<double>(max_keys));
  stream->set({state});
  const Tensor x = test::random_floats(rng, {1, 2, kFeatures});
  EXPECT_TRUE(fails_with(ErrorKind::kState,
                         {stream->states().front().layer, "keeps 65536", "received 2", "reset()"},
                         [&] { stream->step({x}); }));
  EXPECT_EQ(stream->states().front().state->tensors()[4].data<float>()[0],
            static_cast<float>(max_keys));
  stream->reset();
  EXPECT_NO_THROW(stream->step({x}));
}

TEST(StreamAttention, StatesAreChecked) {
  Rng rng(3);
  const auto model = random_model(kKinds[3], rng, {});
  const auto stream = stream_of(*model);
  const Tensor x = test::random_floats(rng, {kBatch, kTime, kFeatures});
  stream->step({piece(x, 1, 0, 4)});
  const auto with = [&](std::size_t i, const Tensor& tensor) {
    Tensors state = stream->states().front().state->tensors();
    state[i] = tensor;
    return std::vector<Tensors>{state};
  };
  const auto zeros = [](const Shape& shape) { return Tensor::zeros(DType::kFloat32, shape); };
  const std::string name = stream->states().front().layer;
  EXPECT_TRUE(fails_with(ErrorKind::kShape, {name, "(3, 5, 10)", "(3, 4, 10)"}, [&] {
    stream->set(with(1, zeros({3, 5, 10})));
  }));
  EXPECT_TRUE(fails_with(ErrorKind::kShape, {name, "4 tensors but must have 5"}, [&] {
    std::vector<Tensors> state = with(0, zeros({3, 4, 6}));
    state.front().pop_back();
    stream->set(state);
  }));
  for (const float number : {-1.0F, 0.5F, 5.0F, 2.0F, 0.0F, std::nanf("")}) {
    EXPECT_TRUE(
        fails_with(ErrorKind::kValue, {name, "4 kept of 4 steps", "increasing integers"}, [&] {
          Tensor numbers = stream->states().front().state->tensors()[2];
          numbers.mutable_data<float>()[0] = number;
          stream->set(with(2, numbers));
        }));
  }
  EXPECT_TRUE(fails_with(ErrorKind::kValue, {name, "of NaN steps"},
                         [&] { stream->set(with(4, Tensor::full(DType::kFloat32, {1}, NAN))); }));
  EXPECT_EQ(stream->states().front().state->tensors()[4].data<float>()[0], 4.0F);
}

TEST(StreamAttention, NonCausalAttentionIsAnError) {
  for (const Kind& kind : kKinds) {
    Rng rng(4);
    const auto model = random_model(kind, rng, {.causal = false});
    EXPECT_TRUE(fails_with(ErrorKind::kUnsupported,
                           {kind.class_name, "later steps", "use_causal_mask", "predict"},
                           [&] { static_cast<void>(stream_of(*model)); }));
  }
}

}  // namespace
}  // namespace maskflow
