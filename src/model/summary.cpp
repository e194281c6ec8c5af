// SPDX-License-Identifier: MIT
#include <algorithm>

#include "base/index.hpp"
#include "base/merge_sort.hpp"
#include "model/model.hpp"

namespace maskflow {
namespace {

void count_parameters(const Layer& layer, bool model_trains, SummaryRow& row) {
  for (const Layer::Weight& weight : layer.weights()) {
    const Dim size = weight.variable->shape().size();
    row.parameters += size;
    if (weight.trainable && model_trains) row.trainable_parameters += size;
  }
}

SummaryRow row_of(const Node& node, bool model_trains) {
  SummaryRow row;
  row.name = node.operation->name();
  row.class_name = node.operation->class_name();
  for (const TensorSpec& spec : node.outputs) row.shapes.push_back(spec.shape);
  if (node.operation->is_layer()) {
    count_parameters(static_cast<Layer&>(*node.operation), model_trains, row);
  }
  for (const Tensor& symbol : symbols_of(node.args)) {
    const std::string name = symbol.origin()->node()->operation->name();
    if (std::ranges::find(row.inbound, name) == row.inbound.end()) row.inbound.push_back(name);
  }
  return row;
}

// Marks the rows of the nodes whose results have a mask where they are used.
void mark_masked(const Graph& graph, std::vector<SummaryRow>& rows) {
  const auto& nodes = graph.nodes();
  // Nodes are found by binary search: graphs have tens of thousands of them.
  const auto by_id = sorted_positions(nodes.size(), [&](std::int32_t a, std::int32_t b) {
    return nodes[at(a)]->id < nodes[at(b)]->id;
  });
  for (SummaryRow& row : rows) row.masked = false;
  const auto check = [&](const Tensor& symbol) {
    if (symbol.mask() == nullptr) return;
    const std::int64_t id = symbol.origin()->node()->id;
    const auto found = std::ranges::lower_bound(
        by_id, id, {}, [&](std::int32_t position) { return nodes[at(position)]->id; });
    if (found != by_id.end() && nodes[at(*found)]->id == id) rows[at(*found)].masked = true;
  };
  for (const auto& node : nodes) std::ranges::for_each(symbols_of(node->args), check);
  for (const Tensor& output : graph.outputs()) check(output);
}

}  // namespace

std::vector<SummaryRow> summary(Layer& layer) {
  std::vector<SummaryRow> rows;
  Model* model = layer.as_model();
  const auto list_layers = [&] {
    for (const LayerPtr& inner : layer.sublayers()) {
      inner->ensure_name();
      SummaryRow row;
      row.name = inner->name();
      row.class_name = inner->class_name();
      count_parameters(*inner, layer.trainable(), row);
      rows.push_back(row);
    }
  };
  if (model == nullptr || !model->knows_inputs()) {
    list_layers();
    return rows;
  }
  const Graph* graph = nullptr;
  try {
    graph = &model->graph();
  } catch (const Error&) {
    list_layers();  // The code of a layer has failed; the list of layers helps to explain why.
    return rows;
  }
  for (const auto& node : graph->nodes()) rows.push_back(row_of(*node, layer.trainable()));
  mark_masked(*graph, rows);
  return rows;
}

}  // namespace maskflow
