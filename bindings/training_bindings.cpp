// SPDX-License-Identifier: MIT
// Differentiation as JavaScript calls it. Only the module of maskflow/train links this table.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/scoped_value.hpp"
#include "bind.hpp"
#include "ops/tape.hpp"
#include "training/recorder.hpp"

namespace maskflow::bindings {
namespace {

// Calls `run`, which returns the handle of a number, and differentiates that number with respect to
// the variables. A variable that it does not depend on has null for its gradient.
JsList differentiate(const Tensors& variables, const val& run) {
  // Results of `predict` inside `run` are constants: no frame with an observer runs then.
  Tape tape([] { return running_frame() != nullptr && running_frame()->observer != nullptr; });
  for (const Tensor& variable : variables) tape.watch(variable);
  Recorder recorder(tape);
  Frame frame;
  frame.observer = &recorder;
  Tensor value;
  {
    const ScopedValue<Frame*> scope(running_frame(), &frame);
    const val handle = run();
    if (handle.isNull()) callback_error();
    value = tensor_from(handle);
  }
  return list_of(tape.gradients(value, variables), [](const Tensor& gradient) {
    return gradient.empty_handle() ? val::null() : to_js(gradient);
  });
}

// A weight by its owner and its index among the owner's own weights, with its path in Keras. The
// path leaves out functional models, whose layers are built before the model exists.
struct OwnWeight {
  LayerPtr owner;
  std::size_t index;
  std::string path;
};
struct OwnWeights {
  std::map<const Variable*, OwnWeight> by_variable;
  std::set<const Layer*> visited;
};

// Adds the weights of a layer and of its inner layers. The first owner of a weight counts.
void find_owners(const LayerPtr& layer, std::string path, OwnWeights& found) {
  if (!found.visited.insert(layer.get()).second) return;
  layer->ensure_name();
  if (layer->kind() != "functional") path += layer->name() + "/";
  const std::vector<VariablePtr>& own = layer->own_weights();
  for (std::size_t i = 0; i < own.size(); ++i) {
    found.by_variable.try_emplace(own[i].get(), OwnWeight{layer, i, path + own[i]->name()});
  }
  for (const LayerPtr& inner : layer->sublayers()) find_owners(inner, path, found);
}

// The weights of a layer in their order, each with its owner, index and path.
JsList layer_variables(const LayerPtr& layer) {
  OwnWeights found;
  find_owners(layer, "", found);
  JsList variables;
  for (const Layer::Weight& weight : layer->weights()) {
    const auto place = found.by_variable.find(weight.variable.get());
    if (place == found.by_variable.end()) continue;
    const OwnWeight& own = place->second;
    variables.push(
        object_of(Field{"layer", own.owner}, Field{"index", own.index}, Field{"path", own.path}));
  }
  return variables;
}

bool has_nan(const Tensor& tensor) {
  if (tensor.dtype() != DType::kFloat32) return false;
  return std::ranges::any_of(tensor.data<float>(), [](float x) { return std::isnan(x); });
}

// Finds the layer whose result has a NaN first.
class NanWatch final : public Observer {
 public:
  void layer_ends(const LayerCall& call, const Structure& result) override {
    if (name.empty() && std::ranges::any_of(result.tensors, has_nan)) name = call.layer.name();
  }
  std::string name;
};

// Calls the model in training mode and returns the name of the first layer whose result has a NaN;
// empty if there is none.
std::string first_nan(const LayerPtr& layer, const Args& args) {
  NanWatch watch;
  Frame frame;
  frame.training = true;
  frame.observer = &watch;
  static_cast<void>(layer->run(args, frame));
  return watch.name;
}

EMSCRIPTEN_BINDINGS(maskflow_training) {
  bind<&layer_variables>("layerVariables");
  bind<&differentiate>("differentiate");
  bind<&first_nan>("firstNan");
}

}  // namespace
}  // namespace maskflow::bindings
