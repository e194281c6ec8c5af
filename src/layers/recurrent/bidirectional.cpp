// SPDX-License-Identifier: MIT
// A recurrent layer run in both directions (Schuster and Paliwal 1997).
#include "base/scoped_value.hpp"
#include "kernels/team.hpp"
#include "layers/recurrent/recurrent.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

std::string without_prefix(const std::string& name, const std::string& prefix) {
  return name.starts_with(prefix) ? name.substr(prefix.size()) : name;
}

class Bidirectional final : public Layer {
 public:
  Bidirectional() {
    supports_masking_ = true;
    streaming_ = Streaming::kNever;
  }

  void describe(Fields& fields) override {
    Layer::describe(fields);
    fields.field("layer", forward_, "The recurrent layer for the forward direction.",
                 FieldKind::kRequired);
    fields.field("backward_layer", backward_,
                 "The layer for the backward direction; null: a copy of `layer`.");
    fields.choice("merge_mode", merge_mode_, "concat sum ave mul",
                  "How to combine the outputs: 'concat', 'sum', 'ave', 'mul', or null to return "
                  "both.");
    fields.inert(inert_, {"weights"});
  }

  void read_config(const Dict& config) override {
    Layer::read_config(config);
    const LayerPtr wrapped = forward_;
    require_recurrent(wrapped);
    wrapped->ensure_name();
    const bool has_backward = backward_ != nullptr;
    if (has_backward) require_recurrent(backward_);
    forward_ = copy(*wrapped, "forward_", false);
    backward_ = has_backward ? copy(*backward_, "", false) : copy(*wrapped, "backward_", true);
    check_pair();
  }

  void build(const std::vector<Shape>& inputs) override {
    forward_->build_once(inputs);
    backward_->build_once(inputs);
  }

  Structure call(const Args& args, Frame& frame) override {
    // Under Keras 3.16's rule the wrapped layers drop the mask, too; only the wrapper warns.
    const ScopedValue<bool> quiet(frame.quiet, true);
    Structure forward;
    Structure backward;
    const auto run_both = [&](RunsTogether* together) {
      frame.together = together;
      forward = forward_->run(args_of(args, 0), frame);
      frame.together = together;
      backward = backward_->run(args_of(args, 1), frame);
    };
    // An observer could read the first result before it has its numbers.
    if (kernels::team_size() > 1 && frame.observer == nullptr) {
      RunsTogether runs;
      run_both(&runs);
      runs.finish();
    } else {
      run_both(nullptr);
    }
    Tensor& last = backward.tensors.front();
    if (forward_layer().return_sequences()) last = ops::flip(last, 1);
    Tensors results = merge(forward.tensors.front(), last);
    for (const Structure* direction : {&forward, &backward}) {
      results.insert(results.end(), direction->tensors.begin() + 1, direction->tensors.end());
    }
    for (Tensor& result : results) result = result.with_mask(nullptr);
    return {std::move(results), returns_list()};
  }

  OutputSpecs output_specs(const Args& args) override {
    std::vector<TensorSpec> forward = forward_->output_specs(args);
    std::vector<TensorSpec> backward = backward_->output_specs(args);
    std::vector<TensorSpec> specs{forward.front()};
    if (!merge_mode_) specs.push_back(backward.front());
    if (merge_mode_ == "concat") {
      specs.front().shape.set(-1, forward.front().shape.back() + backward.front().shape.back());
    }
    specs.insert(specs.end(), forward.begin() + 1, forward.end());
    specs.insert(specs.end(), backward.begin() + 1, backward.end());
    return {std::move(specs), returns_list()};
  }

  Masks compute_mask(const Tensors&, const Masks& masks) override {
    if (!forward_layer().return_sequences() || masks.empty()) return {};
    return merge_mode_ ? Masks{masks.front()} : Masks{masks.front(), masks.front()};
  }

  [[nodiscard]] bool takes_mask() const override { return true; }
  [[nodiscard]] bool supports_masking() const override { return passes_masks_on(); }
  [[nodiscard]] bool folds_time(bool, const Frame&) const override { return !stateful(); }
  [[nodiscard]] int min_rank() const override { return 3; }
  [[nodiscard]] std::string_view call_arguments() const override { return "initial_state"; }
  [[nodiscard]] bool stateful() const override { return forward_layer().stateful(); }
  [[nodiscard]] std::vector<LayerPtr> sublayers() const override {
    return forward_ == nullptr ? std::vector<LayerPtr>{}
                               : std::vector<LayerPtr>{forward_, backward_};
  }

 private:
  [[nodiscard]] bool returns_list() const { return !merge_mode_ || forward_layer().return_state(); }
  [[nodiscard]] Recurrent& forward_layer() const { return *forward_->as_recurrent(); }

  static void require_recurrent(const LayerPtr& layer) {
    if (layer == nullptr || layer->as_recurrent() == nullptr) {
      config_error(
          "Bidirectional needs a recurrent layer (RNN, SimpleRNN, LSTM, GRU or ConvLSTM1D), not ",
          layer == nullptr ? "null" : layer->class_name());
    }
  }

  // Like Keras, creates the copy from the config, with a new name and zeros at the masked steps of
  // sequences.
  static LayerPtr copy(Layer& layer, const std::string& prefix, bool flip) {
    Dict config = layer.get_config();
    config["name"] = prefix + without_prefix(layer.name(), prefix);
    config["zero_output_for_mask"] = layer.as_recurrent()->return_sequences();
    if (flip) config["go_backwards"] = true;
    LayerPtr result = make_layer(layer.class_name(), config);
    if (layer.built()) {
      result->ensure_name();
      result->build_once(layer.built_for());
    }
    return result;
  }

  void check_pair() const {
    const Recurrent& forward = forward_layer();
    const Recurrent& backward = *backward_->as_recurrent();
    if (forward.go_backwards() == backward.go_backwards()) {
      config_error("layer and backward_layer both have go_backwards = ",
                   forward.go_backwards() ? "true" : "false",
                   "; leave it out of layer, or pass a backward_layer with the opposite value");
    }
    if (forward.return_sequences() != backward.return_sequences() ||
        forward.return_state() != backward.return_state() ||
        forward.stateful() != backward.stateful()) {
      config_error(
          "layer and backward_layer must have equal return_sequences, return_state and stateful");
    }
  }

  // Returns the arguments of one direction, with its half of the initial states.
  static Args args_of(const Args& args, std::size_t direction) {
    Args result = args;
    for (TensorArgument& argument : result.tensors) {
      if (argument.name != "initial_state") continue;
      const std::size_t count = argument.values.size() / 2;
      if (count * 2 != argument.values.size()) {
        value_error("initial_state of Bidirectional has ", argument.values.size(),
                    " tensors but needs an even number: half of them for each direction");
      }
      const auto begin = argument.values.begin() + static_cast<std::ptrdiff_t>(direction * count);
      argument.values = Tensors(begin, begin + static_cast<std::ptrdiff_t>(count));
    }
    return result;
  }

  [[nodiscard]] Tensors merge(const Tensor& forward, const Tensor& backward) const {
    if (!merge_mode_) return {forward, backward};
    if (merge_mode_ == "concat") return {ops::concatenate(std::array{forward, backward}, -1)};
    if (merge_mode_ == "mul") return {ops::multiply(forward, backward)};
    const Tensor sum = ops::add(forward, backward);
    if (merge_mode_ == "sum") return {sum};
    return {ops::multiply(sum, Tensor::scalar(DType::kFloat32, 0.5))};
  }

  LayerPtr forward_, backward_;
  std::optional<std::string> merge_mode_ = "concat";
};

const RegisterLayer<Bidirectional> registration{
    "Bidirectional",
    "Runs a recurrent layer forwards and a copy of it backwards, and combines the outputs. In "
    "returned sequences, masked steps are zero.",
    {.composed = true, .in_recurrent_module = true, .in_tfjs = true}};

}  // namespace
}  // namespace maskflow
