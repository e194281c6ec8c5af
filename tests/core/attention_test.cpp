// SPDX-License-Identifier: MIT
// Properties of attention under every mask. Some results are equal to the bit, because rows that
// affect no result are pruned before anything is computed.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/errors.hpp"
#include "support/graphs.hpp"
#include "support/recurrent.hpp"

namespace maskflow {
namespace {

using test::batch_rows;
using test::close;
using test::fails_with;
using test::Keep;
using test::Rng;
using test::same_bits;

constexpr int kSeeds = 60;

struct Kind {
  const char* class_name;
  test::Entries config;
  int heads;
  int key_heads;
  bool projects;
};
const Kind kKinds[] = {
    {"Attention", {{"use_scale", true}}, 1, 1, false},
    {"Attention", {{"use_scale", true}, {"score_mode", "concat"}}, 1, 1, false},
    {"AdditiveAttention", {}, 1, 1, false},
    {"MultiHeadAttention", {{"num_heads", 2}, {"key_dim", 3}, {"value_dim", 5}}, 2, 2, true},
    {"MultiHeadAttention", {{"num_heads", 3}, {"key_dim", 2}, {"use_gate", true}}, 3, 3, true},
    {"GroupQueryAttention",
     {{"head_dim", 3}, {"num_query_heads", 4}, {"num_key_value_heads", 2}},
     4,
     2,
     true},
};

// A layer with random weights, and random arguments for it.
class AttentionCase {
 public:
  AttentionCase(const Kind& layer_kind, Rng& rng)
      : kind(layer_kind),
        batch(rng.integer(1, 4)),
        queries(rng.integer(1, 7)),
        keys(rng.integer(1, 9)),
        layer(test::make(kind.class_name, kind.config)),
        query(test::random_floats(rng, {batch, queries, features})),
        value(test::random_floats(rng, {batch, keys, features})),
        query_keep(test::random_keep(rng, batch, queries)),
        value_keep(test::random_keep(rng, batch, keys)),
        causal(rng.chance(0.3)) {
    test::randomize(*layer, rng, {batch, keys, features});
  }

  // Calls the layer with `q` and `v` and their masks.
  [[nodiscard]] Tensors call(const Tensor& q, const Tensor& v, bool scores = false) const {
    Args args;
    args.inputs = {q};
    if (kind.projects) {
      args.tensors.push_back({"value", {v}, false});
    } else {
      args.inputs.push_back(v);
      args.list = true;
    }
    if (causal) args.options["use_causal_mask"] = true;
    if (scores) args.options["return_attention_scores"] = true;
    return layer->apply(std::move(args));
  }
  [[nodiscard]] Tensors masked_call(bool scores = false) const {
    return call(test::masked(query, query_keep), test::masked(value, value_keep), scores);
  }
  [[nodiscard]] bool sees(int b, int i, int j) const {
    const bool query_kept =
        !kind.projects || query_keep[static_cast<std::size_t>(b * queries + i)] != 0;
    return query_kept && value_keep[static_cast<std::size_t>(b * keys + j)] != 0 &&
           (!causal || j <= i);
  }
  [[nodiscard]] bool sees_any(int b, int i) const {
    for (int j = 0; j < keys; ++j) {
      if (sees(b, i, j)) return true;
    }
    return false;
  }

  static constexpr int features = 4;
  const Kind& kind;
  int batch, queries, keys;
  LayerPtr layer;
  Tensor query, value;
  Keep query_keep, value_keep;
  bool causal;
};

template <class F>
void for_cases(F&& f) {
  for (const Kind& kind : kKinds) {
    for (int seed = 0; seed < kSeeds && !testing::Test::HasFailure(); ++seed) {
      Rng rng(static_cast<std::uint64_t>(seed));
      SCOPED_TRACE(std::string(kind.class_name) + ", " + rng.trace());
      const AttentionCase c(kind, rng);
      f(c, rng);
    }
  }
}

float at(const Tensor& x, int b, int t, int f) {
  return x.data<float>()[static_cast<std::size_t>((b * x.shape()[1] + t) * x.shape()[2] + f)];
}

// Checks the returned scores by Keras's definition.
TEST(Attention, WeightsAreASoftmaxOverVisibleKeys) {
  for_cases([](const AttentionCase& c, Rng&) {
    const Tensors results = c.masked_call(true);
    ASSERT_EQ(results.size(), 2U);
    const std::vector<double> weights = test::numbers(results[1]);
    std::size_t index = 0;
    for (int b = 0; b < c.batch; ++b) {
      for (int h = 0; h < c.kind.heads; ++h) {
        for (int i = 0; i < c.queries; ++i) {
          double sum = 0;
          for (int j = 0; j < c.keys; ++j, ++index) {
            sum += weights[index];
            const bool hidden = c.sees_any(b, i) && !c.sees(b, i, j);
            EXPECT_TRUE(!hidden || weights[index] == 0) << j;
          }
          // The weights of a query that sees no key are 0 or, without projections, uniform.
          EXPECT_NEAR(sum, c.sees_any(b, i) || !c.kind.projects ? 1 : 0, 1e-5);
        }
      }
    }
  });
}

TEST(Attention, ReturningScoresChangesOnlyQueriesWithoutKeys) {
  for_cases([](const AttentionCase& c, Rng&) {
    const Tensor with_scores = c.masked_call(true).front();
    const Tensor without = c.masked_call().front();
    for (int b = 0; b < c.batch; ++b) {
      for (int i = 0; i < c.queries; ++i) {
        for (int f = 0; f < without.shape()[2] && c.sees_any(b, i); ++f) {
          EXPECT_NEAR(at(with_scores, b, i, f), at(without, b, i, f), 1e-5) << b << ", " << i;
        }
      }
    }
  });
}

TEST(Attention, QueriesWithoutKeysGetTheMean) {
  for_cases([](const AttentionCase& c, Rng&) {
    if (c.kind.projects) {
      // With the mean at every step of the value, each query returns the projected mean.
      Tensor same = Tensor::zeros(DType::kFloat32, c.value.shape());
      for (int b = 0; b < c.batch; ++b) {
        for (int f = 0; f < AttentionCase::features; ++f) {
          double sum = 0;
          for (int j = 0; j < c.keys; ++j) sum += at(c.value, b, j, f);
          for (int j = 0; j < c.keys; ++j) {
            same.mutable_data<float>()[static_cast<std::size_t>(
                (b * c.keys + j) * AttentionCase::features + f)] = static_cast<float>(sum / c.keys);
          }
        }
      }
      const Tensor means = c.call(c.query, same).front();
      const Tensor result = c.masked_call().front();
      for (int b = 0; b < c.batch; ++b) {
        for (int i = 0; i < c.queries; ++i) {
          for (int f = 0; f < result.shape()[2] && !c.sees_any(b, i); ++f) {
            EXPECT_NEAR(at(result, b, i, f), at(means, b, i, f), 1e-5) << b << ", " << i;
          }
        }
      }
    }
  });
}

TEST(Attention, RowsAreIndependentOfTheirBatch) {
  for_cases([](const AttentionCase& c, Rng&) {
    const Tensors all = c.masked_call();
    for (int b = 0; b < c.batch; ++b) {
      const auto keep = [b](const Keep& from, int time) {
        return Keep(from.begin() + b * time, from.begin() + (b + 1) * time);
      };
      const Tensors alone =
          c.call(test::masked(batch_rows(c.query, b, 1), keep(c.query_keep, c.queries)),
                 test::masked(batch_rows(c.value, b, 1), keep(c.value_keep, c.keys)));
      EXPECT_TRUE(same_bits(alone[0], batch_rows(all[0], b, 1))) << b;
    }
  });
}

TEST(Attention, AppendedPaddingChangesNothing) {
  for_cases([](const AttentionCase& c, Rng& rng) {
    const int more = rng.integer(1, 5);
    const auto longer = [&](const Tensor& x, const Keep& from) {
      const Dim time = x.shape()[1];
      const Tensor tail = test::random_floats(rng, {c.batch, more, AttentionCase::features}, 50);
      Keep keep;
      for (std::size_t i = 0; i < from.size(); ++i) {
        keep.push_back(from[i]);
        if ((static_cast<Dim>(i) + 1) % time != 0) continue;
        keep.insert(keep.end(), static_cast<std::size_t>(more), 0);
      }
      Dict axis;
      axis["axis"] = 1;
      return test::masked(apply_op1("Concatenate", std::array{x, tail}, axis), keep);
    };
    const Tensor before = c.masked_call().front();
    const Tensor after =
        c.call(longer(c.query, c.query_keep), longer(c.value, c.value_keep)).front();
    for (int b = 0; b < c.batch; ++b) {
      for (int i = 0; i < c.queries; ++i) {
        for (int f = 0; f < before.shape()[2] && c.sees_any(b, i); ++f) {
          EXPECT_EQ(at(after, b, i, f), at(before, b, i, f)) << b << ", " << i;
        }
      }
    }
  });
}

TEST(Attention, MaskOfOnesEqualsNoMask) {
  for_cases([](const AttentionCase& c, Rng&) {
    const Tensors with_mask = c.call(test::masked(c.query, Keep(c.query_keep.size(), 1)),
                                     test::masked(c.value, Keep(c.value_keep.size(), 1)));
    const Tensors without = c.call(c.query, c.value);
    EXPECT_TRUE(same_bits(with_mask[0], without[0]));
    EXPECT_NE(with_mask[0].mask(), nullptr);
    EXPECT_EQ(without[0].mask(), nullptr);
  });
}

// As in Keras, 0 times NaN is NaN, but it must not reach other sequences.
TEST(Attention, MaskedNanShowsOnlyInItsSequence) {
  for_cases([](const AttentionCase& c, Rng&) {
    if (c.batch == 1) return;
    Tensor value = Tensor::from<float>(c.value.shape(), c.value.data<float>());
    value.mutable_data<float>()[0] = std::numeric_limits<float>::quiet_NaN();
    Keep keep(c.value_keep.size(), 1);
    keep[0] = 0;
    const Tensor result = c.call(c.query, test::masked(value, keep)).front();
    for (int i = 0; i < c.queries; ++i) {
      EXPECT_TRUE(std::isnan(at(result, 0, i, 0))) << i;
      EXPECT_FALSE(std::isnan(at(result, 1, i, 0))) << i;
    }
  });
}

TEST(Attention, AcceptsSizesOfZero) {
  for (const Kind& kind : kKinds) {
    SCOPED_TRACE(kind.class_name);
    Rng rng(1);
    AttentionCase c(kind, rng);
    c.causal = false;
    const Tensor no_batch = Tensor::zeros(DType::kFloat32, {0, 3, AttentionCase::features});
    EXPECT_EQ(c.call(no_batch, no_batch).front().size(), 0U);
    const Tensor steps = Tensor::zeros(DType::kFloat32, {2, 3, AttentionCase::features});
    const Tensor empty = Tensor::zeros(DType::kFloat32, {2, 0, AttentionCase::features});
    EXPECT_EQ(c.call(empty, steps).front().size(), 0U);
    EXPECT_EQ(c.call(steps, empty).front().shape()[1], 3);
  }
}

TEST(MultiHeadAttention, RemovesTheMasksOfItsArguments) {
  Rng rng(3);
  const LayerPtr layer = test::make("MultiHeadAttention", {{"num_heads", 2}, {"key_dim", 3}});
  const LayerPtr kept = test::make(
      "GroupQueryAttention", {{"head_dim", 3}, {"num_query_heads", 2}, {"num_key_value_heads", 1}});
  const Tensor x = test::random_floats(rng, {2, 3, 4});
  const Tensor masked = test::masked(x, {1, 1, 0, 1, 0, 0});
  const test::Scope scope(MaskPropagation::kKeras315, OnMaskDropped::kWarn);
  for (const LayerPtr& attention : {kept, layer}) {
    Args args;
    args.inputs = {masked};
    args.tensors.push_back({"value", {masked}, false});
    EXPECT_NE(attention->apply(args).front().mask(), nullptr);
    EXPECT_EQ(masked.mask() == nullptr, attention == layer);
  }
  EXPECT_TRUE(scope.warnings().empty()) << "the attention uses the masks that projections drop";
}

// In a model, later layers see the tensor without its mask; the symbolic tensor keeps the mask.
TEST(MultiHeadAttention, RemovesMasksWithinAModel) {
  const LayerPtr embedding =
      test::make("Embedding", {{"input_dim", 5}, {"output_dim", 4}, {"mask_zero", true}});
  const LayerPtr attention = test::make("MultiHeadAttention", {{"num_heads", 2}, {"key_dim", 3}});
  const LayerPtr later = test::make("Activation", {{"activation", "relu"}});
  const Tensor ids = test::input({kUnknown, 3}, DType::kInt32);
  const Tensor x = (*embedding)(ids);
  Args args;
  args.inputs = {x};
  args.tensors.push_back({"value", {x}, false});
  const Tensor y = attention->apply(args).front();
  EXPECT_NE(x.mask(), nullptr);
  EXPECT_NE(y.mask(), nullptr);
  // The node of the last output must run first among the nodes of its depth.
  const auto model = test::functional({ids}, {(*later)(x), y});
  for (const LayerPtr& run : {LayerPtr(model), test::reloaded(*model)}) {
    const Tensors results = run->apply([] {
      Args call;
      call.inputs = {test::ints({1, 3}, {1, 2, 0})};
      return call;
    }());
    ASSERT_EQ(results.size(), 2U);
    EXPECT_EQ(results[0].mask(), nullptr);
    EXPECT_TRUE(test::same_mask(results[1].mask(), test::mask_of({1, 3}, {1, 1, 0})));
  }
  EXPECT_NE(x.mask(), nullptr);
}

TEST(AttentionErrors, NameTheNumbersAndTheRemedy) {
  const Tensor x = Tensor::zeros(DType::kFloat32, {2, 3, 4});
  const Tensor other = Tensor::zeros(DType::kFloat32, {2, 5, 6});
  const auto run = [](const char* class_name, test::Entries config, const Tensors& inputs,
                      const Tensors& named) {
    const LayerPtr layer = test::make(class_name, config);
    Args args;
    args.inputs = inputs;
    args.list = inputs.size() > 1;
    constexpr const char* kNames[] = {"value", "key", "attention_mask"};
    for (std::size_t i = 0; i < named.size(); ++i) {
      args.tensors.push_back({kNames[i], {named[i]}, false});
    }
    layer->apply(args);
  };
  const test::Entries heads{{"num_heads", 2}, {"key_dim", 3}};
  const char* const mha = "MultiHeadAttention";
  EXPECT_TRUE(fails_with(ErrorKind::kValue, {"[query, value]", "1 tensor"},
                         [&] { run("Attention", {}, {x}, {}); }));
  EXPECT_TRUE(fails_with(ErrorKind::kShape, {"(2, 3, 4)", "(2, 5, 6)", "features"}, [&] {
    run("Attention", {}, {x, other}, {});
  }));
  EXPECT_TRUE(
      fails_with(ErrorKind::kValue, {"query and value"}, [&] { run(mha, heads, {x}, {}); }));
  EXPECT_TRUE(fails_with(ErrorKind::kShape, {"(2, 3, 4)", "(2, 5, 6)", "as many steps"}, [&] {
    run(mha, heads, {x}, {x, other});
  }));
  EXPECT_TRUE(
      fails_with(ErrorKind::kShape, {"(2, 5, 6)", "(2, 2, 3, 3)", "(batch, queries, keys)"}, [&] {
        run(mha, heads, {x}, {x, x, other});
      }));
  EXPECT_TRUE(fails_with(ErrorKind::kShape, {"rank 3"}, [&] {
    run(mha, heads, {Tensor::zeros(DType::kFloat32, {2, 4})}, {x});
  }));
  const auto refused = [](const char* class_name, test::Entries config,
                          std::initializer_list<std::string> parts) {
    return fails_with(ErrorKind::kConfig, parts,
                      [&] { static_cast<void>(test::make(class_name, config)); });
  };
  EXPECT_TRUE(refused("Attention", {{"score_mode", "product"}}, {"'product'", "'dot'"}));
  EXPECT_TRUE(refused("Attention", {{"dropout", 1.5}}, {"1.5", "less than 1"}));
  EXPECT_TRUE(refused(mha, {{"num_heads", 0}, {"key_dim", 3}}, {"0", "at least 1"}));
  EXPECT_TRUE(refused(mha, {{"num_heads", 1}, {"key_dim", 3}, {"sliding_window", -1}}, {"-1"}));
  EXPECT_TRUE(refused("GroupQueryAttention",
                      {{"head_dim", 3}, {"num_query_heads", 4}, {"num_key_value_heads", 3}},
                      {"4", "3", "divide"}));
}

// Dropout in training does not change the sum of the weights on average.
TEST(AttentionDropout, KeepsTheMean) {
  const LayerPtr layer = test::make("Attention", {{"dropout", 0.5}});
  Args args;
  args.inputs = {Tensor::zeros(DType::kFloat32, {1, 400, 2}),
                 Tensor::full(DType::kFloat32, {1, 50, 2}, 1)};
  args.list = true;
  args.training = true;
  double sum = 0;
  for (const double x : test::numbers(layer->apply(args).front())) sum += x;
  EXPECT_NEAR(sum / 800, 1, 0.05);
  args.training = false;
  EXPECT_NEAR(test::numbers(layer->apply(args).front()).front(), 1, 1e-6);
}

}  // namespace
}  // namespace maskflow
