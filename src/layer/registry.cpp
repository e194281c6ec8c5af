// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "base/depth.hpp"
#include "base/error_codes.hpp"
#include "layer/layer.hpp"
#include "ops/constant.hpp"

namespace maskflow {
namespace {

const LayerClass*& last_class() {
  static const LayerClass* last = nullptr;
  return last;
}

CustomLayerFactory& custom_factory() {
  static CustomLayerFactory factory;
  return factory;
}

[[noreturn]] void unknown_class(std::string_view name) {
  std::string known;
  for (const LayerClass* layer : all_layer_classes()) {
    known += text(known.empty() ? "" : ", ", layer->name);
  }
  fail_with(kUnknownLayer, "unknown layer class '", name, "'; known are ", known,
            "; register your own class first with registerLayer", Policy::current().absent_note);
}

}  // namespace

void register_layer_class(LayerClass& layer) { layer.next = std::exchange(last_class(), &layer); }

std::vector<const LayerClass*> all_layer_classes() {
  std::vector<const LayerClass*> sorted;
  for (const LayerClass* layer = last_class(); layer != nullptr; layer = layer->next) {
    std::size_t position = sorted.size();
    while (position > 0 && std::string_view(layer->name) < sorted[position - 1]->name) --position;
    sorted.insert(sorted.begin() + static_cast<std::ptrdiff_t>(position), layer);
  }
  return sorted;
}

const LayerClass* find_layer_class(std::string_view name) {
  for (const LayerClass* layer = last_class(); layer != nullptr; layer = layer->next) {
    if (layer->name == name) return layer;
  }
  for (const LayerClass* layer = last_class(); layer != nullptr; layer = layer->next) {
    const std::vector<std::string> aliases = words(layer->facts.aliases);
    if (std::ranges::find(aliases, name) != aliases.end()) return layer;
  }
  return nullptr;
}

LayerPtr make_layer(std::string_view class_name, const Dict& config) {
  const LayerClass* layer_class = find_layer_class(class_name);
  if (layer_class == nullptr) unknown_class(class_name);
  LayerPtr layer = layer_class->make();
  layer->set_class_name(layer_class->name);
  try {
    layer->read_config(config);
    for (const LayerPtr& inner : layer->sublayers()) layer->adopt(*inner);
    layer->apply_trainable(config);
  } catch (Error& error) {
    const Value* name = config.find("name");
    error.add_layer(name != nullptr && name->is_string() ? std::string_view(name->as_string("name"))
                                                         : layer_class->name);
    throw;
  }
  return layer;
}

void set_custom_layer_factory(CustomLayerFactory factory) { custom_factory() = std::move(factory); }

LayerPtr deserialize_layer(const Value& serialized) {
  const Depth depth(Depth::kLayer);
  if (const Value* handle = serialized.find(kLayerHandleKey)) {
    return find_layer(static_cast<int>(handle->as_integer(kLayerHandleKey)));
  }
  const Value* name = serialized.find("class_name");
  if (name == nullptr) {
    config_error("a serialized layer has the keys class_name and config, but this is ", serialized);
  }
  // A user-defined class takes precedence over a built-in of the same name.
  if (custom_factory()) {
    if (LayerPtr layer = custom_factory()(serialized)) return layer;
  }
  const Value* const config = serialized.find("config");
  Dict settings;
  if (config != nullptr) {
    // An array among the settings (a scale for each feature) becomes a list of its numbers.
    for (const auto& [key, value] : config->as_dict("config").entries()) {
      settings.append(key, plain_constant(value));
    }
  }
  return make_layer(name->as_string("class_name"), settings);
}

Value serialize_layer(Layer& layer) {
  const Depth depth(Depth::kLayer);
  Dict result;
  result["module"] = layer.module();
  result["class_name"] = layer.class_name();
  result["config"] = layer.get_config();
  result["registered_name"] = layer.registered_name();
  return result;
}

Value serialize_with_build(Layer& layer) {
  Dict result = serialize_layer(layer).as_dict("layer");
  if (!layer.built() || layer.built_for().size() != 1) return result;
  List sizes;
  for (const Dim size : layer.built_for().front().dims()) {
    sizes.push_back(size == kUnknown ? Value() : Value(size));
  }
  Dict build;
  build["input_shape"] = std::move(sizes);
  result["build_config"] = std::move(build);
  return result;
}

LayerPtr deserialize_and_build(const Value& serialized) {
  LayerPtr layer = deserialize_layer(serialized);
  constexpr const char* kShape = "input_shape";
  const Value* const build = serialized.find("build_config");
  const Value* const sizes = build == nullptr ? nullptr : build->find(kShape);
  if (sizes == nullptr || !sizes->is_list() || layer->built()) return layer;
  Shape shape;
  for (const Value& size : sizes->as_list(kShape)) {
    if (!size.is_null() && !size.is_number()) return layer;  // There are several inputs.
    const Dim dim = size.is_null() ? kUnknown : size.as_integer(kShape);
    if (!size.is_null() && dim < 0) config_error("'", kShape, "' has the negative dimension ", dim);
    shape.push_back(dim);
  }
  layer->ensure_name();
  layer->build_once({shape});
  return layer;
}

}  // namespace maskflow
