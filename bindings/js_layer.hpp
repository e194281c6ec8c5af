// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "boundary.hpp"
#include "js_cell.hpp"
#include "layer/holders.hpp"

namespace maskflow::bindings {

struct JsTraits {
  bool takes_mask = false;
  bool overrides_compute_mask = false;
  bool is_model = false;
  bool has_build = false;  // Whether the class creates its weights in a method of its own.
};

// A layer whose `call` is JavaScript. It does not refer to a JavaScript object, only has an id:
// ownership points from JavaScript into the core, never back.
class JsLayer final : public Layer {
 public:
  explicit JsLayer(JsTraits traits);

  Structure call(const Args& args, Frame& frame) override;
  void build(const std::vector<Shape>& inputs) override;
  OutputSpecs output_specs(const Args& args) override;
  Masks compute_mask(const Tensors& inputs, const Masks& masks) override;
  [[nodiscard]] std::vector<LayerPtr> sublayers() const override;
  [[nodiscard]] Dict get_config() override;
  void read_config(const Dict& config) override;
  [[nodiscard]] bool takes_list() const override { return true; }
  [[nodiscard]] std::string_view call_arguments() const override { return "*"; }
  [[nodiscard]] bool takes_mask() const override { return traits_.takes_mask; }
  // User code may use the whole batch, or keep state from step to step.
  [[nodiscard]] bool folds_time(bool, const Frame&) const override { return false; }
  [[nodiscard]] std::string kind() const override { return "js"; }
  [[nodiscard]] Value registered_name() const override;
  [[nodiscard]] Value module() const override { return nullptr; }
  [[nodiscard]] bool is_model() const { return traits_.is_model; }
  // Null unless the class has `stateSize`, which makes it a recurrent cell.
  RnnCell* as_cell() override;
  // Builds the layers inside as Keras does, by running `call` once, unless the class has a `build`.
  void build_inside(const Args& args);

 private:
  OutputSpecs tried_specs(const Args& args);

  JsTraits traits_;
  bool list_input_ = false;
  Dim features_ = 0;  // Last axis of the input that the layer was built for.
  std::unique_ptr<JsCell> cell_;
  bool was_tried_ = false;  // Whether `call` has run to build the layers inside.
  UserCodeHolder holder_;
};

// The states in which a sequence of this cell begins, by its `getInitialState`; an empty list if
// its class has no such method. JavaScript has checked their number and sizes.
[[nodiscard]] Tensors own_initial_states(const Layer& cell, Dim rows, Frame& frame);

// Sets the functions of NativeHost (web/src/engine/native.ts); called once.
void set_host(val host);

}  // namespace maskflow::bindings
