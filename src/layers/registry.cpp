// SPDX-License-Identifier: MIT
#include <map>

#include "layers/layer.hpp"

namespace maskflow {
namespace {

std::map<std::string_view, LayerClass>& classes() {
  static std::map<std::string_view, LayerClass> map;
  return map;
}

const LayerClass* find_class(std::string_view name) {
  const auto found = classes().find(name);
  if (found != classes().end()) return &found->second;
  for (const auto& [key, layer] : classes()) {
    for (const std::string_view alias : layer.aliases) {
      if (alias == name) return &layer;
    }
  }
  return nullptr;
}

CustomLayerFactory& custom_factory() {
  static CustomLayerFactory factory;
  return factory;
}

[[noreturn]] void unknown_class(std::string_view name) {
  std::string known;
  for (const auto& [key, layer] : classes())
    known += (known.empty() ? "" : ", ") + std::string(key);
  config_error("unknown layer class '", name, "'; known are ", known,
               "; a class of your own must be registered first with registerLayer");
}

}  // namespace

RegisterLayerClass::RegisterLayerClass(LayerClass layer) {
  const std::string_view name = layer.name;
  classes().emplace(name, std::move(layer));
}

std::vector<const LayerClass*> all_layer_classes() {
  std::vector<const LayerClass*> result;
  for (const auto& [name, layer] : classes()) result.push_back(&layer);
  return result;
}

LayerPtr make_layer(std::string_view class_name, const Dict& config) {
  const LayerClass* found = find_class(class_name);
  if (found == nullptr) unknown_class(class_name);
  LayerPtr layer = found->make();
  layer->set_class_name(std::string(found->name));
  try {
    layer->read_config(config);
  } catch (Error& error) {
    const Value* name = config.find("name");
    error.add_layer(name != nullptr && name->is_string() ? name->as_string("name")
                                                         : std::string(found->name));
    throw;
  }
  return layer;
}

void set_custom_layer_factory(CustomLayerFactory factory) { custom_factory() = std::move(factory); }

LayerPtr deserialize_layer(const Value& serialized) {
  if (const Value* handle = serialized.find(kLayerHandleKey)) {
    return find_layer(static_cast<int>(handle->as_integer(kLayerHandleKey)));
  }
  const Value* name = serialized.find("class_name");
  if (name == nullptr) {
    config_error("a serialized layer has the keys class_name and config, but this is ", serialized);
  }
  const std::string& class_name = name->as_string("class_name");
  const Value* config = serialized.find("config");
  const Value* registered = serialized.find("registered_name");
  // A registered class of the user wins over a native one of the same name, as in Keras.
  const bool custom = registered != nullptr && registered->is_string() &&
                      registered->as_string("").find('>') != std::string::npos;
  if (custom || find_class(class_name) == nullptr) {
    LayerPtr layer = custom_factory()
                         ? custom_factory()(class_name, registered ? *registered : Value(),
                                            config ? *config : Value(Dict()))
                         : nullptr;
    if (layer) return layer;
    if (custom) unknown_class(registered->as_string("registered_name"));
  }
  return make_layer(class_name, config == nullptr ? Dict() : config->as_dict("config"));
}

Value serialize_layer(Layer& layer) {
  Dict result;
  result["module"] = layer.module();
  result["class_name"] = layer.class_name();
  result["config"] = layer.get_config();
  result["registered_name"] = layer.registered_name();
  return result;
}

}  // namespace maskflow
