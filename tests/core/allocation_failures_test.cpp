// SPDX-License-Identifier: MIT
// Memory may run out anywhere: each allocation of a task fails in turn, as in SQLite's tests. The
// task then throws an error and leaves no memory behind; the next call returns its usual result.
#include <gtest/gtest.h>

#include <functional>

#include "layer/quantize.hpp"
#include "measures/losses.hpp"
#include "measures/metrics.hpp"
#include "model/stream.hpp"
#include "support/graphs.hpp"
#include "support/layer_cases.hpp"
#include "support/op_cases.hpp"
#include "support/scarce_memory.hpp"

namespace maskflow {
namespace {

using test::FailingAllocation;
using How = FailingAllocation::How;
using Work = std::function<Tensors()>;

// Outcome of a task: it succeeded although its n-th allocation failed, it succeeded with fewer
// than n allocations, or it threw an error.
enum class End { kDone, kDoneWithoutFailure, kError };

End end_of(const Work& work, std::int64_t n, How how, Tensors* results) {
  const FailingAllocation failing(n, how);
  try {
    *results = work();
  } catch (const Error&) {
    return End::kError;
  } catch (const std::bad_alloc&) {
    // At the boundary to JavaScript this becomes a StateError (bindings/boundary.cpp).
    return End::kError;
  }
  return FailingAllocation::failed() ? End::kDone : End::kDoneWithoutFailure;
}

void expect_same(const Tensors& got, const Tensors& wanted, bool bits) {
  ASSERT_EQ(got.size(), wanted.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_TRUE(bits ? test::same_bits(got[i], wanted[i]) : test::close(got[i], wanted[i]));
  }
}

// Runs the work that `prepare` returns with a failing allocation, then again without one. Objects
// that outlive a call are created by `prepare`.
void tear(const std::function<Work()>& prepare, bool bits = true) {
  const Tensors wanted = prepare()();
  for (const Tensor& tensor : wanted) static_cast<void>(tensor.raw());  // completes lookups
  for (const How how : {How::kOnce, How::kFromThenOn}) {
    // Fails each of the first 40 allocations, then only some: later ones repeat the same places.
    for (std::int64_t n = 0;; n += n < 40 ? 1 : 1 + n / 20) {
      SCOPED_TRACE(testing::Message()
                   << "allocation " << n << (how == How::kOnce ? "" : " and on"));
      const MemoryInfo before = live_memory();
      {
        const Work work = prepare();
        Tensors results;
        const End end = end_of(work, n, how, &results);
        if (end != End::kError) expect_same(results, wanted, bits);
        if (end == End::kDoneWithoutFailure) break;
        expect_same(work(), wanted, bits);
      }
      EXPECT_EQ(live_memory().tensors, before.tensors);
      EXPECT_EQ(live_memory().bytes, before.bytes);
      if (testing::Test::HasFailure()) return;
    }
  }
}

TEST(AllocationFailures, LeaveOpsIntact) {
  for (const test::OpCase& c : test::op_cases()) {
    SCOPED_TRACE(c.op);
    tear([&c]() -> Work { return [&c] { return apply_op(c.op, c.operands, c.attributes); }; });
    if (HasFailure()) return;
  }
}

// Calls of a layer that was built, with masks.
TEST(AllocationFailures, LeaveLayersIntact) {
  const test::Scope quiet(MaskPropagation::kKeras315, OnMaskDropped::kSilent);
  for (const test::LayerCase& c : test::layer_cases()) {
    if (c.class_name == "InputLayer" || c.class_name == "SimpleRNN") continue;  // stateful
    SCOPED_TRACE(c.class_name);
    test::Rng rng(1);
    const Args args = c.masked_arguments(rng);
    const auto copy = [&c](const Args& given) {
      Args result = given;
      if (c.class_name != "MultiHeadAttention" && c.class_name != "GroupQueryAttention")
        return result;
      // These layers remove the masks of their arguments, so each call gets new tensors.
      result.for_each_tensor([](Tensor& t) { t = t.with_mask(t.mask()); });
      return result;
    };
    tear([&]() -> Work {
      LayerPtr layer = c.make();
      layer->set_name("layer");
      static_cast<void>(layer->apply(copy(args)));
      test::Rng weights(2);
      Tensors values;
      for (const Layer::Weight& w : layer->weights()) {
        values.push_back(test::random_floats(weights, w.variable->shape()));
      }
      layer->set_weights(values);
      return [layer, copy, &args] { return layer->apply(copy(args)); };
    });
    if (HasFailure()) return;
  }
}

// The first call builds the layer; after a failure and a second call, each weight exists once.
TEST(AllocationFailures, LeaveTheFirstCallIntact) {
  const test::Scope quiet(MaskPropagation::kKeras315, OnMaskDropped::kSilent);
  for (const test::LayerCase& c : test::layer_cases()) {
    if (c.class_name == "InputLayer" || c.class_name.find("Dropout") != std::string::npos) continue;
    SCOPED_TRACE(c.class_name);
    test::Rng rng(1);
    const Args args = c.arguments(rng);
    tear([&]() -> Work {
      LayerPtr layer = c.make();
      layer->set_name("layer");
      return [layer, &args] {
        static_cast<void>(layer->apply(args));
        Tensors shapes;
        for (const Layer::Weight& w : layer->weights()) {
          shapes.push_back(Tensor::zeros(DType::kBool, w.variable->shape()));
        }
        return shapes;
      };
    });
    if (HasFailure()) return;
  }
}

std::shared_ptr<Functional> sample_model() {
  const Tensor ids = test::input({kUnknown, kUnknown}, DType::kInt32);
  const LayerPtr embedding = test::make(
      "Embedding", {{"name", "e"}, {"input_dim", 5}, {"output_dim", 4}, {"mask_zero", true}});
  const LayerPtr lstm =
      test::make("LSTM", {{"name", "l"}, {"units", 3}, {"return_sequences", true}});
  const LayerPtr attention =
      test::make("MultiHeadAttention", {{"name", "a"}, {"num_heads", 2}, {"key_dim", 2}});
  const LayerPtr dense = test::make("Dense", {{"name", "d"}, {"units", 2}});
  const Tensor x = (*lstm)((*embedding)(ids));
  Args causal;
  causal.inputs = {x};
  causal.tensors.push_back({"value", {x}, false});
  causal.options["use_causal_mask"] = true;
  auto model = test::functional({ids}, {(*dense)(attention->apply(causal).front())});
  test::Rng rng(3);
  Tensors values;
  for (const Layer::Weight& w : model->weights()) {
    values.push_back(test::random_floats(rng, w.variable->shape()));
  }
  model->set_weights(values);
  return model;
}

Tensor sample_ids(Dim rows, Dim steps) {
  test::Rng rng(4);
  return test::random_ints(rng, {rows, steps}, 0, 4);
}

TEST(AllocationFailures, LeaveModelBuildingIntact) {
  tear([]() -> Work { return [] { return test::run(*sample_model(), {sample_ids(2, 3)}); }; });
}

TEST(AllocationFailures, LeaveReadingOfConfigsIntact) {
  const Dict config = sample_model()->get_config();
  tear([&]() -> Work {
    return [&config] {
      const LayerPtr model = make_layer("Functional", config);
      Tensors shapes;
      for (const Layer::Weight& w : model->weights()) {
        shapes.push_back(Tensor::zeros(DType::kBool, w.variable->shape()));
      }
      return shapes;
    };
  });
}

TEST(AllocationFailures, LeavePredictionInBatchesIntact) {
  tear([]() -> Work {
    const auto model = sample_model();
    return [model] {
      Args args;
      args.inputs = {sample_ids(5, 3)};
      return predict(*model, args, 2).tensors;
    };
  });
}

TEST(AllocationFailures, LeaveQuantizationIntact) {
  for (const auto activations : {kernels::Activations::kFloat, kernels::Activations::kInt8}) {
    tear(
        [&]() -> Work {
          const auto model = sample_model();
          return [model, activations] {
            static_cast<void>(quantize(*model, activations));
            return test::run(*model, {sample_ids(2, 3)});
          };
        },
        false);  // Quantizing twice rounds a weight twice, so the bits may differ.
  }
}

TEST(AllocationFailures, LeaveLossesAndMetricsIntact) {
  const Tensor y_true = test::floats({2, 2}, {0, 1, 1, 0});
  const Tensor y_pred = test::floats({2, 2}, {0.25F, 0.75F, 0.5F, 0.5F});
  tear([&]() -> Work {
    return [&] {
      return Tensors{
          loss("categoricalCrossentropy", {y_true, y_pred, {}}, Dict(), "sum_over_batch_size")};
    };
  });
}

// After a failed step, a stream must be reset before it continues.
TEST(AllocationFailures, LeaveStreamsIntact) {
  const auto model = sample_model();
  const std::vector<Shape> shapes{{2, kUnknown}};
  const auto plan = std::make_shared<StreamPlan>(*model, 2, shapes);
  const auto steps = [](Stream& stream) {
    Tensors results;
    for (Dim i = 0; i < 3; ++i) {
      const Tensor& output = stream.step({sample_ids(2, 1)}).front();
      results.push_back(Tensor::from<float>(output.shape(), output.data<float>()));
    }
    return results;
  };
  Stream first(plan);
  const Tensors wanted = steps(first);
  tear([&]() -> Work {
    const auto stream = std::make_shared<Stream>(plan);
    return [&, stream] {
      stream->reset();
      return steps(*stream);
    };
  });
  tear([&]() -> Work {
    return [&] {
      Stream fresh(plan);
      return steps(fresh);
    };
  });
}

}  // namespace
}  // namespace maskflow
