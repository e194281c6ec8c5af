// SPDX-License-Identifier: MIT
// Losses, metrics and activity regularizers as JavaScript calls them. The module of recurrent
// layers does not link this table.
#include "bind.hpp"
#include "layer/activity_regularizers.hpp"
#include "measures/losses.hpp"
#include "measures/metrics.hpp"

namespace maskflow::bindings {
namespace {

// Creates a batch from [targets, predictions, weights, mask], each of which is a tensor or null.
Batch batch_from(const val& tensors) {
  const auto at = [&](int i) {
    const val handle = tensors[i];
    return is_missing(handle) ? Tensor() : tensor_from(handle);
  };
  return {at(0), at(1), at(2), at(3)};
}

Sums sums_from(const Value& numbers) {
  Sums sums;
  for (const Value& x : numbers.as_list("sums")) sums.push_back(x.as_number("sums"));
  return sums;
}

Tensor loss_compute(const std::string& name, const val& tensors, const Dict& settings,
                    const std::string& reduction) {
  return loss(name, batch_from(tensors), settings, reduction);
}

Value updated_sums(const std::string& name, const val& tensors, const Dict& settings,
                   const Value& sums) {
  const Sums updated = metric_update(name, batch_from(tensors), settings, sums_from(sums));
  return List(updated.begin(), updated.end());
}

Value result_of_sums(const std::string& name, const Dict& settings, const Value& sums) {
  return metric_result(name, settings, sums_from(sums));
}

// Collects the outputs of each layer with an activity regularizer. `outer` is the observer of the
// call around this one, or null; it computes the layers.
class Activities final : public Observer {
 public:
  explicit Activities(Observer* outer) : outer_(outer) {}
  Structure call(Layer& layer, const Args& args, Frame& frame) override {
    return outer_ == nullptr ? Observer::call(layer, args, frame)
                             : outer_->call(layer, args, frame);
  }
  void layer_ends(const LayerCall& call, const Structure& result) override {
    Value regularizer = call.layer.activity_regularizer();
    if (!regularizer.is_null()) activities_.push_back({std::move(regularizer), result.tensors});
  }
  [[nodiscard]] JsList to_list() const {
    return list_of(activities_, [](const Activity& activity) {
      return object_of(Field{"regularizer", activity.regularizer},
                       Field{"outputs", activity.outputs});
    });
  }

 private:
  struct Activity {
    Value regularizer;  // its configuration
    Tensors outputs;
  };
  Observer* outer_;
  // Converted for JavaScript after the call, because a failing call would leak converted values.
  std::vector<Activity> activities_;
};

// `inside`: whether the call is part of the one that is running, which may be differentiated.
JsObject layer_activities(const LayerPtr& layer, const Args& args, bool inside) {
  const Frame* const outer = inside ? running_frame() : nullptr;
  Activities activities(outer == nullptr ? nullptr : outer->observer);
  Frame frame;
  frame.observer = &activities;
  const Structure result = layer->run(args, frame);
  return object_of(Field{"result", result}, Field{"activities", activities.to_list()});
}

bool any_activity_regularizer() { return has_activity_regularizers; }

EMSCRIPTEN_BINDINGS(maskflow_measures) {
  bind<&layer_activities>("layerActivities");
  bind<&any_activity_regularizer>("hasActivityRegularizers");
  bind<&loss_compute>("lossCompute");
  bind<&updated_sums>("metricUpdate");
  bind<&result_of_sums>("metricResult");
}

}  // namespace
}  // namespace maskflow::bindings
