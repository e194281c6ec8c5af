// SPDX-License-Identifier: MIT
// The functions behind the table in bindings.cpp, by subject.
#pragma once

#include "boundary.hpp"

namespace maskflow::bindings {

val layer_info(const LayerPtr& layer);
val layer_weights(const LayerPtr& layer);
val layer_apply(const LayerPtr& layer, const val& args);
val layer_sublayers(const LayerPtr& layer);
val layer_compute_output_shape(const LayerPtr& layer, const val& shapes, bool list);
val js_layer_create(const std::string& class_name, const val& config, const val& traits);
val functional_create(const val& inputs, const val& outputs, const val& config);
val sequential_create(const val& config);
val model_symbols(const LayerPtr& model);
val model_trace(const LayerPtr& model, const val& args);
val model_summary(const LayerPtr& model);

}  // namespace maskflow::bindings
