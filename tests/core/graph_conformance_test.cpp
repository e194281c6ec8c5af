// SPDX-License-Identifier: MIT
// Runs recorded functional models under both mask rules, and checks value and mask of every result.
// Masks are checked after each operation and again at the end of the run, because
// MultiHeadAttention removes masks of its inputs in between.
#include <gtest/gtest.h>

#include <algorithm>

#include "model/model.hpp"
#include "support/fixtures.hpp"
#include "support/layers.hpp"

namespace maskflow {
namespace {

using test::at;

struct Recorded {
  std::string name;
  MaskPropagation rule;
};

std::vector<Recorded> all_graphs() {
  std::vector<Recorded> graphs;
  for (const std::string& name : test::fixture_names("graph")) {
    graphs.push_back({name, MaskPropagation::kKeras315});
    graphs.push_back({name, MaskPropagation::kKeras316});
  }
  return graphs;
}

// Returns the recording of a graph. A graph has a second one if the rule of Keras 3.16 changes it.
Value fixture_of(const Recorded& graph, bool& warnings_known) {
  const std::vector<std::string> changed = test::fixture_names("next-3.16/graph");
  const bool other = graph.rule == MaskPropagation::kKeras316;
  const bool is_recorded = other && std::ranges::find(changed, graph.name) != changed.end();
  warnings_known = !other || is_recorded;
  return test::read_fixture((is_recorded ? "next-3.16/graph/" : "graph/") + graph.name + ".json");
}

Tensors inputs_of(const Value& fixture, const Graph& graph) {
  const Value& recorded = at(fixture, "inputs");
  Tensors inputs;
  if (recorded.is_list()) {
    for (const Value& input : recorded.as_list("")) inputs.push_back(test::tensor_from(input));
    return inputs;
  }
  for (const Tensor& symbol : graph.inputs()) {
    inputs.push_back(test::tensor_from(at(recorded, symbol.origin()->node()->operation->name())));
  }
  return inputs;
}

// An operation of the graph that has run.
struct Ran {
  std::string operation;
  std::string class_name;
  Tensors results;
  Masks masks;
  bool warned;
};

std::vector<Ran> run_all(const Graph& graph, const Tensors& inputs, const test::Scope& scope) {
  std::vector<Ran> ran;
  std::size_t warnings = scope.warnings().size();
  const Execution execution(graph);
  Execution::Values values;
  execution.put_inputs(inputs, values);
  Frame frame;
  for (const Execution::Step& step : execution.steps()) {
    if (step.is_input) continue;
    execution.run_step(step, values, frame);
    const Tensors results(
        values.begin() + step.first,
        values.begin() + step.first + static_cast<std::ptrdiff_t>(step.results()));
    const std::size_t now = scope.warnings().size();
    ran.push_back({step.node->operation->name(), step.node->operation->class_name(), results,
                   masks_of(results), now > std::exchange(warnings, now)});
  }
  return ran;
}

void expect_mask(const MaskPtr& got, const Value& recorded, const std::string& what) {
  EXPECT_TRUE(test::same_mask(got, make_mask(test::tensor_from(recorded)))) << what;
}

// Tolerance relative to max(1, |value|), as the fixtures advise: errors of a whole graph add up.
test::Tolerance tolerance_of(const std::string& operation) {
  // In transformer_two_blocks four normalisations of epsilon 1e-6 multiply earlier rounding errors
  // by 10.5, 2.8, 1.7 and 10.6, together by 500; the result of the last one is off by 2.2e-5.
  if (operation == "layer_normalization_3") return {5e-5, 5e-5};
  return {1e-5, 1e-5};
}

std::string difference_in(const Value& step, const Tensor& got, std::size_t output) {
  const Value& recorded = at(at(step, "outputs").as_list("").at(output), "tensor");
  return test::difference(got, test::tensor_from(recorded),
                          tolerance_of(at(step, "op").as_string("op")));
}

// Removes the operation of this step from the list and returns it. Within one depth, Keras's order
// is that of a set, so a step is found by its layer's name or its op's class, and by its value.
Ran take(std::vector<Ran>& ran, const Value& step) {
  const std::string& operation = at(step, "op").as_string("op");
  const bool layer = at(step, "is_layer").as_bool("");
  const auto found = std::ranges::find_if(ran, [&](const Ran& r) {
    return (layer ? r.operation == operation
                  : r.class_name == at(step, "class_name").as_string("")) &&
           difference_in(step, r.results.front(), 0).empty();
  });
  if (found == ran.end()) {
    for (const Ran& r : ran) {
      if (r.operation != operation) continue;
      ADD_FAILURE() << operation << ": " << difference_in(step, r.results.front(), 0);
    }
    return {};
  }
  Ran result = *found;
  ran.erase(found);
  return result;
}

void expect_step(const Ran& ran, const Value& step, bool warnings_known) {
  const std::string& operation = at(step, "op").as_string("op");
  ASSERT_FALSE(ran.operation.empty()) << operation << " did not run with this value";
  // A layer warns once, and only of a mask that has no effect, so it may be silent where Keras
  // warns.
  if (warnings_known && ran.warned) {
    EXPECT_TRUE(at(step, "warns").as_bool("")) << operation << " warns";
  }
  const List& outputs = at(step, "outputs").as_list("outputs");
  ASSERT_EQ(ran.results.size(), outputs.size()) << operation;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::string what = operation + ", output " + std::to_string(i);
    EXPECT_EQ(difference_in(step, ran.results[i], i), "") << what;
    const Value& mask = at(outputs[i], "mask");
    expect_mask(ran.masks[i], mask, what);
    const Value& after = at(outputs[i], "mask_after_run");
    expect_mask(ran.results[i].mask(), after.is_string() ? mask : after, what + ", after the run");
  }
}

class GraphConformance : public testing::TestWithParam<Recorded> {};

TEST_P(GraphConformance, EqualsTheRecordingAtEveryEdge) {
  bool warnings_known = false;
  const Value fixture = fixture_of(GetParam(), warnings_known);
  const test::Scope scope(GetParam().rule);
  const LayerPtr model = make_layer("Functional", at(fixture, "config").as_dict("config"));
  Tensors weights;
  for (const Value& weight : at(fixture, "weights").as_list("")) {
    weights.push_back(test::tensor_from(weight));
  }
  model->set_weights(weights);
  const Graph& graph = model->as_model()->graph();
  std::vector<Ran> ran = run_all(graph, inputs_of(fixture, graph), scope);
  const List& steps = at(fixture, "steps").as_list("steps");
  ASSERT_EQ(ran.size(), steps.size());
  for (const Value& step : steps) expect_step(take(ran, step), step, warnings_known);
}

INSTANTIATE_TEST_SUITE_P(Graphs, GraphConformance, testing::ValuesIn(all_graphs()),
                         [](const testing::TestParamInfo<Recorded>& graph) {
                           return graph.param.name + (graph.param.rule == MaskPropagation::kKeras315
                                                          ? "_keras315"
                                                          : "_keras316");
                         });

}  // namespace
}  // namespace maskflow
