// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "layer/describe.hpp"
#include "layer/variable.hpp"
#include "ops/frame.hpp"
#include "ops/node.hpp"
#include "ops/policy.hpp"

namespace maskflow {

class RnnCell;
class Recurrent;
class Model;

// How a layer takes part in a stream (model/stream.hpp), where time comes step by step on axis 1.
enum class Streaming : std::uint8_t {
  kUnsaid,      // nobody knows: refused
  kNever,       // a step of the result needs steps that come later: refused
  kEachStep,    // a step of the result is made of that step alone
  kKeepsState,  // `call` keeps what it needs of earlier steps in the LayerState that its frame has
};

[[nodiscard]] inline Streaming each_step_unless(bool over_time) {
  return over_time ? Streaming::kNever : Streaming::kEachStep;
}

// The base of every layer. `run` is Keras's call protocol, once for all; a concrete layer overrides
// `call`, and as needed `build`, `output_specs`, `compute_mask` and `describe`.
class Layer : public Operation, public std::enable_shared_from_this<Layer> {
 public:
  Layer();
  ~Layer() override;
  Layer(const Layer&) = delete;
  Layer& operator=(const Layer&) = delete;

  // The protocol: converts and checks, builds on first use, hands over masks, calls, attaches the
  // mask of the result, and says when a mask is dropped. Symbolic arguments are recorded instead of
  // computed.
  Structure run(Args args, Frame& outer) final;
  // The outermost call, with nothing around it.
  Tensors apply(Args args);
  Tensor operator()(const Tensor& input);

  // What the layer computes; args.mask is there when the layer takes a mask and there is one.
  virtual Structure call(const Args& args, Frame& frame) = 0;
  // Does each row of the result (along the last axis) depend on the same row of the arguments
  // alone, wherever it stands? Then rows that are the same are computed once.
  [[nodiscard]] virtual bool each_row_alone() const { return false; }
  // `call`, for fewer rows where that does.
  Structure compute(const Args& args, Frame& frame);
  virtual void build(const std::vector<Shape>& /*inputs*/) {}
  // What `build` is given: the shapes of the first argument, unless others matter too.
  [[nodiscard]] virtual std::vector<Shape> build_shapes(const Args& args) const;
  // Result specs for possibly symbolic arguments; the default is that of the first input.
  virtual OutputSpecs output_specs(const Args& args);
  // One mask per output; the default hands on what came.
  virtual Masks compute_mask(const Tensors& inputs, const Masks& masks);
  // All settings. Overriders call their base's first.
  virtual void describe(Fields& fields);
  // Cross-checks settings after they were read.
  virtual void check_config() const {}

  // Does `call` use a mask? (Keras: has it a parameter named `mask`?)
  [[nodiscard]] virtual bool takes_mask() const { return false; }
  [[nodiscard]] virtual bool supports_masking() const { return supports_masking_; }
  void set_supports_masking(bool supports) { supports_masking_ = supports; }
  // Rank an input must have at least, 0: any; or rank that it must have, 0: see above.
  [[nodiscard]] virtual int min_rank() const { return 0; }
  [[nodiscard]] virtual int rank() const { return 0; }
  // ShapeError unless an input may have this shape.
  void check_shape(const Shape& shape) const;
  // May the first argument be several tensors?
  [[nodiscard]] virtual bool takes_list() const { return false; }
  // Names of what a call may have beside its first argument, `mask` and `training`, with spaces
  // between; "*": anything.
  [[nodiscard]] virtual std::string_view call_arguments() const { return ""; }
  // May time be folded into the batch by TimeDistributed? (Not with code that sees the batch as a
  // whole.)
  [[nodiscard]] virtual bool folds_time(bool masked, const Frame& /*frame*/) const {
    return !masked || !takes_mask();
  }
  // For an input of this shape, whose axis 1 is time.
  [[nodiscard]] virtual Streaming streaming(const Shape& /*input*/) const { return streaming_; }
  // Layers held inside, in the order of Keras's tracking.
  [[nodiscard]] virtual std::vector<LayerPtr> sublayers() const { return {}; }
  // The regularizer of its results as it is configured, or null.
  [[nodiscard]] virtual Value activity_regularizer() const;
  virtual void reset_state();
  [[nodiscard]] virtual bool stateful() const { return false; }
  [[nodiscard]] virtual std::string kind() const { return "layer"; }

  virtual RnnCell* as_cell() { return nullptr; }
  virtual Recurrent* as_recurrent() { return nullptr; }
  virtual Model* as_model() { return nullptr; }

  [[nodiscard]] std::string class_name() const override { return class_name_; }
  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] bool is_layer() const override { return true; }
  void set_name(std::string name) { name_ = std::move(name); }
  void set_class_name(std::string name) { class_name_ = std::move(name); }
  // Package>Name of a JavaScript class, and the module Keras would import it from.
  [[nodiscard]] virtual Value registered_name() const { return nullptr; }
  [[nodiscard]] virtual Value module() const { return "keras.layers"; }
  [[nodiscard]] int id() const { return id_; }
  [[nodiscard]] bool built() const { return built_; }
  // The shape of its input, batch first, where the configuration tells it; else null. A Sequential
  // that begins with the layer makes an InputLayer of it.
  [[nodiscard]] const Value& first_shape() const { return first_shape_; }
  [[nodiscard]] bool trainable() const { return trainable_; }
  void set_trainable(bool trainable) { trainable_ = trainable; }
  // For a layer without a name in its configuration: lstm, lstm_1, …
  void ensure_name();
  [[nodiscard]] virtual std::string default_name() const;

  // Says that this layer holds the other; ConfigError when layers would be nested too deeply.
  void adopt(const Layer& inner);
  [[nodiscard]] int height() const { return height_; }
  // What fails, or is asked for by the code that builds, leaves the layer as it was.
  void build_once(const std::vector<Shape>& inputs);
  virtual void read_config(const Dict& config);
  [[nodiscard]] virtual Dict get_config();

  VariablePtr add_weight(std::string name, const Shape& shape, const Initializer& initializer,
                         bool trainable = true, DType dtype = DType::kFloat32);
  [[nodiscard]] const std::vector<VariablePtr>& own_weights() const { return weights_; }
  struct Weight {
    std::string path;
    VariablePtr variable;
    bool trainable;
  };
  // Own weights, then those of the layers inside.
  [[nodiscard]] virtual std::vector<Weight> weights() const;
  void set_weights(const Tensors& values);
  // Frees the layer's own weights, and what it made of them; reading one is a StateError until it
  // is set again.
  virtual void give_back_weights();
  // What happens, as configured, when a mask reaches a layer that does not support masking.
  void say_dropped(const Frame& frame) const;

 protected:
  bool supports_masking_ = false;
  Streaming streaming_ = Streaming::kUnsaid;
  bool built_ = false;
  Dict inert_;
  // For `build`: from now on an input must have this size there.
  void fix_size(int axis, Dim size) {
    fixed_axis_ = axis;
    fixed_size_ = size;
  }
  // Does a layer of the recurrent family, which supports masking, pass masks on? Not since Keras
  // 3.16.
  [[nodiscard]] bool passes_masks_on() const;

 private:
  void check_arguments(const Args& args) const;
  void check_argument(std::string_view name) const;
  Structure record_call(const Args& given, const Args& delivered, bool filled);
  void attach_masks(const Args& args, const Masks& previous, const Frame& frame, Tensors& outputs);

  std::string name_;
  std::string class_name_;
  Value dtype_ = "float32";
  Value first_shape_;
  bool trainable_ = true;
  std::optional<MaskPropagation> pinned_rule_;
  bool building_ = false;
  int id_;
  int height_ = 1;  // levels of layers, with those that it held when they were made
  std::vector<VariablePtr> weights_;
  int fixed_axis_ = 0;  // none: the batch may have any size
  Dim fixed_size_ = 0;
};

// A layer in a configuration that stands for a living one: {"__layer__": id}.
inline constexpr const char* kLayerHandleKey = "__layer__";
[[nodiscard]] LayerPtr find_layer(int id);
// The layers inside that no layer outside of it has inside.
[[nodiscard]] std::vector<LayerPtr> layers_of_none_but(const Layer& layer);

// --- registry -----------------------------------------------------------------------------------

using LayerFactory = LayerPtr (*)();
struct LayerClass {
  const char* name;
  Doc doc;
  const char* aliases;    // other names that Keras accepts, with spaces between
  const char* arguments;  // names of the tensor arguments of `call`, with spaces between
  LayerFactory make;
  const LayerClass* next = nullptr;
};

// `const RegisterLayer<Lstm> registration{"LSTM", "What it does."};` at the foot of the layer's
// file. A class that implements several layers has a constructor with a parameter that tells them
// apart; `arguments` are passed to it: `RegisterLayer<Merge, MergeKind::kAdd>`.
void register_layer_class(LayerClass& layer);
template <class T, auto... arguments>
class RegisterLayer {
 public:
  explicit RegisterLayer(const char* name, Doc doc, const char* aliases = "",
                         const char* call_arguments = "inputs")
      : class_{name, doc, aliases, call_arguments, make} {
    register_layer_class(class_);
  }

 private:
  static LayerPtr make() { return std::make_shared<T>(arguments...); }
  LayerClass class_;
};
// By name, sorted.
[[nodiscard]] std::vector<const LayerClass*> all_layer_classes();
// By name or alias; null when there is none.
[[nodiscard]] const LayerClass* find_layer_class(std::string_view name);

[[nodiscard]] LayerPtr make_layer(std::string_view class_name, const Dict& config);
// {module, class_name, config, registered_name}: what the factory has, then native classes.
[[nodiscard]] LayerPtr deserialize_layer(const Value& serialized);
[[nodiscard]] Value serialize_layer(Layer& layer);
// Asked first; null for a class that is native, or that it does not know. Set by bindings.
using CustomLayerFactory = std::function<LayerPtr(const Value& serialized)>;
void set_custom_layer_factory(CustomLayerFactory factory);

}  // namespace maskflow
