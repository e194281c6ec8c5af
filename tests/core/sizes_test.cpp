// SPDX-License-Identifier: MIT
// Sizes above the address space, the memory limit or the largest element count are errors before
// any allocation. On 32-bit machines such as wasm, their products would wrap.
#include <gtest/gtest.h>

#include "ops/ops.hpp"
#include "support/errors.hpp"
#include "support/graphs.hpp"
#include "support/scarce_memory.hpp"

namespace maskflow {
namespace {

using test::fails_with;
using test::MaxBytes;

constexpr Dim kHuge = kMaxElements;

// Expects an error that leaves no memory behind.
template <class F>
testing::AssertionResult refused(ErrorKind kind, std::initializer_list<std::string> parts, F&& f) {
  const MemoryInfo before = live_memory();
  const testing::AssertionResult result = fails_with(kind, parts, f);
  if (result && live_memory().bytes != before.bytes) {
    return testing::AssertionFailure() << live_memory().bytes - before.bytes << " bytes are left";
  }
  return result;
}

TEST(Count, SaturatesInsteadOfOverflowing) {
  const Count many = Count(kHuge) * kHuge;
  EXPECT_EQ(many.value(), std::uint64_t{kHuge} * std::uint64_t{kHuge});
  EXPECT_EQ((many * many).value(), (many * many * many).value());
  EXPECT_GT((many * many).value(), many.value());
  EXPECT_EQ((many * many + many).value(), (many * many).value());
  EXPECT_EQ((many * many * 0).value(), 0U);
  EXPECT_EQ(Count(-1).value(), (many * many).value());
}

TEST(Count, IsASizeOnlyIfItCanBeAllocated) {
  // The limit includes allocations that other tests have not freed.
  const MaxBytes limit(1000 + static_cast<std::uint64_t>(live_memory().bytes));
  EXPECT_EQ((Count(25) * 10).of<float>(), 250U);
  EXPECT_TRUE(refused(ErrorKind::kState, {"1004 bytes", "maxBytes"},
                      [] { static_cast<void>(Count(251).of<float>()); }));
}

TEST(Sizes, AreCheckedWhereTheProductWouldWrap) {
  for (const Shape& shape : {Shape{1 << 30}, Shape{32768, 32768}, Shape{1 << 16, 1 << 14, 1}}) {
    EXPECT_TRUE(refused(ErrorKind::kState, {"(", "4294967296 bytes", "1073741824", "maxBytes"},
                        [&] { static_cast<void>(Tensor(DType::kFloat32, shape)); }));
  }
}

TEST(Sizes, AreCheckedBesideAZeroDimension) {
  // Huge sizes of some axes must be refused before a loop over them starts.
  EXPECT_TRUE(refused(ErrorKind::kShape, {"(0, 65536, 65536)", "2147483647"}, [] {
    static_cast<void>(Tensor(DType::kFloat32, {0, 65536, 65536}));
  }));
  EXPECT_EQ(Tensor(DType::kFloat32, {0, kHuge}).size(), 0U);
  EXPECT_TRUE(
      refused(ErrorKind::kShape, {"2147483648"}, [] { static_cast<void>(Shape{kHuge + 1}); }));
}

TEST(Sizes, LimitIncludesAllocatedBytes) {
  const Tensor held(DType::kFloat32, {1000});
  const MaxBytes limit(6000);
  EXPECT_TRUE(refused(ErrorKind::kState, {"(501,)", "2004 bytes"},
                      [] { static_cast<void>(Tensor(DType::kFloat32, {501})); }));
}

TEST(Sizes, OfOpResultsAreChecked) {
  const Tensor two = Tensor::zeros(DType::kFloat32, {2});
  const Tensor column = Tensor::zeros(DType::kFloat32, {32768, 1});
  const Tensor row = Tensor::zeros(DType::kFloat32, {1, 32768});
  const auto op = [](const char* name, Operands operands, const Dict& attributes) {
    return [=] { static_cast<void>(apply_op(name, operands, attributes)); };
  };
  const auto with = [](const char* name, const Value& value) {
    Dict attributes;
    attributes[name] = value;
    return attributes;
  };
  const std::array pair{column, row};
  EXPECT_TRUE(refused(ErrorKind::kState, {"Add", "(32768, 32768)"}, op("Add", pair, {})));
  EXPECT_TRUE(refused(ErrorKind::kState, {"Matmul"}, op("Matmul", pair, {})));
  const std::array one{two};
  EXPECT_TRUE(refused(ErrorKind::kState, {"Tile"}, op("Tile", one, with("repeats", 1 << 29))));
  EXPECT_TRUE(
      refused(ErrorKind::kShape, {"2147483647 times"}, op("Repeat", one, with("repeats", kHuge))));
  EXPECT_TRUE(
      refused(ErrorKind::kState, {"OneHot"}, op("OneHot", one, with("num_classes", 1 << 29))));
  EXPECT_TRUE(refused(ErrorKind::kState, {"Arange"}, op("Arange", {}, with("start", kHuge))));
  EXPECT_TRUE(refused(ErrorKind::kState, {"Pad"}, op("Pad", one, with("pad_width", 1 << 30))));
}

// Creates a layer and calls it on zeros.
auto call(const char* name, std::initializer_list<std::pair<const char*, Value>> settings,
          const std::vector<Shape>& inputs) {
  Dict config;
  for (const auto& [key, value] : settings) config[key] = value;
  return [=] {
    Args args;
    for (const Shape& shape : inputs) args.inputs.push_back(Tensor::zeros(DType::kFloat32, shape));
    args.list = inputs.size() > 1;
    static_cast<void>(make_layer(name, config)->apply(std::move(args)));
  };
}

TEST(Sizes, OfRecurrentLayersAreChecked) {
  EXPECT_TRUE(
      refused(ErrorKind::kState, {"gru", "(1024, 1024, 1024)"},
              call("GRU", {{"units", 1024}, {"return_sequences", true}}, {{1024, 1024, 1}})));
  EXPECT_TRUE(
      refused(ErrorKind::kShape, {"4294967296"}, call("LSTM", {{"units", 1 << 30}}, {{1, 1, 1}})));
  EXPECT_TRUE(
      refused(ErrorKind::kShape, {"6442450941"}, call("GRU", {{"units", kHuge}}, {{1, 1, 1}})));
  // A plan has an entry for each step, even for steps without features.
  EXPECT_TRUE(refused(ErrorKind::kState, {"bytes"},
                      call("SimpleRNN", {{"units", 1}}, {{1 << 15, 1 << 15, 0}})));
}

TEST(Sizes, OfConvolutionsAreChecked) {
  EXPECT_TRUE(refused(
      ErrorKind::kState, {"conv1d"},
      call("Conv1D",
           {{"filters", 1}, {"kernel_size", 2}, {"dilation_rate", kHuge}, {"padding", "same"}},
           {{1, 3, 1}})));
  EXPECT_TRUE(refused(
      ErrorKind::kState, {"conv1d", "bytes"},
      call("Conv1D",
           {{"filters", 1}, {"kernel_size", kHuge}, {"dilation_rate", 2}, {"padding", "same"}},
           {{1, 3, 1}})));
  EXPECT_TRUE(refused(ErrorKind::kShape, {"conv1d_transpose"},
                      call("Conv1DTranspose",
                           {{"filters", 1}, {"kernel_size", 1}, {"strides", kHuge}}, {{1, 3, 1}})));
  EXPECT_TRUE(refused(ErrorKind::kState, {"zero_padding1d"},
                      call("ZeroPadding1D", {{"padding", 1 << 29}}, {{1, 3, 1}})));
  EXPECT_NO_THROW(call("DepthwiseConv1D", {{"kernel_size", 1}}, {{1, 3, 0}})());
  // A kernel of one tap has no distance between taps.
  EXPECT_NO_THROW(call("Conv1D", {{"filters", 1}, {"kernel_size", 1}, {"dilation_rate", kHuge}},
                       {{1, 3, 1}})());
}

TEST(Sizes, OfAttentionAreChecked) {
  const Shape long_sequence{1, 1 << 16, 1};
  EXPECT_TRUE(refused(ErrorKind::kState, {"attention", "17179869184 bytes"},
                      call("Attention", {}, {long_sequence, long_sequence})));
}

TEST(Sizes, OfWeightsAreChecked) {
  EXPECT_TRUE(
      refused(ErrorKind::kState, {"embedding", "(65536, 16384)"},
              call("Embedding", {{"input_dim", 1 << 16}, {"output_dim", 1 << 14}}, {{1, 1}})));
  EXPECT_TRUE(refused(ErrorKind::kState, {"dense", "(2, 536870912)"},
                      call("Dense", {{"units", 1 << 29}}, {{1, 2}})));
}

TEST(Sizes, LeaveTheNextCallCorrect) {
  const LayerPtr layer = test::make("Dense", {{"units", 2}, {"kernel_initializer", "ones"}});
  {
    const MaxBytes limit(8);
    EXPECT_THROW(static_cast<void>((*layer)(Tensor::zeros(DType::kFloat32, {1, 1}))), Error);
  }
  EXPECT_TRUE(test::close((*layer)(test::floats({1, 1}, {3})), test::floats({1, 2}, {3, 3})));
  EXPECT_EQ(layer->weights().size(), 2U);
}

TEST(Depth, OfNestedLayersIsLimited) {
  LayerPtr inner = test::make("Dense", {{"units", 1}});
  const auto wrap = [&] { inner = test::sequential({inner}); };
  for (int i = 1; i < 64; ++i) wrap();
  EXPECT_EQ(test::run(*inner, {Tensor::zeros(DType::kFloat32, {1, 1})}).front().shape(),
            (Shape{1, 1}));
  EXPECT_EQ(inner->weights().size(), 2U);
  EXPECT_NO_THROW(static_cast<void>(make_layer("Sequential", inner->get_config())));
  EXPECT_TRUE(fails_with(ErrorKind::kConfig, {"64 nested layers"}, wrap));
}

TEST(Depth, OfGrowingNestedModelsIsLimited) {
  const auto outer = test::sequential({});
  auto model = outer;
  for (int i = 0; i < 100000; ++i) {
    const auto next = test::sequential({});
    model->add(next);
    model = next;
  }
  model->add(test::make("Dense", {{"units", 1}}));
  const auto too_deep = [](auto&& f) {
    return fails_with(ErrorKind::kConfig, {"nested too deeply"}, f);
  };
  EXPECT_TRUE(too_deep([&] {
    static_cast<void>(test::run(*outer, {Tensor::zeros(DType::kFloat32, {1, 1})}));
  }));
  EXPECT_TRUE(too_deep([&] { static_cast<void>(outer->weights()); }));
  EXPECT_TRUE(too_deep([&] { static_cast<void>(outer->get_config()); }));
  EXPECT_TRUE(too_deep([&] { static_cast<void>(outer->stateful()); }));
  EXPECT_TRUE(too_deep([&] { outer->reset_state(); }));
}  // The end of the scope destroys all nested models.

TEST(Depth, ModelCannotContainItself) {
  const auto a = test::sequential({});
  const auto b = test::sequential({a});
  const auto c = test::sequential({b});
  for (const auto& model : {a, b, c}) {
    EXPECT_TRUE(fails_with(ErrorKind::kConfig, {"inside itself"}, [&] { a->add(model); }));
  }
}

TEST(Depth, OfWrappersIsLimited) {
  LayerPtr inner = test::make("Dense", {{"units", 1}});
  EXPECT_TRUE(fails_with(ErrorKind::kConfig, {"64 nested layers"}, [&] {
    for (int i = 0; i < 64; ++i) {
      Dict handle;
      handle[kLayerHandleKey] = inner->id();
      Dict config;
      config["layer"] = handle;
      inner = make_layer("TimeDistributed", config);
    }
  }));
}

}  // namespace
}  // namespace maskflow
