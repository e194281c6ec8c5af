// SPDX-License-Identifier: MIT
// The count of live buffers that JavaScript's memory() reports, by which users find leaks.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/errors.hpp"
#include "support/graphs.hpp"
#include "support/layer_cases.hpp"
#include "support/op_cases.hpp"

namespace maskflow {
namespace {

using test::Rng;

// Fails if `f` does not free all the buffers that it allocates.
template <class F>
void expect_no_leak(F&& f) {
  const MemoryInfo before = live_memory();
  f();
  EXPECT_EQ(live_memory().tensors, before.tensors);
  EXPECT_EQ(live_memory().bytes, before.bytes);
}

TEST(Memory, CountsBuffersAndBytes) {
  const MemoryInfo before = live_memory();
  {
    const Tensor x(DType::kFloat32, {2, 3});
    EXPECT_EQ(live_memory().tensors, before.tensors + 1);
    EXPECT_EQ(live_memory().bytes, before.bytes + 24);
    const Tensor same = x.reshaped({6});  // Both tensors share one storage.
    const Tensor copy = x;
    EXPECT_EQ(live_memory().tensors, before.tensors + 1);
    const Tensor flags(DType::kBool, {5});
    EXPECT_EQ(live_memory().bytes, before.bytes + 29);
  }
  EXPECT_EQ(live_memory().tensors, before.tensors);
  EXPECT_EQ(live_memory().bytes, before.bytes);
}

TEST(Memory, StorageIsAlignedForVectors) {
  for (const Dim size : {1, 3, 64, 1000}) {
    const Tensor x(DType::kBool, {size});
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(x.raw()) % 64, 0U);
  }
}

TEST(Memory, WeightAdoptsUnsharedStorageAndCopiesOther) {
  Variable weight("kernel", {2, 3}, Initializer(), true);
  Tensor given = Tensor::full(DType::kFloat32, {2, 3}, 1);
  const std::byte* const place = given.raw();
  weight.set_value(given);
  EXPECT_NE(weight.value().raw(), place) << "the caller may go on writing to it";
  const MemoryInfo before = live_memory();
  weight.set_value(std::move(given));
  EXPECT_EQ(weight.value().raw(), place);
  EXPECT_EQ(live_memory().tensors, before.tensors - 1) << "the value before is gone";
  weight.set_value(Tensor::full(DType::kInt32, {2, 3}, 2));
  EXPECT_EQ(weight.data()[5], 2.0F);
}

TEST(Memory, MovedStorageGetsANewVersion) {
  Variable kernel("kernel", {2}, Initializer(), true);
  Variable bias("bias", {2}, Initializer(), true);
  Tensor early = Tensor::full(DType::kFloat32, {2}, 1);
  kernel.set_value(Tensor::full(DType::kFloat32, {2}, 2));
  bias.set_value(Tensor::full(DType::kFloat32, {2}, 3));
  const Version newest = std::max(kernel.version(), bias.version());
  kernel.set_value(std::move(early));
  EXPECT_TRUE(newest < kernel.version()) << "a result kept from both weights would stay in use";
}

TEST(Memory, OpsLeaveNothingBehind) {
  expect_no_leak([] {
    for (const test::OpCase& c : test::op_cases()) {
      static_cast<void>(apply_op(c.op, c.operands, c.attributes));
    }
  });
}

TEST(Memory, LayersLeaveNothingBehind) {
  for (const test::LayerCase& c : test::layer_cases()) {
    if (c.class_name == "InputLayer") continue;
    SCOPED_TRACE(c.class_name);
    expect_no_leak([&] {
      const LayerPtr layer = c.make();
      Rng rng(1);
      for (int i = 0; i < 2; ++i) static_cast<void>(layer->apply(c.arguments(rng)));
    });
  }
}

TEST(Memory, RepeatedCallsLeaveNothingBehind) {
  for (const test::LayerCase& c : test::layer_cases()) {
    if (c.class_name == "InputLayer") continue;
    SCOPED_TRACE(c.class_name);
    const LayerPtr layer = c.make();
    Rng rng(1);
    const Args args = c.arguments(rng);
    static_cast<void>(
        // The first call creates the weights and, in a stateful layer, the states.
        layer->apply(args));
    expect_no_leak([&] {
      for (int i = 0; i < 3; ++i) static_cast<void>(layer->apply(args));
    });
  }
}

TEST(Memory, ErrorsLeaveNothingBehind) {
  const LayerPtr layer = test::make("LSTM", {{"units", 3}});
  Rng rng(1);
  test::randomize(*layer, rng, {2, 3, 4});
  const Tensor x = test::random_floats(rng, {2, 3, 4});
  expect_no_leak([&] {
    const MaskPtr wrong = test::mask_of({2, 2}, {1, 1, 1, 1});
    EXPECT_THROW(static_cast<void>(test::call(*layer, x, wrong)), Error);
    EXPECT_THROW(static_cast<void>(test::call(*layer, x, nullptr, {x})), Error);
    EXPECT_THROW(static_cast<void>(apply_op("Add", std::array{x, test::floats({2}, {1, 2})})),
                 Error);
    EXPECT_THROW(static_cast<void>(test::make("LSTM", {{"units", -1}})), Error);
    EXPECT_THROW(layer->set_weights({x}), Error);
  });
}

TEST(Memory, GraphsAreFreedWithTheirModels) {
  expect_no_leak([] {
    const Tensor ids = test::input({kUnknown, kUnknown}, DType::kInt32);
    const LayerPtr embedding =
        test::make("Embedding", {{"input_dim", 5}, {"output_dim", 2}, {"mask_zero", true}});
    const LayerPtr lstm = test::make("LSTM", {{"units", 3}});
    const auto model = test::functional({ids}, {(*lstm)((*embedding)(ids))});
    Rng rng(1);
    static_cast<void>((*model)(test::random_ints(rng, {3, 4}, 0, 4)));
    static_cast<void>((*test::reloaded(*model))(test::random_ints(rng, {3, 4}, 0, 4)));
  });
}

// A long chain must not need room for all its intermediate results.
TEST(Memory, GraphDropsValuesAfterTheirLastUse) {
  const Tensor x = test::input({kUnknown, 100});
  Tensor y = x;
  std::int64_t max = 0;
  class Peak final : public Layer {
   public:
    explicit Peak(std::int64_t& max) : max_(max) { set_class_name("Peak"); }
    Structure call(const Args& args, Frame& /*frame*/) override {
      Tensor result(DType::kFloat32, args.inputs.front().shape());
      std::ranges::copy(args.inputs.front().data<float>(), result.mutable_data<float>().begin());
      max_ = std::max(max_, live_memory().tensors);
      return {result};
    }

   private:
    std::int64_t& max_;
  };
  for (int i = 0; i < 20; ++i) y = (*std::make_shared<Peak>(max))(y);
  const auto model = test::functional({x}, {y});
  const Tensor data = Tensor::zeros(DType::kFloat32, {4, 100});
  const std::int64_t before = live_memory().tensors;
  static_cast<void>((*model)(data));
  EXPECT_LE(max - before, 3);
}

}  // namespace
}  // namespace maskflow
