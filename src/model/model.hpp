// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "layer/layer.hpp"
#include "model/execution.hpp"

namespace maskflow {

// A model is a layer. As in Keras it has no mask support of its own: masks that it receives reach
// its inner layers, and the output keeps the mask that the last of them attached.
class Model : public Layer {
 public:
  [[nodiscard]] bool takes_mask() const override { return true; }
  [[nodiscard]] bool takes_list() const override { return true; }
  [[nodiscard]] std::string name() const override { return Layer::name(); }
  [[nodiscard]] Value module() const override { return "keras"; }
  Model* as_model() override { return this; }
  // Returns the inputs of a call, with its masks attached. In a graph that lists the layers of this
  // model, attaching a mask is a call of its own.
  [[nodiscard]] static Tensors masked_inputs(const Args& args, const Frame& frame);
  // Returns whether there is a graph without running code of custom layers.
  [[nodiscard]] virtual bool has_graph() const { return true; }
  // Returns false for a Sequential without an Input that was not called yet.
  [[nodiscard]] virtual bool knows_inputs() const { return true; }
  // Returns the graph with symbolic inputs and outputs. Throws StateError if knows_inputs() is
  // false.
  [[nodiscard]] virtual const Graph& graph() = 0;
  // Returns whether the model returns its only input, as those of with_mask() do.
  [[nodiscard]] virtual bool only_attaches_masks() const { return false; }
  // Returns the batch size of a stateful model whose input has a fixed batch size; else kUnknown.
  [[nodiscard]] virtual Dim fixed_batch() const = 0;

 protected:
  // Throws ShapeError for a batch of another size, whose rows would start from states of other
  // rows.
  void check_batch(const Tensors& inputs) const;
};

class Functional final : public Model {
 public:
  Functional() = default;
  void set_graph(Structure inputs, Structure outputs);
  Structure call(const Args& args, Frame& frame) override;
  OutputSpecs output_specs(const Args& args) override;
  void read_config(const Dict& config) override;
  [[nodiscard]] Dict get_config() override;
  [[nodiscard]] std::vector<LayerPtr> sublayers() const override;
  [[nodiscard]] bool stateful() const override;
  [[nodiscard]] std::string kind() const override { return "functional"; }
  [[nodiscard]] std::string default_name() const override;
  [[nodiscard]] Streaming streaming(const Shape& input) const override;
  [[nodiscard]] bool only_attaches_masks() const override;
  [[nodiscard]] const Graph& graph() override { return *graph_; }
  [[nodiscard]] Dim fixed_batch() const override;
  [[nodiscard]] Value module() const override { return "keras.src.models.functional"; }

 private:
  void set_graph();
  [[nodiscard]] Tensors ordered_inputs(const Args& args, const Frame& frame) const;
  // Converts inputs to what the graph declares.
  void fit(Tensors& inputs) const;
  Structure inputs_;
  Structure outputs_;
  std::optional<Graph> graph_;
  std::optional<Execution> execution_;
};

class Sequential final : public Model {
 public:
  Sequential() = default;
  ~Sequential() override;
  void add(LayerPtr layer);
  [[nodiscard]] bool begins_with_input() const;
  void pop();
  Structure call(const Args& args, Frame& frame) override;
  OutputSpecs output_specs(const Args& args) override;
  void build(const std::vector<Shape>& inputs) override;
  [[nodiscard]] std::vector<Shape> build_shapes(const Args& args) const override;
  void read_config(const Dict& config) override;
  [[nodiscard]] Dict get_config() override;
  [[nodiscard]] std::vector<LayerPtr> sublayers() const override;
  [[nodiscard]] bool stateful() const override;
  [[nodiscard]] std::string kind() const override { return "sequential"; }
  [[nodiscard]] bool has_graph() const override { return begins_with_input() || graph_; }
  [[nodiscard]] bool knows_inputs() const override { return begins_with_input() || first_input_; }
  [[nodiscard]] const Graph& graph() override;
  [[nodiscard]] Dim fixed_batch() const override;

 private:
  void check_not_running() const;
  [[nodiscard]] Structure run_layers(Structure values, Frame& frame);
  [[nodiscard]] Tensors fitted_inputs(const Args& args, const Frame& frame) const;
  void keep_first_input(const Args& args);
  void build_again();
  int running_ = 0;
  mutable bool is_built_for_list_ = false;
  mutable bool has_keys_ = false;  // of the call that builds the model
  std::vector<LayerPtr> layers_;   // The layers; the first one may be an InputLayer.
  std::optional<Graph> graph_;
  std::optional<TensorSpec>
      first_input_;  // of the first call, unless the model begins with an Input
};

// Returns x with this mask, or without a mask for null. If one of them is symbolic, the graph
// records a copy of x and a call of a model `with_mask` that returns its input: a model attaches
// its masks to its inputs, here and in Keras, which therefore opens files with such a graph.
[[nodiscard]] Tensor with_mask(const Tensor& x, const MaskPtr& mask);

// Writes and reads the configuration of a Functional model in the form of Keras 3.
[[nodiscard]] Dict functional_config(const Graph& graph, const Structure& inputs,
                                     const Structure& outputs);
struct FunctionalParts {
  Structure inputs;
  Structure outputs;
};
[[nodiscard]] FunctionalParts functional_from_config(const Dict& config);

// Runs `layer` on batches of `batch_size` rows and joins the results. As in Keras, they have no
// masks. A size of 0 means all rows at once; a negative size means the fixed batch size, or 32.
[[nodiscard]] Structure predict(Layer& layer, const Args& args, Dim batch_size);

struct SummaryRow {
  std::string name;
  std::string class_name;
  std::vector<Shape> shapes;
  std::optional<bool> masked;
  Dim parameters = 0;
  Dim trainable_parameters = 0;
  std::vector<std::string> inbound;
};
[[nodiscard]] std::vector<SummaryRow> summary(Layer& model);

}  // namespace maskflow
