// SPDX-License-Identifier: MIT
// Gradients of every op and layer class equal finite differences. Gradients of a row do not depend
// on the other rows of its batch, nor on the values of masked steps in layers that use masks.
#include "support/gradients.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/text.hpp"
#include "layer/layer_gradient.hpp"
#include "ops/op_gradient.hpp"
#include "ops/ops.hpp"
#include "support/errors.hpp"
#include "support/graphs.hpp"
#include "support/layer_cases.hpp"
#include "support/op_cases.hpp"

namespace maskflow {
namespace {

using test::Computation;
using test::LayerCase;
using test::OpCase;
using test::Rng;

constexpr int kSeeds = 4;

bool is_float(const Tensor& x) { return !x.empty_handle() && x.dtype() == DType::kFloat32; }

// --- ops ----------------------------------------------------------------------------------------

// Returns whether the op is only defined for positive numbers.
bool is_positive(std::string_view op) {
  const std::set<std::string_view> names{"Log", "Log1p", "Power", "Rsqrt", "Sqrt"};
  return names.contains(op);
}

// Returns a number to add to the first operand: remainders of multiples have no derivative.
double step_aside(std::string_view op, std::size_t operand) {
  return op == "Mod" && operand == 0 ? 0.4 : 0;
}

// Returns whether the op has another derivative than its values.
bool is_stopped(std::string_view op) { return op == "StopGradient"; }

// Replaces special floats of the example, and integers that are not indices, by ordinary floats.
OpCase smoothed(OpCase c) {
  const std::vector<std::string> names = operand_names(find_op(c.op));
  for (std::size_t i = 0; i < c.operands.size(); ++i) {
    const std::string& name = names[std::min(i, names.size() - 1)];
    Tensor& x = c.operands[i];
    if (x.dtype() == DType::kBool || !name.starts_with('x')) continue;
    Tensor floats = Tensor::zeros(DType::kFloat32, x.shape());
    const std::vector<double> numbers = test::numbers(x);
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      const double near = std::isfinite(numbers[k]) ? std::clamp(numbers[k], -2.0, 2.0) : 0.7;
      const double n = near + step_aside(c.op, i);
      floats.mutable_data<float>()[k] =
          static_cast<float>(is_positive(c.op) ? 0.4 + std::fabs(n) : n);
    }
    x = floats;
  }
  return c;
}

// Returns whether the op has float operands with elements, and float results.
bool can_be_checked(const OpCase& c) {
  const Tensors results = apply_op(c.op, c.operands, c.attributes);
  const auto numeric = [](const Tensor& x) {
    if (!is_float(x) || x.size() == 0) return false;
    const std::vector<double> numbers = test::numbers(x);
    return std::ranges::all_of(numbers, [](double n) { return std::isfinite(n); });
  };
  return std::ranges::any_of(c.operands, numeric) && std::ranges::all_of(results, numeric);
}

Computation computation_of(const OpCase& c, const Tensors& variables) {
  Tensors operands = c.operands;
  std::size_t next = 0;
  for (Tensor& operand : operands) {
    if (is_float(operand)) operand = variables[next++];
  }
  return {variables, [&c, operands](Frame&) { return apply_op(c.op, operands, c.attributes); }};
}

TEST(OpGradients, AgreeWithFiniteDifferences) {
  std::set<std::string, std::less<>> checked;
  std::uint64_t seed = 0;
  for (const OpCase& example : test::op_cases()) {
    if (find_op_gradient(example.op) == nullptr || is_stopped(example.op)) continue;
    const OpCase c = smoothed(example);
    if (!can_be_checked(c)) continue;
    Rng rng(++seed);
    checked.insert(c.op);
    SCOPED_TRACE(c.op);
    Tensors variables;
    for (const Tensor& operand : c.operands) {
      if (!is_float(operand)) continue;
      // Moves the numbers of an example away from kinks, by more than the step of the differences.
      Tensor beside = test::random_floats(rng, operand.shape(), 0.03F);
      for (float& x : beside.mutable_data<float>()) x += x < 0 ? -0.02F : 0.02F;
      variables.push_back(ops::add(operand, beside));
    }
    EXPECT_EQ(test::check_gradients([&](const Tensors& given) { return computation_of(c, given); },
                                    variables, rng),
              "");
  }
  for (const OpDef* op : all_ops()) {
    const OpGradient* const gradient = find_op_gradient(op->name);
    const bool has_rule = gradient != nullptr && gradient->rule != nullptr;
    if (is_stopped(op->name)) continue;
    EXPECT_TRUE(!has_rule || checked.contains(op->name))
        << op->name
        << " was not checked: it needs an example with finite float32 operands and "
           "results in tests/core/support/op_cases_*.cpp";
  }
}

TEST(OpGradients, ExistForEveryOp) {
  std::set<std::string> lacking;
  for (const OpCase& c : test::op_cases()) {
    const bool needed =
        std::ranges::any_of(c.operands, is_float) && std::ranges::any_of(c.expected, is_float);
    if (needed && find_op_gradient(c.op) == nullptr) lacking.insert(c.op);
  }
  EXPECT_EQ(lacking, std::set<std::string>())
      << "These ops lack an entry of kGradients, in <file>_gradient.cpp beside their file. One "
         "without a rule differentiates the ops that the op calls.";
}

// --- layers -------------------------------------------------------------------------------------

// Returns all float tensors of a call, in the order of for_each_tensor().
Tensors floats_of(Args args) {
  Tensors floats;
  args.for_each_tensor([&](Tensor& x) {
    if (is_float(x)) floats.push_back(x);
  });
  return floats;
}

// A call of a layer. Each run creates a new layer, because a layer may keep states and random
// numbers.
class LayerCall {
 public:
  LayerCall(const LayerCase& c, Args args, Rng& rng, bool trains)
      : case_(c), args_(std::move(args)) {
    args_.training = trains;
    const LayerPtr layer = c.make();
    test::randomize(*layer, rng, c.input);
    for (const Layer::Weight& weight : layer->weights()) {
      const Tensor value = weight.variable->read();
      const bool is_variance = weight.variable->name() == "moving_variance";
      weights_.push_back(is_variance ? apply_op1("Square", {&value, 1}) : value);
    }
    variables_ = floats_of(args_);
    inputs_ = variables_.size();
    for (const Layer::Weight& weight : layer->weights()) {
      if (weight.trainable) variables_.push_back(weight.variable->read());
    }
  }
  // A call with the weights of `other` and other arguments; variables() stays empty.
  LayerCall(const LayerCase& c, Args args, const LayerCall& other)
      : case_(c), args_(std::move(args)), weights_(other.weights_) {
    args_.training = other.args_.training;
  }
  [[nodiscard]] const Tensors& variables() const { return variables_; }
  [[nodiscard]] std::size_t inputs() const { return inputs_; }

  [[nodiscard]] Computation with(const Tensors& variables) const {
    Policy::current().random = Random(11);
    const LayerPtr layer = case_.make();
    Rng rng(1);
    test::randomize(*layer, rng, case_.input);
    const std::vector<Layer::Weight> weights = layer->weights();
    Computation result;
    Args args = args_;
    std::size_t next = 0;
    args.for_each_tensor([&](Tensor& x) {
      if (!is_float(x)) return;
      // Copies the storage and keeps the mask.
      x = test::floats(x.shape(),
                       {variables[next].data<float>().begin(), variables[next].data<float>().end()})
              .with_mask(x.mask());
      result.variables.push_back(x);
      ++next;
    });
    Tensors values = weights_;
    std::size_t variable = next;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (weights[i].trainable) values[i] = variables[variable++];
    }
    layer->set_weights(values);
    for (const Layer::Weight& weight : weights) {
      if (weight.trainable) result.variables.push_back(weight.variable->value());
    }
    result.run = [layer, args](Frame& frame) {
      Args own = args;
      own.for_each_tensor([](Tensor& x) { x = x.with_mask(x.mask()); });
      return layer->run(std::move(own), frame).tensors;
    };
    return result;
  }

 private:
  const LayerCase& case_;
  Args args_;
  Tensors weights_, variables_;
  std::size_t inputs_ = 0;
};

class LayerGradients : public testing::TestWithParam<LayerCase> {
 protected:
  test::Scope scope_{MaskPropagation::kKeras315, OnMaskDropped::kSilent};
};

TEST_P(LayerGradients, AgreeWithFiniteDifferences) {
  const LayerCase& c = GetParam();
  for (int seed = 0; seed < kSeeds; ++seed) {
    Rng rng(static_cast<std::uint64_t>(seed));
    const bool trains = seed % 2 == 1;
    // Keras treats values that are assigned during the call as constants.
    if (trains && c.class_name == "SpectralNormalization") continue;
    SCOPED_TRACE(text(rng.trace(), trains ? ", training" : ""));
    const LayerCall call(c, seed < 2 ? c.arguments(rng) : c.masked_arguments(rng), rng, trains);
    EXPECT_EQ(test::check_gradients([&](const Tensors& given) { return call.with(given); },
                                    call.variables(), rng),
              "");
  }
}

// Compares the gradients of one row of a batch with those of the row alone.
TEST_P(LayerGradients, OfARowEqualThoseOfTheRowAlone) {
  const LayerCase c = GetParam().with_batch(3);
  const LayerCase alone = GetParam().with_batch(1);
  for (int seed = 0; seed < kSeeds; ++seed) {
    Rng rng(static_cast<std::uint64_t>(seed));
    SCOPED_TRACE(rng.trace());
    const Args args = c.masked_arguments(rng);
    const LayerCall all(c, args, rng, false);
    const Computation together = all.with(all.variables());
    Frame frame;
    const Tensors cotangents = test::random_cotangents(rng, together.run(frame));
    const Tensors wanted = test::gradients_of(all.with(all.variables()), cotangents);
    const auto row_of = [](const Tensor& x, Dim row) {
      return x.empty_handle() ? x : ops::slice_axis(x, 0, row, row + 1);
    };
    for (Dim row = 0; row < 3; ++row) {
      Args one = args;
      one.for_each_tensor([&](Tensor& x) {
        const MaskPtr mask = x.mask();
        x = row_of(x, row).with_mask(mask ? make_mask(row_of(mask->values(), row)) : nullptr);
      });
      const LayerCall single(alone, one, all);
      Tensors variables;
      for (std::size_t i = 0; i < all.variables().size(); ++i) {
        const Tensor& x = all.variables()[i];
        variables.push_back(i < all.inputs() ? row_of(x, row) : x);
      }
      Tensors own;
      for (const Tensor& cotangent : cotangents) own.push_back(row_of(cotangent, row));
      const Tensors got = test::gradients_of(single.with(variables), own);
      for (std::size_t i = 0; i < all.inputs(); ++i) {
        ASSERT_EQ(got[i].empty_handle(), wanted[i].empty_handle());
        if (got[i].empty_handle()) continue;
        EXPECT_TRUE(test::close(got[i], row_of(wanted[i], row), {1e-5, 2e-6}))
            << "row " << row << " of input " << i;
      }
    }
  }
}

// Tests of layers whose results must not depend on masked steps; see layer_property_test.cpp.
class MaskUserGradients : public LayerGradients {};

// Random cotangents that are 0 at the masked steps of the results.
Tensors shown_cotangents(const LayerCase& c, Rng& rng, const Tensors& results) {
  Tensors cotangents = test::random_cotangents(rng, results);
  for (std::size_t i = 0; i < results.size(); ++i) {
    const MaskPtr mask = results[i].mask();
    if (mask == nullptr || cotangents[i].empty_handle()) continue;
    const Tensor keep = c.spread(mask->values(), results[i].rank());
    cotangents[i] = ops::where(keep, cotangents[i], test::scalar(0));
  }
  return cotangents;
}

TEST_P(MaskUserGradients, AreZeroAtMaskedStepsAndIgnoreTheirValues) {
  const LayerCase& c = GetParam();
  for (int seed = 0; seed < 2 * kSeeds; ++seed) {
    Rng rng(static_cast<std::uint64_t>(seed));
    const bool trains = seed % 2 == 1;
    SCOPED_TRACE(text(rng.trace(), trains ? ", training" : ""));
    const Args args = c.masked_arguments(rng);
    const LayerCall call(c, args, rng, trains);
    const Computation first = call.with(call.variables());
    Frame frame;
    const Tensors cotangents = shown_cotangents(c, rng, first.run(frame));
    const Tensors gradients = test::gradients_of(call.with(call.variables()), cotangents);
    Tensors masked;
    Args given = args;
    given.for_each_tensor([&](Tensor& x) {
      if (is_float(x)) masked.push_back(x);
    });
    for (std::size_t i = 0; i < masked.size(); ++i) {
      if (masked[i].mask() == nullptr || gradients[i].empty_handle()) continue;
      const Tensor keep = c.spread(masked[i].mask()->values(), masked[i].rank());
      const Tensor hidden = ops::where(keep, test::scalar(0), gradients[i]);
      for (const double g : test::numbers(hidden)) EXPECT_EQ(g, 0) << "input " << i;
    }
    // Other values at the masked steps must not change the gradients.
    Tensors changed = floats_of(c.with_other_padding(args, rng));
    for (std::size_t i = call.inputs(); i < call.variables().size(); ++i) {
      changed.push_back(call.variables()[i]);
    }
    const Tensors after = test::gradients_of(call.with(changed), cotangents);
    for (std::size_t i = 0; i < after.size(); ++i) {
      ASSERT_EQ(after[i].empty_handle(), gradients[i].empty_handle()) << "variable " << i;
      if (after[i].empty_handle()) continue;
      EXPECT_TRUE(test::close(after[i], gradients[i], {2e-6, 1e-6})) << "variable " << i;
    }
  }
}

std::string name_of(const testing::TestParamInfo<LayerCase>& layer) {
  return layer.param.class_name;
}
std::vector<LayerCase> mask_users() {
  std::vector<LayerCase> users = test::called_layer_cases();
  std::erase_if(users, [](const LayerCase& c) {
    return !c.has_time() || (!c.make()->takes_mask() && c.named.empty());
  });
  return users;
}
INSTANTIATE_TEST_SUITE_P(Classes, LayerGradients, testing::ValuesIn(test::called_layer_cases()),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Classes, MaskUserGradients, testing::ValuesIn(mask_users()), name_of);

TEST(LayerGradientRegistry, KnowsEveryClass) {
  const std::set<std::string> made_of_layers{"Functional", "Sequential"};
  for (const LayerClass* known : all_layer_classes()) {
    const bool has_rule = find_layer_gradient(known->name) != nullptr;
    const int ways = has_rule + known->facts.composed + made_of_layers.contains(known->name);
    EXPECT_EQ(ways, 1) << known->name;
  }
}

}  // namespace
}  // namespace maskflow
