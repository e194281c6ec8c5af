// SPDX-License-Identifier: MIT
// Properties of every registered layer class, over random numbers and masks: rows are independent
// of their batch, values at masked steps have no effect, symbolic shapes equal those of results.
#include <gtest/gtest.h>

#include <set>

#include "base/text.hpp"
#include "ops/ops.hpp"
#include "support/graphs.hpp"
#include "support/layer_cases.hpp"

namespace maskflow {
namespace {

using test::close;
using test::LayerCase;
using test::Rng;

constexpr int kSeeds = 6;
// Tolerance for a row computed with other rows: the products are the same, the blocks may differ.
constexpr test::Tolerance kRounding{2e-6, 2e-7};

class LayerProperties : public testing::TestWithParam<LayerCase> {
 protected:
  static void SetUpTestSuite() { scope_ = new test::Scope(); }
  static void TearDownTestSuite() {
    delete scope_;
    scope_ = nullptr;
  }
  [[nodiscard]] static LayerPtr built(Rng& rng) {
    LayerPtr layer = GetParam().make();
    test::randomize(*layer, rng, GetParam().input);
    return layer;
  }
  // Calls the layer with its states reset.
  static Tensors call(Layer& layer, const Args& args);
  static test::Scope* scope_;
};
test::Scope* LayerProperties::scope_ = nullptr;

// Tests of layers whose results must not depend on masked steps.
class MaskUserProperties : public LayerProperties {};

// Returns whether the layer uses masks. Layers with several tensor arguments use them without an
// argument `mask`.
bool uses_masks(const LayerCase& c) {
  return c.has_time() && (c.make()->takes_mask() || !c.named.empty());
}

// Applies f to each tensor of the arguments, and to its mask.
template <class F>
Args mapped(Args args, F&& f) {
  args.for_each_tensor([&](Tensor& tensor) {
    const MaskPtr mask = tensor.mask();
    tensor = f(tensor).with_mask(mask ? make_mask(f(mask->values())) : nullptr);
  });
  return args;
}

// Passes copies of the tensors, because MultiHeadAttention removes their masks.
Tensors LayerProperties::call(Layer& layer, const Args& args) {
  layer.reset_state();
  return layer.apply(mapped(args, [](const Tensor& x) { return x; }));
}

Tensor rows(const Tensor& x, Dim first, Dim count) {
  return ops::slice_axis(x, 0, first, first + count);
}

TEST_P(LayerProperties, RowsAreIndependentOfTheirBatch) {
  for (int seed = 0; seed < kSeeds; ++seed) {
    Rng rng(static_cast<std::uint64_t>(seed));
    SCOPED_TRACE(rng.trace());
    const LayerPtr layer = built(rng);
    const Args all = GetParam().with_batch(5).masked_arguments(rng);
    const Tensors together = call(*layer, all);
    for (Dim row = 0; row < 5; ++row) {
      const Tensors alone =
          call(*layer, mapped(all, [&](const Tensor& x) { return rows(x, row, 1); }));
      ASSERT_EQ(alone.size(), together.size());
      for (std::size_t i = 0; i < alone.size(); ++i) {
        EXPECT_TRUE(close(alone[i], rows(together[i], row, 1), kRounding))
            << "row " << row << " of output " << i;
      }
    }
  }
}

// The first `count` elements of x along an axis.
Tensor steps(const Tensor& x, int axis, Dim count) { return ops::slice_axis(x, axis, 0, count); }

// Compares the steps that both outputs have; outputs without a time axis are compared as a whole.
void expect_same_steps(const Tensor& longer, const Tensor& wanted, const std::string& what) {
  ASSERT_EQ(longer.rank(), wanted.rank()) << what;
  Tensor got = longer;
  for (int axis = 0; axis < got.rank(); ++axis) {
    if (got.shape()[axis] > wanted.shape()[axis]) got = steps(got, axis, wanted.shape()[axis]);
  }
  EXPECT_TRUE(close(got, wanted, kRounding)) << what;
}

// Returns x with zeros at masked steps.
Tensor shown(const LayerCase& c, const Tensor& x, const MaskPtr& mask) {
  if (mask == nullptr) return x;
  const Tensor keep = c.spread(mask->values(), x.rank());
  return ops::where(keep, x, Tensor::scalar(x.dtype(), 0));
}

TEST_P(MaskUserProperties, AppendedPaddingHasNoEffect) {
  for (int seed = 0; seed < kSeeds; ++seed) {
    Rng rng(static_cast<std::uint64_t>(seed));
    SCOPED_TRACE(rng.trace());
    const LayerPtr layer = built(rng);
    const Args args = GetParam().masked_arguments(rng);
    const Args longer = GetParam().padded(args, 1 + seed % 3, rng);
    const Tensors before = call(*layer, args);
    const Tensors after = call(*layer, longer);
    ASSERT_EQ(after.size(), before.size());
    for (std::size_t i = 0; i < after.size(); ++i) {
      // As in Keras, a query without visible keys gets the mean of all values, padding included.
      const bool hide = !GetParam().named.empty();
      expect_same_steps(hide ? shown(GetParam(), after[i], after[i].mask()) : after[i],
                        hide ? shown(GetParam(), before[i], before[i].mask()) : before[i],
                        text("output ", i));
    }
  }
}

TEST_P(MaskUserProperties, ValuesAtMaskedStepsHaveNoEffect) {
  for (int seed = 0; seed < kSeeds; ++seed) {
    Rng rng(static_cast<std::uint64_t>(seed));
    SCOPED_TRACE(rng.trace());
    const LayerPtr layer = built(rng);
    const Args args = GetParam().masked_arguments(rng);
    const Args other = GetParam().with_other_padding(args, rng);
    const Tensors before = call(*layer, args);
    const Tensors after = call(*layer, other);
    for (std::size_t i = 0; i < after.size(); ++i) {
      EXPECT_TRUE(close(shown(GetParam(), after[i], after[i].mask()),
                        shown(GetParam(), before[i], before[i].mask()), kRounding))
          << "output " << i;
    }
  }
}

// Compares symbolic shapes with real ones: equal if all dimensions are known, else compatible.
void expect_promise(const Tensor& promise, const Tensor& real, bool exact) {
  EXPECT_EQ(text(promise.dtype()), text(real.dtype()));
  ASSERT_EQ(promise.rank(), real.rank()) << text(promise.shape());
  for (int axis = 0; axis < real.rank(); ++axis) {
    const Dim dim = promise.shape()[axis];
    EXPECT_TRUE(dim == real.shape()[axis] || (!exact && dim == kUnknown))
        << text(promise.shape(), " promised, got ", real.shape());
  }
}

TEST_P(LayerProperties, SymbolicShapesEqualThoseOfResults) {
  Rng rng(3);
  const LayerPtr layer = built(rng);
  const Args args = GetParam().arguments(rng);
  const Tensors real = call(*layer, args);
  const auto promised = [&](int unknown) {
    return layer->apply(mapped(args, [&](const Tensor& x) {
      Shape shape = x.shape();
      if (unknown >= 0 && unknown < shape.rank()) shape.set(unknown, kUnknown);
      return test::input(shape, x.dtype());
    }));
  };
  const Tensors exact = promised(-1);
  ASSERT_EQ(exact.size(), real.size());
  for (std::size_t i = 0; i < real.size(); ++i) expect_promise(exact[i], real[i], true);
  for (int axis = 0; axis < GetParam().input.rank(); ++axis) {
    SCOPED_TRACE(text("axis ", axis, " unknown"));
    Tensors promise;
    try {
      promise = promised(axis);
    } catch (const Error& error) {
      // Only the number of features must be known; the batch and the time may be unknown.
      EXPECT_EQ(error.kind(), ErrorKind::kShape) << error.what();
      EXPECT_NE(axis, 0) << error.what();
      EXPECT_FALSE(GetParam().has_time() && axis == GetParam().time_axis) << error.what();
      continue;
    }
    ASSERT_EQ(promise.size(), real.size());
    for (std::size_t i = 0; i < real.size(); ++i) expect_promise(promise[i], real[i], false);
  }
}

std::vector<LayerCase> cases() {
  std::vector<LayerCase> all = test::layer_cases();
  std::erase_if(all, [](const LayerCase& c) { return c.class_name == "InputLayer"; });
  return all;
}
std::vector<LayerCase> mask_users() {
  std::vector<LayerCase> users = cases();
  std::erase_if(users, [](const LayerCase& c) { return !uses_masks(c); });
  return users;
}
std::string name_of(const testing::TestParamInfo<LayerCase>& layer) {
  return layer.param.class_name;
}
INSTANTIATE_TEST_SUITE_P(Classes, LayerProperties, testing::ValuesIn(cases()), name_of);
INSTANTIATE_TEST_SUITE_P(Classes, MaskUserProperties, testing::ValuesIn(mask_users()), name_of);

// Every class needs a case in layer_cases.cpp; these tests then include it.
TEST(LayerPropertyCases, CoverTheRegistry) {
  std::size_t callable = 0;
  for (const LayerClass* known : all_layer_classes()) {
    if (std::string_view(known->name) == "InputLayer") continue;
    ++callable;
    EXPECT_EQ(test::layer_case(known->name).class_name, known->name);
  }
  EXPECT_EQ(cases().size(), callable);
  std::set<std::string> users;
  for (const LayerCase& c : mask_users()) users.insert(c.class_name);
  for (const char* name :
       {"LSTM", "GRU", "SimpleRNN", "RNN", "ConvLSTM1D", "Bidirectional", "TimeDistributed",
        "Attention", "AdditiveAttention", "Softmax", "MultiHeadAttention", "GroupQueryAttention",
        "BatchNormalization", "GlobalAveragePooling1D", "Sequential"}) {
    EXPECT_TRUE(users.contains(name)) << name;
  }
}

}  // namespace
}  // namespace maskflow
