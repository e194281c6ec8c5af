// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
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

// How a layer takes part in a stream (model/stream.hpp), which passes timesteps along axis 1 one by
// one.
enum class Streaming : std::uint8_t {
  kUndeclared,  // Not declared: the stream is refused.
  kNever,       // a step of the result needs later steps: the stream is refused
  kEachStep,    // A step of the result depends on that step only.
  kKeepsState,  // `call` keeps what it needs of earlier steps in the LayerState of its frame
};

[[nodiscard]] inline Streaming each_step_unless(bool over_time) {
  return over_time ? Streaming::kNever : Streaming::kEachStep;
}

// Inputs and output of Layer::write_rows: `count` rows of `width` floats in each input. The output
// overlaps no input.
struct RowCall {
  std::span<const float* const> inputs;
  std::size_t count;
  std::size_t width;
  float* output;
};

// The base of every layer. `run` is Keras's call protocol, written once. A layer overrides `call`
// and, as needed, `build`, `output_specs`, `compute_mask` and `describe`.
class Layer : public Operation, public std::enable_shared_from_this<Layer> {
 public:
  Layer();
  ~Layer() override;
  Layer(const Layer&) = delete;
  Layer& operator=(const Layer&) = delete;

  // Runs the call protocol: checks the arguments, builds on first use, passes masks, calls,
  // attaches the mask of the result, and reports a dropped mask. A call with symbolic arguments is
  // recorded instead of computed.
  Structure run(Args args, Frame& outer) final;
  // Runs a call that is not inside another one.
  Tensors apply(Args args);
  Tensor operator()(const Tensor& input);

  // Computes the layer. args.mask is set if the layer uses masks and there is one.
  virtual Structure call(const Args& args, Frame& frame) = 0;
  // True if each row of the result (along the last axis) depends on the same row of the arguments
  // only, whatever its position. Equal rows are then computed once.
  [[nodiscard]] virtual bool each_row_alone() const { return false; }
  // Computes `call` on rows of floats without masks, as streams do at each step. Returns false if
  // the layer needs `call`. A layer that writes rows treats each row alone, and its result has the
  // shape of its inputs but for the last axis.
  virtual bool write_rows(const RowCall& /*rows*/) { return false; }
  // Returns whether these arguments may be reduced to their distinct rows.
  [[nodiscard]] bool can_reduce(const Args& args) const;
  // Runs `call`, on the distinct rows only if `each_row_alone` allows it.
  Structure compute(const Args& args, Frame& frame);
  virtual void build(const std::vector<Shape>& /*inputs*/) {}
  // Returns the shapes that `build` receives: those of the first argument, unless others matter
  // too.
  [[nodiscard]] virtual std::vector<Shape> build_shapes(const Args& args) const;
  // Returns the specs of the results, also for symbolic arguments; by default the spec of the first
  // input.
  virtual OutputSpecs output_specs(const Args& args);
  // Returns one mask per output; by default the masks of the inputs.
  virtual Masks compute_mask(const Tensors& inputs, const Masks& masks);
  // Names all settings. Overrides call the base first.
  virtual void describe(Fields& fields);
  // Checks the settings after they were read; throws ConfigError.
  virtual void check_config() const {}
  // Throws ConfigError for settings that Keras accepts although they have no effect. Files may
  // contain them, so only layers that a program creates are checked.
  virtual void check_new() const {}

  // True if `call` uses a mask. In Keras such a `call` has a parameter named `mask`.
  [[nodiscard]] virtual bool takes_mask() const { return false; }
  [[nodiscard]] virtual bool supports_masking() const { return supports_masking_; }
  void set_supports_masking(bool supports) { supports_masking_ = supports; }
  // Smallest rank of an input.
  [[nodiscard]] virtual int min_rank() const { return 0; }
  // Exact rank of an input; 0 if `min_rank` decides.
  [[nodiscard]] virtual int rank() const { return 0; }
  // Throws ShapeError unless an input may have this shape.
  void check_shape(const Shape& shape) const;
  // True if the first argument may be a list of tensors.
  [[nodiscard]] virtual bool takes_list() const { return false; }
  // Names of the further arguments of a call, separated by spaces, without `mask` and `training`;
  // "*" allows any.
  [[nodiscard]] virtual std::string_view call_arguments() const { return ""; }
  // True if TimeDistributed may fold time into the batch. Code that treats the batch as a whole
  // forbids it.
  [[nodiscard]] virtual bool folds_time(bool masked, const Frame& /*frame*/) const {
    return !masked || !takes_mask();
  }
  // Returns how the layer streams an input of this shape, whose axis 1 is time.
  [[nodiscard]] virtual Streaming streaming(const Shape& /*input*/) const { return streaming_; }
  // Inner layers, in the order in which Keras tracks them.
  [[nodiscard]] virtual std::vector<LayerPtr> sublayers() const { return {}; }
  // Configuration of the regularizer of the results, or null.
  [[nodiscard]] virtual Value activity_regularizer() const;
  // Returns whether the layer follows Keras 3.16 where it differs from 3.15.
  [[nodiscard]] bool follows_316() const;
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
  // Package>Name of a JavaScript class.
  [[nodiscard]] virtual Value registered_name() const { return nullptr; }
  // Module from which Keras imports the class.
  [[nodiscard]] virtual Value module() const { return "keras.layers"; }
  [[nodiscard]] int id() const { return id_; }
  [[nodiscard]] bool built() const { return built_; }
  // Shape of the input with the batch, if the configuration has one; else null. A Sequential that
  // begins with this layer then adds an InputLayer.
  [[nodiscard]] const Value& first_shape() const { return first_shape_; }
  [[nodiscard]] bool trainable() const { return trainable_; }
  // Returns whether the layer was frozen in the file from which it came.
  [[nodiscard]] bool frozen_in_file() const { return frozen_in_file_; }
  // Freezes the layer and everything inside it, or trains them again, as in Keras.
  void set_trainable(bool trainable);
  // Sets the flag of the layer and of its own weights alone.
  void assign_trainable(bool trainable);
  // Lets `trainable: false` of the settings count for everything inside. Settings that list inner
  // layers with settings of their own, as files do, count as they are if one of them is frozen.
  void apply_trainable(const Dict& config);
  // Returns all layers inside, at any depth, each once.
  [[nodiscard]] std::vector<LayerPtr> layers_inside() const;
  // Names a layer that has no name in its configuration: lstm, lstm_1, …
  void ensure_name();
  [[nodiscard]] virtual std::string default_name() const;

  // Declares `inner` an inner layer; throws ConfigError if layers are nested too deeply.
  void adopt(const Layer& inner);
  [[nodiscard]] int height() const { return height_; }
  // Builds the layer unless it is built. An error leaves it as it was.
  void build_once(const std::vector<Shape>& inputs);
  // Shapes of the inputs for which the layer was built.
  [[nodiscard]] const std::vector<Shape>& built_for() const { return built_for_; }
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
  // Returns the layer's own weights, parameters first, then those of the inner layers. As in Keras,
  // the flags are those of the weights themselves: a frozen layer trains none of them.
  [[nodiscard]] std::vector<Weight> weights() const;
  void set_weights(const Tensors& values);
  // Frees the layer's own weights and everything computed from them. Reading a weight then throws
  // StateError until it is set again.
  virtual void free_weights();

 protected:
  // The weights found so far, and what was visited to find them: each list of pointers is sorted.
  struct WeightList {
    std::vector<Weight> weights;
    std::vector<const Layer*> layers;
    std::vector<const Variable*> variables;
  };
  // Adds the weights of this layer and of those inside it, except those that the list has.
  virtual void list_weights(WeightList& list) const;

  bool supports_masking_ = false;
  Streaming streaming_ = Streaming::kUndeclared;
  bool built_ = false;
  bool trainable_ = true;
  bool frozen_in_file_ = false;
  // Whether the layers that `build` creates are frozen then.
  bool freezes_when_built_ = false;
  Dict inert_;
  // Called by `build`: from now on, inputs must have this size along `axis`.
  void fix_size(int axis, Dim size) {
    fixed_axis_ = axis;
    fixed_size_ = size;
  }
  void read_trainable(const Dict& config);
  // Returns whether a recurrent layer with mask support passes masks through; since Keras 3.16 it
  // does not.
  [[nodiscard]] bool passes_masks_on() const;

 private:
  void check_arguments(const Args& args) const;
  void check_argument(std::string_view name) const;
  Structure record_call(const Args& args, const Args& delivered, bool filled);
  void attach_masks(const Args& args, const Masks& previous, const Frame& frame, Tensors& outputs);
  // Returns whether the mask of a call of this layer, which does not support masks, has no effect
  // on its outputs nor on what follows.
  [[nodiscard]] bool loses_mask(const Args& args, const Frame& frame, const Tensors& outputs) const;
  // Warns once, or throws, as configured, because the layer has dropped a mask.
  void report_dropped_mask(const Frame& frame);

  std::string name_;
  std::string class_name_;
  Value dtype_ = "float32";
  Value first_shape_;
  std::optional<MaskPropagation> pinned_rule_;
  bool building_ = false;
  bool has_warned_ = false;  // of a dropped mask
  int id_;
  int height_ = 1;  // Levels of nesting, counting this layer; set when inner layers are adopted.
  std::vector<Shape> built_for_;
  std::vector<VariablePtr> weights_;
  // Axis whose size is fixed; 0 means no axis, because the batch may have any size.
  int fixed_axis_ = 0;
  Dim fixed_size_ = 0;
};

// Key of a reference to an existing layer in a configuration: {"__layer__": id}.
inline constexpr const char* kLayerHandleKey = "__layer__";
[[nodiscard]] LayerPtr find_layer(int id);
// The inner layers, at any depth, that no layer outside of `layer` shares.
[[nodiscard]] std::vector<LayerPtr> unshared_layers(const Layer& layer);

// --- registry -----------------------------------------------------------------------------------

using LayerFactory = LayerPtr (*)();
// Facts about a layer class that the rest of the project uses, and that are thus in one place.
struct LayerFacts {
  const char* aliases = "";          // further names that Keras accepts, separated by spaces
  const char* arguments = "inputs";  // tensor arguments of `call`, separated by spaces
  // `call` consists of ops and calls of layers. Any other layer needs a LayerRule to be trained.
  bool composed = false;
  // Keras builds the layer in its constructor and saves no build_config.
  SchemaFact built_at_init = false;
  // Part of maskflow/recurrent. CMake reads this word in the files of src/layers; every layer of a
  // file must agree.
  SchemaFact in_recurrent_module = false;
  // Part of maskflow/train alone; CMake and every layer of a file likewise.
  SchemaFact only_in_training_module = false;
  // TensorFlow.js has the layer and computes the same numbers.
  SchemaFact in_tfjs = false;
};
struct LayerClass {
  const char* name;
  [[no_unique_address]] Doc doc;
  LayerFacts facts;
  LayerFactory make;
  const LayerClass* next = nullptr;
};

// Registers a layer, at the end of its file:
// `const RegisterLayer<Relu> registration{"ReLU", "max(x, 0).", {.composed = true}};`
// A class that implements several layers has a constructor with a parameter that tells them apart;
// `arguments` are passed to it: `RegisterLayer<Merge, MergeKind::kAdd>`.
void register_layer_class(LayerClass& layer);
template <class T, auto... arguments>
class RegisterLayer {
 public:
  explicit RegisterLayer(const char* name, Doc doc, LayerFacts facts = {})
      : class_{name, doc, facts, make} {
    register_layer_class(class_);
  }

 private:
  static LayerPtr make() { return std::make_shared<T>(arguments...); }
  LayerClass class_;
};
// All classes, sorted by name.
[[nodiscard]] std::vector<const LayerClass*> all_layer_classes();
// Finds a class by name or alias; null if it is unknown.
[[nodiscard]] const LayerClass* find_layer_class(std::string_view name);

[[nodiscard]] LayerPtr make_layer(std::string_view class_name, const Dict& config);
// Creates the layer of {module, class_name, config, registered_name}. The custom factory comes
// first, then the registry.
[[nodiscard]] LayerPtr deserialize_layer(const Value& serialized);
[[nodiscard]] Value serialize_layer(Layer& layer);
// Like Keras, adds the shape for which the layer was built, as `build_config`; and builds a layer
// for it.
[[nodiscard]] Value serialize_with_build(Layer& layer);
[[nodiscard]] LayerPtr deserialize_and_build(const Value& serialized);
// Creates layers of user-defined classes; null for other classes. Set by the bindings.
using CustomLayerFactory = std::function<LayerPtr(const Value& serialized)>;
void set_custom_layer_factory(CustomLayerFactory factory);

}  // namespace maskflow
