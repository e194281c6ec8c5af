// SPDX-License-Identifier: MIT
// A stream of causal layers returns what the model returns for the whole sequence.
#include "model/stream.hpp"

#include <gtest/gtest.h>

#include "ops/ops.hpp"
#include "support/errors.hpp"
#include "support/graphs.hpp"
#include "support/recurrent.hpp"

namespace maskflow {
namespace {

using test::fails_with;
using test::Rng;

constexpr Dim kBatch = 4;
constexpr Dim kTime = 7;

std::shared_ptr<Stream> stream_of(Model& model, Dim batch = kBatch) {
  return std::make_shared<Stream>(
      std::make_shared<StreamPlan>(model, batch, std::vector<Shape>{{kUnknown, kUnknown, 3}}));
}

// Returns steps [first, first + count) of x, with those of its mask.
Tensor piece(const Tensor& x, Dim first, Dim count) {
  const Tensor values = ops::slice_axis(x, 1, first, first + count);
  if (x.mask() == nullptr) return values;
  return values.with_mask(make_mask(ops::slice_axis(x.mask()->values(), 1, first, first + count)));
}

std::vector<std::shared_ptr<Sequential>> models(Rng& rng) {
  const auto layer = [](const char* name, test::Entries config) {
    return test::make(name, config);
  };
  std::vector<std::shared_ptr<Sequential>> list{
      test::sequential({layer("LSTM", {{"units", 5}, {"return_sequences", true}})}),
      test::sequential({layer("GRU", {{"units", 5}, {"return_sequences", true}}),
                        layer("SimpleRNN", {{"units", 3}})}),
      test::sequential(
          {layer("GRU", {{"units", 4}, {"reset_after", false}, {"zero_output_for_mask", true}})}),
      test::sequential({layer("Masking", {}),
                        layer("LSTM", {{"units", 4}, {"return_sequences", true}}),
                        layer("Dense", {{"units", 3}}), layer("GlobalAveragePooling1D", {})}),
      test::sequential(
          {layer("Conv1D", {{"filters", 3}, {"kernel_size", 3}, {"padding", "causal"}}),
           layer("LayerNormalization", {}), layer("GlobalMaxPooling1D", {})}),
  };
  for (const auto& model : list) test::randomize(*model, rng, {kBatch, kTime, 3});
  return list;
}

void expect_close(const Tensor& actual, const Tensor& expected) {
  ASSERT_EQ(actual.shape(), expected.shape());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const float number = expected.data<float>()[i];
    const float result = actual.data<float>()[i];
    if (std::isnan(number) && std::isnan(result)) continue;
    EXPECT_NEAR(result, number, 1e-6) << "element " << i;
  }
}

TEST(Stream, StepsEqualThoseOfTheWholeSequence) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Rng rng(seed);
    SCOPED_TRACE(rng.trace());
    const test::Scope scope(MaskPropagation::kKeras315, OnMaskDropped::kSilent);
    std::size_t number = 0;
    for (const auto& model : models(rng)) {
      SCOPED_TRACE("model " + std::to_string(number++));
      const Tensor plain = test::random_floats(rng, {kBatch, kTime, 3});
      const Tensor x =
          rng.chance(0.3) ? plain : test::masked(plain, test::random_keep(rng, kBatch, kTime));
      const auto stream = stream_of(*model);
      for (Dim first = 0; first < kTime;) {
        const Dim count = std::min<Dim>(rng.integer(1, 3), kTime - first);
        const Tensor result = stream->step({piece(x, first, count)}).front();
        first += count;
        const Tensor whole = (*model)(piece(x, 0, first));
        expect_close(
            result.with_mask(nullptr),
            whole.rank() == 3 ? piece(whole.with_mask(nullptr), first - count, count) : whole);
      }
    }
  }
}

TEST(Stream, CopiesAndResetStreamsAreIndependent) {
  Rng rng(3);
  const test::Scope scope(MaskPropagation::kKeras315, OnMaskDropped::kSilent);
  for (const auto& model : models(rng)) {
    const Tensor x = test::random_floats(rng, {kBatch, kTime, 3});
    const auto stream = stream_of(*model);
    const auto step = [&](Stream& of, Dim t) {
      const Tensor& y = of.step({piece(x, t, 1)}).front();
      return Tensor::from<float>(y.shape(), y.data<float>());
    };
    const Tensor first = step(*stream, 0);
    const auto copy = stream->clone();
    const Tensor second = step(*stream, 1);
    expect_close(step(*copy, 1), second);
    stream->reset();
    expect_close(step(*stream, 0), first);
    expect_close(step(*copy, 2), [&] {
      static_cast<void>(step(*stream, 1));
      return step(*stream, 2);
    }());
  }
}

TEST(Stream, OrdinaryStepsAllocateNothing) {
  Rng rng(4);
  const auto model =
      test::sequential({test::make("LSTM", {{"units", 8}, {"return_sequences", true}}),
                        test::make("GRU", {{"units", 8}})});
  test::randomize(*model, rng, {1, 1, 3});
  const auto stream = stream_of(*model, 1);
  const Tensors x{test::random_floats(rng, {1, 1, 3})};
  const std::byte* place = stream->step(x).front().raw();
  const MemoryInfo before = live_memory();
  for (int i = 0; i < 5; ++i) EXPECT_EQ(stream->step(x).front().raw(), place);
  EXPECT_EQ(live_memory().bytes, before.bytes);
}

TEST(Stream, ShapesAreChecked) {
  const auto model = test::sequential({test::make("LSTM", {{"units", 2}})});
  const auto stream = stream_of(*model, 2);
  for (const Shape& shape : {Shape{1, 1, 3}, Shape{2, 1, 4}, Shape{2, 3}, Shape{2, 0, 3}}) {
    EXPECT_TRUE(fails_with(ErrorKind::kShape, {"must be (2, ", "3)"}, [&] {
      static_cast<void>(stream->step({Tensor::zeros(DType::kFloat32, shape)}));
    }));
  }
}

TEST(Stream, ModelsThatLookAheadAreErrors) {
  const Value lstm = test::serialized("LSTM", {{"units", 2}});
  const std::vector<std::pair<LayerPtr, std::string>> cases{
      {test::make("Bidirectional", {{"layer", lstm}}), "starts at the last step"},
      {test::make("LSTM", {{"units", 2}, {"go_backwards", true}}), "go_backwards"},
      {test::make("Conv1D", {{"filters", 2}, {"kernel_size", 2}}), "needs later steps"},
      {test::make("Flatten", {}), "does not compute each step"},
      {test::make("GroupNormalization", {{"groups", 1}}), "needs later steps"},
  };
  for (const auto& [layer, reason] : cases) {
    const auto model = test::sequential({layer});
    EXPECT_TRUE(fails_with(ErrorKind::kUnsupported, {layer->name(), reason, "predict"},
                           [&] { static_cast<void>(stream_of(*model)); }));
  }
}

}  // namespace
}  // namespace maskflow
