// SPDX-License-Identifier: MIT
// What JavaScript can call of losses and metrics: a table of its own, because a module may lack them.
#include <emscripten/bind.h>

#include "boundary.hpp"
#include "train/losses.hpp"
#include "train/metrics.hpp"

namespace maskflow::bindings {
namespace {

Batch batch_from(const val& tensors) {
  Tensors given = tensors_from(tensors);
  given.resize(3);  // without weights
  return {given[0], given[1], given[2]};
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
  return guarded(
      [&] { return numbers_to_js(metric_result(name, dict_from(settings), sums_from(sums))); });
}

EMSCRIPTEN_BINDINGS(maskflow_measures) {
  using emscripten::function;
  function("lossCompute", &loss_compute);
  function("metricUpdate", &metric_update_js);
  function("metricResult", &metric_result_js);
}

}  // namespace
}  // namespace maskflow::bindings
