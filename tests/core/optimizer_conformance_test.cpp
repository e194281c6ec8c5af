// SPDX-License-Identifier: MIT
// Trajectories of optimizers, values of schedules and constraints as recorded from Keras.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "support/errors.hpp"
#include "support/fixtures.hpp"
#include "support/tensors.hpp"
#include "support/training.hpp"
#include "support/values.hpp"

namespace maskflow {
namespace {

using test::at;
using test::tensor_from;

constexpr double kWeightFloor = 0.1;
constexpr double kStateFloor = 1e-6;

const List& cases_of(const Value& file) { return at(file, "cases").as_list("cases"); }

// Returns row `i` of recorded tensors that are stacked along the first axis.
Tensor row(const Tensor& stacked, std::size_t i) {
  const Shape shape = stacked.shape().from(1);
  Tensor result(stacked.dtype(), shape);
  const auto size = static_cast<std::size_t>(shape.size());
  const auto from = stacked.data<float>().subspan(i * size, size);
  std::ranges::copy(from, result.mutable_data<float>().begin());
  return result;
}

// A variable and the steps at which it has no gradient, parsed from "bias at steps 1, 4, 7".
struct Left {
  std::string name;
  std::vector<std::size_t> steps;
};
Left left_out(const Value& recorded) {
  Left left;
  const Value* text = recorded.find("no_gradient");
  if (text == nullptr) return left;
  std::string words = text->as_string("no_gradient");
  std::ranges::replace(words, ',', ' ');
  std::istringstream in(words);
  std::string word;
  in >> left.name >> word >> word;
  for (std::size_t step; in >> step;) left.steps.push_back(step);
  return left;
}

// Runs one recorded case step by step.
class Trajectory {
 public:
  Trajectory(const Value& recorded, const Value& problem)
      : recorded_(recorded), problem_(problem), left_(left_out(recorded)) {
    for (const Value& one : at(problem, "variables").as_list("variables")) {
      variables_.push_back(test::variable(at(one, "name").as_string("name"), tensor_from(one)));
    }
    optimizer_ = test::optimizer_from(at(recorded, "optimizer"));
    if (const Value* names = recorded.find("exclude_from_weight_decay")) {
      std::vector<std::string> patterns;
      for (const Value& name : names->as_list("names")) patterns.push_back(name.as_string("name"));
      optimizer_->exclude_from_weight_decay(patterns);
    }
    std::vector<Trained> trained;
    for (const VariablePtr& one : variables_) trained.push_back({one, one->name(), nullptr});
    if (const Value* constraint = recorded.find("constraint_on_first")) {
      trained.front().constraint = constraint_from(*constraint);
    }
    optimizer_->build(std::move(trained));
  }

  void run() {
    const List& expected = at(recorded_, "after_step").as_list("after_step");
    const auto rates = test::numbers_of(at(recorded_, "learning_rate_after_step"));
    std::vector<Tensor> actual;
    for (const Value& one : expected)
      actual.emplace_back(DType::kFloat32, tensor_from(one).shape());
    for (std::size_t step = 0; step < rates.size(); ++step) {
      make_step(step);
      EXPECT_NEAR(static_cast<double>(optimizer_->learning_rate()), rates[step],
                  std::max(1e-6, 8 * spread_) * rates[step] + 1e-9)
          << "after step " << step;
      for (std::size_t i = 0; i < actual.size(); ++i) {
        const auto now = variables_[i]->value().data<float>();
        std::ranges::copy(now, actual[i].mutable_data<float>().begin() +
                                   static_cast<std::ptrdiff_t>(step * now.size()));
      }
    }
    for (std::size_t i = 0; i < actual.size(); ++i) {
      EXPECT_EQ(
          test::recorded_difference(actual[i], tensor_from(expected[i]), spread_, kWeightFloor), "")
          << variables_[i]->name();
    }
  }

  void check_state() {
    const List& expected = at(recorded_, "optimizer_variables").as_list("variables");
    const std::vector<Optimizer::StateVariable> actual = optimizer_->variables();
    ASSERT_EQ(actual.size(), expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i) {
      EXPECT_EQ(actual[i].path, at(expected[i], "path").as_string("path"));
      EXPECT_EQ(actual[i].variable->name(), at(expected[i], "name").as_string("name"));
      const double spread = std::max(spread_, at(expected[i], "spread").as_number("spread"));
      EXPECT_EQ(test::recorded_difference(actual[i].variable->value(), tensor_from(expected[i]),
                                          spread, kStateFloor),
                "")
          << actual[i].path;
    }
  }

  void check_finalized() {
    const Value* finalized = recorded_.find("finalized");
    std::vector<Tensor> before;
    for (const VariablePtr& variable : variables_) before.push_back(variable->value());
    optimizer_->finalize_variable_values(variables_);
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      const Tensor expected =
          finalized == nullptr ? before[i] : tensor_from(finalized->as_list("finalized")[i]);
      EXPECT_EQ(test::recorded_difference(variables_[i]->value(), expected, spread_, kWeightFloor),
                "")
          << variables_[i]->name() << " finalized";
    }
  }

  // get_config returns the recorded settings.
  void check_config() {
    EXPECT_EQ(test::text_of(optimizer_->get_config()),
              test::text_of(at(at(recorded_, "optimizer"), "config")));
  }

 private:
  void make_step(std::size_t step) {
    const Value* times = recorded_.find("gradients_times");
    const Value* infinite = recorded_.find("infinite_first_gradient_at");
    Tensors gradients;
    for (const Value& one : at(problem_, "gradients").as_list("gradients")) {
      Tensor& gradient = gradients.emplace_back(row(tensor_from(one), step));
      if (times == nullptr) continue;
      for (float& g : gradient.mutable_data<float>()) {
        g *= static_cast<float>(times->as_number("times"));
      }
    }
    if (infinite != nullptr && infinite->as_number("step") == static_cast<double>(step)) {
      gradients.front().mutable_data<float>()[0] = std::numeric_limits<float>::infinity();
    }
    for (std::size_t i = 0; i < gradients.size(); ++i) {
      if (variables_[i]->name() == left_.name && std::ranges::count(left_.steps, step) > 0) {
        gradients[i] = {};
      }
    }
    test::apply(*optimizer_, gradients, variables_);
  }

  const Value& recorded_;
  const Value& problem_;
  Left left_;
  double spread_ = at(recorded_, "spread").as_number("spread");
  std::vector<VariablePtr> variables_;
  std::shared_ptr<Optimizer> optimizer_;
};

TEST(OptimizerConformance, EqualsRecordedTrajectories) {
  const Value file = test::read_fixture("training/optimizers/optimizers.json");
  std::size_t count = 0;
  for (const Value& recorded : cases_of(file)) {
    SCOPED_TRACE(at(recorded, "name").as_string("name"));
    const std::string& problem = at(recorded, "problem").as_string("problem");
    Trajectory trajectory(recorded, at(at(file, "problems"), problem));
    trajectory.run();
    trajectory.check_state();
    trajectory.check_finalized();
    ++count;
  }
  EXPECT_GE(count, 143U);
}

TEST(OptimizerConformance, EqualsRecordedSchedules) {
  const Value file = test::read_fixture("training/optimizers/schedules.json");
  EXPECT_GE(cases_of(file).size(), 16U);
  for (const Value& recorded : cases_of(file)) {
    const Value& serialized = at(recorded, "schedule");
    SCOPED_TRACE(test::text_of(serialized));
    const auto schedule = std::static_pointer_cast<Schedule>(
        deserialize_configurable(ConfigurableKind::kSchedule, serialized));
    const auto expected = test::numbers_of(at(recorded, "values"));
    for (std::size_t step = 0; step < expected.size(); ++step) {
      const double spread = at(recorded, "spread").as_number("spread");
      const double actual = static_cast<double>((*schedule)(static_cast<float>(step)));
      EXPECT_NEAR(actual, expected[step],
                  std::max(1e-5, 8 * spread) * std::max(1e-3, expected[step]))
          << "at step " << step;
    }
    EXPECT_EQ(test::text_of(schedule->serialize()), test::text_of(serialized));
  }
}

TEST(OptimizerConformance, EqualsRecordedConstraints) {
  const Value file = test::read_fixture("training/optimizers/constraints.json");
  EXPECT_GE(cases_of(file).size(), 9U);
  for (const Value& recorded : cases_of(file)) {
    SCOPED_TRACE(at(recorded, "name").as_string("name"));
    const ConstraintPtr constraint = constraint_from(at(recorded, "constraint"));
    Tensor x = tensor_from(at(recorded, "x"));
    constraint->apply(x.mutable_floats(), x.shape());
    EXPECT_EQ(test::recorded_difference(x, tensor_from(at(recorded, "y")),
                                        at(recorded, "spread").as_number("spread"), kWeightFloor),
              "");
    EXPECT_EQ(test::text_of(constraint->serialize()), test::text_of(at(recorded, "constraint")));
  }
}

}  // namespace
}  // namespace maskflow
