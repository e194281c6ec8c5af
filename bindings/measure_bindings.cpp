// SPDX-License-Identifier: MIT
// What JavaScript can call of losses and metrics: a table of its own, because a module may lack
// them.
#include <emscripten/bind.h>

#include "held_layers.hpp"
#include "measures/losses.hpp"
#include "measures/metrics.hpp"

namespace maskflow::bindings {
namespace {

// Targets, predictions, weights, mask; null for what is not there.
Batch batch_from(const val& tensors) {
  const auto at = [&](int i) {
    const val handle = tensors[i];
    return is_missing(handle) ? Tensor() : tensor_from(handle);
  };
  return {at(0), at(1), at(2), at(3)};
}
Sums sums_from(const val& numbers) {
  Sums sums;
  const Value list = value_from(numbers);
  for (const Value& x : list.as_list("sums")) sums.push_back(x.as_number("sums"));
  return sums;
}
val numbers_to_js(const Sums& sums) { return to_js(Value(List(sums.begin(), sums.end()))); }
val loss_compute(const std::string& name, const val& tensors, const val& settings,
                 const std::string& reduction) {
  return guarded(
      [&] { return to_js(loss(name, batch_from(tensors), dict_from(settings), reduction)); });
}
val metric_update_js(const std::string& name, const val& tensors, const val& settings,
                     const val& sums) {
  return guarded([&] {
    return numbers_to_js(
        metric_update(name, batch_from(tensors), dict_from(settings), sums_from(sums)));
  });
}
val metric_result_js(const std::string& name, const val& settings, const val& sums) {
  return guarded([&] { return to_js(metric_result(name, dict_from(settings), sums_from(sums))); });
}

// What each layer with an activity regularizer gave, and the regularizer as it is configured.
// `around`: who else watches, or null; it computes the layers.
class Activities final : public Observer {
 public:
  explicit Activities(Observer* around) : around_(around) {}
  Structure call(Layer& layer, const Args& args, Frame& frame) override {
    return around_ == nullptr ? Observer::call(layer, args, frame)
                              : around_->call(layer, args, frame);
  }
  void layer_ends(const LayerCall& call, const Structure& result) override {
    Value regularizer = call.layer.activity_regularizer();
    if (!regularizer.is_null()) found_.emplace_back(std::move(regularizer), result.tensors);
  }
  [[nodiscard]] val list() const {
    JsList list;
    for (const auto& [regularizer, outputs] : found_) {
      JsObject entry;
      entry.set("regularizer", to_js(regularizer));
      entry.set("outputs", to_js(outputs));
      list.push(entry);
    }
    return list;
  }

 private:
  Observer* around_;
  std::vector<std::pair<Value, Tensors>>
      found_;  // JavaScript gets them when nothing can fail any more
};

val call_with_activities(const LayerPtr& layer, const val& args) {
  const Args given = args_from(args);
  // What is trained may be differentiated; other calls are no part of what is around them.
  const Frame* const around = given.training.value_or(false) ? running_frame() : nullptr;
  Activities activities(around == nullptr ? nullptr : around->observer);
  Frame frame;
  frame.observer = &activities;
  const Structure result = layer->run(given, frame);
  JsObject object;
  object.set("result", to_js(result));
  object.set("activities", activities.list());
  return object;
}

val model_activities(LayerHandle handle, const val& args) {
  return with_layer(handle,
                    [&](const LayerPtr& layer) { return call_with_activities(layer, args); });
}

EMSCRIPTEN_BINDINGS(maskflow_measures) {
  using emscripten::function;
  function("modelActivities", &model_activities);
  function("lossCompute", &loss_compute);
  function("metricUpdate", &metric_update_js);
  function("metricResult", &metric_result_js);
}

}  // namespace
}  // namespace maskflow::bindings
