// SPDX-License-Identifier: MIT
// RNN, which runs any cell, and StackedRNNCells: several cells as one.
#include <algorithm>

#include "layers/recurrent/cell_layer.hpp"
#include "layers/recurrent/recurrent.hpp"

namespace maskflow {
namespace {

RnnCell& cell_of(const LayerPtr& layer) {
  RnnCell* cell = layer == nullptr ? nullptr : layer->as_cell();
  if (cell == nullptr) {
    config_error(
        "'", layer == nullptr ? "null" : layer->class_name(),
        "' is not a recurrent cell; use LSTMCell, GRUCell, SimpleRNNCell, StackedRNNCells, or a "
        "custom layer that sets stateSize and whose call(inputs, { states }) returns "
        "[output, [state, ...]]");
  }
  return *cell;
}

class StackedRnnCells final : public CellLayer {
 public:
  StackedRnnCells() : CellLayer(1) {}

  void describe_cell(Fields& fields) override {
    fields.field("cells", cells_, "The cells, in the order of computation.",
                 FieldKind::kRequiredList);
  }
  void check_config() const override {
    if (cells_.empty()) config_error("'cells' is empty but needs at least one cell");
    for (const LayerPtr& layer : cells_) cell_of(layer);
  }
  void build(const std::vector<Shape>& inputs) override {
    Shape shape = inputs.front();
    features_ = shape.back();
    for (const LayerPtr& layer : cells_) {
      Recurrent::build_cell(layer, shape);
      shape.set(-1, static_cast<Dim>(cell_of(layer).output_size()));
    }
  }
  [[nodiscard]] std::vector<LayerPtr> sublayers() const override { return cells_; }
  [[nodiscard]] std::vector<RnnCell*> inner_cells() override {
    std::vector<RnnCell*> cells;
    for (const LayerPtr& layer : cells_) cells.push_back(&cell_of(layer));
    return cells;
  }

  [[nodiscard]] std::vector<std::size_t> state_sizes() const override {
    std::vector<std::size_t> sizes;
    for (const LayerPtr& layer : cells_) {
      for (const std::size_t size : cell_of(layer).state_sizes()) sizes.push_back(size);
    }
    return sizes;
  }
  [[nodiscard]] std::size_t output_size() const override {
    return cell_of(cells_.back()).output_size();
  }
  [[nodiscard]] std::vector<Shape> state_shapes() const override {
    std::vector<Shape> shapes;
    for (const LayerPtr& layer : cells_) {
      for (const Shape& shape : cell_of(layer).state_shapes()) shapes.push_back(shape);
    }
    return shapes;
  }
  [[nodiscard]] Shape output_shape() const override {
    return cell_of(cells_.back()).output_shape();
  }
  void build_inside() override {
    for (const LayerPtr& layer : cells_) cell_of(layer).build_inside();
  }
  [[nodiscard]] Tensors initial_states(Dim batch, Frame& frame) override {
    bool all_zeros = true;
    Tensors states;
    for (const LayerPtr& layer : cells_) {
      RnnCell& cell = cell_of(layer);
      Tensors own = cell.initial_states(batch, frame);
      all_zeros = all_zeros && own.empty();
      const std::vector<std::size_t> sizes = cell.state_sizes();
      for (std::size_t s = own.size(); s < sizes.size(); ++s) {
        own.push_back(Tensor::zeros(DType::kFloat32, {batch, static_cast<Dim>(sizes[s])}));
      }
      states.insert(states.end(), own.begin(), own.end());
    }
    return all_zeros ? Tensors() : states;
  }
  [[nodiscard]] std::size_t features() const override { return cell_of(cells_.front()).features(); }
  [[nodiscard]] std::size_t projected_width() const override {
    return cell_of(cells_.front()).projected_width();
  }
  void project(const kernels::Rows& inputs, std::size_t count, float* projected) override {
    cell_of(cells_.front()).project(inputs, count, projected);
  }
  [[nodiscard]] KeptProjections kept_projections() override {
    return cell_of(cells_.front()).kept_projections();
  }
  void begin(std::size_t lanes, Frame& frame) override {
    widest_ = 0;
    for (const LayerPtr& layer : cells_) {
      cell_of(layer).begin(lanes, frame);
      widest_ = std::max(widest_, cell_of(layer).projected_width());
    }
    projected_.resize((Count(lanes) * widest_).of<float>());
  }
  const float* step(float* projected, const StepLanes& lanes,
                    std::span<float* const> states) override {
    float* const rows = projected_.data() + lanes.first * widest_;
    const float* output = nullptr;
    std::size_t width = 0;
    for (const LayerPtr& layer : cells_) {
      RnnCell& cell = cell_of(layer);
      if (output != nullptr) {
        cell.project({output + lanes.first * width, width}, lanes.count, rows);
        projected = rows;
      }
      const std::size_t count = cell.state_sizes().size();
      output = cell.step(projected, lanes, states.first(count));
      width = cell.output_size();
      states = states.subspan(count);
    }
    return output;
  }
  [[nodiscard]] bool runs_in_parts() const override {
    return std::ranges::all_of(
        cells_, [](const LayerPtr& layer) { return cell_of(layer).runs_in_parts(); });
  }

 private:
  std::vector<LayerPtr> cells_;
  std::size_t widest_ = 0;
  kernels::Floats projected_;
};

class Rnn final : public Recurrent {
 public:
  [[nodiscard]] LayerPtr cell_layer() const override { return cell_; }
  void describe(Fields& fields) override {
    Recurrent::describe(fields);
    fields.field("cell", cell_, TypeScript{"Layer | Layer[]"},
                 "The cell, or a list of cells to stack.", FieldKind::kRequired);
    fields.inert(inert_, {"activity_regularizer"});
  }
  void read_config(const Dict& config) override {
    const Value* cell = config.find("cell");
    if (cell == nullptr || !cell->is_list()) return Recurrent::read_config(config);
    Dict stacked;
    stacked["class_name"] = "StackedRNNCells";
    Dict settings;
    settings["cells"] = *cell;
    stacked["config"] = settings;
    Dict copy = config;
    copy["cell"] = stacked;
    Recurrent::read_config(copy);
  }
  void check_config() const override { cell_of(cell_); }
  [[nodiscard]] std::vector<LayerPtr> sublayers() const override {
    return cell_ ? std::vector<LayerPtr>{cell_} : std::vector<LayerPtr>{};
  }

 private:
  LayerPtr cell_;
};

const RegisterLayer<StackedRnnCells> stacked_registration{
    "StackedRNNCells",
    "Several cells as one: the output of each cell is the input of the next.",
    {.in_recurrent_module = true, .in_tfjs = true}};
const RegisterLayer<Rnn> registration{
    "RNN",
    "Runs a cell over time. Input [batch, time, features]; masked steps are skipped.",
    {.in_recurrent_module = true, .in_tfjs = true}};

}  // namespace
}  // namespace maskflow
