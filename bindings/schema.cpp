// SPDX-License-Identifier: MIT
// Prints the schema of the core as JSON: layers, ops, losses, metrics, optimizers, schedules and
// constraints with their settings. scripts/generate.mjs generates TypeScript from it.
#include <cmath>
#include <cstdio>

#include "layer/layer.hpp"
#include "measures/infix.hpp"
#include "measures/losses.hpp"
#include "measures/metrics.hpp"
#include "ops/op.hpp"
#include "training/configurable.hpp"

namespace {

using namespace maskflow;

void quote(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  out += '"';
}

void write(std::string& out, const Value& value) {
  if (value.is_string()) {
    quote(out, value.as_string(""));
  } else if (value.is_list()) {
    out += '[';
    const char* separator = "";
    for (const Value& item : value.as_list("")) {
      out += separator;
      write(out, item);
      separator = ",\n";
    }
    out += ']';
  } else if (value.is_dict()) {
    out += '{';
    const char* separator = "";
    for (const auto& [key, item] : value.as_dict("").entries()) {
      out += separator;
      quote(out, key);
      out += ':';
      write(out, item);
      separator = ",";
    }
    out += '}';
  } else if (value.is_number() && !std::isfinite(value.as_number(""))) {
    out += "null";
  } else if (value.is_number()) {
    char buffer[40];
    std::snprintf(buffer, sizeof buffer, "%.9g", value.as_number(""));
    out += buffer;
  } else {
    append_text(out, value);
  }
}

List word_list(std::string_view text) {
  const std::vector<std::string> list = words(text);
  return List(list.begin(), list.end());
}

Value layer_schema(const LayerClass& layer) {
  const LayerPtr sample = layer.make();
  sample->set_class_name(layer.name);
  List fields;
  Fields visitor = Fields::schema(fields);
  sample->describe(visitor);
  Dict entry;
  entry["class_name"] = layer.name;
  entry["doc"] = layer.doc.text();
  entry["aliases"] = word_list(layer.facts.aliases);
  entry["arguments"] = word_list(layer.facts.arguments);
  entry["takes_mask"] = sample->takes_mask();
  entry["built_at_init"] = layer.facts.built_at_init;
  entry["in_recurrent_module"] = layer.facts.in_recurrent_module;
  entry["only_in_training_module"] = layer.facts.only_in_training_module;
  entry["in_tfjs"] = layer.facts.in_tfjs;
  entry["fields"] = fields;
  return entry;
}

List configurables_schema(ConfigurableKind kind) {
  List list;
  for (const ConfigurableClass* item : all_configurables(kind)) {
    List fields;
    Fields visitor = Fields::schema(fields);
    make_configurable(*item)->describe(visitor);
    Dict entry;
    entry["class_name"] = item->name;
    entry["doc"] = item->doc.text();
    entry["fields"] = fields;
    list.push_back(entry);
  }
  return list;
}

Dict op_schema(const OpDef& op) {
  List attributes;
  for (const OpAttribute& attribute : op.attributes) {
    Dict entry;
    entry["name"] = attribute.name;
    entry["type"] = attribute.type.text();
    entry["doc"] = attribute.doc.text();
    entry["required"] = attribute.required;
    entry["default"] = attribute.fallback.value();
    attributes.push_back(entry);
  }
  Dict entry;
  entry["name"] = op.name;
  entry["operands"] = op.operands;
  entry["doc"] = op.doc.text();
  entry["results"] = op.returns_list ? "list" : "one";
  entry["entry"] = entry_of(op);
  entry["attributes"] = attributes;
  return entry;
}

List measures_schema(std::span<const Measure> table) {
  List list;
  for (const Measure& measure : table) {
    Dict entry = op_schema(measure.op);
    entry["aliases"] = word_list(measure.aliases);
    // Mean and Sum are updated with values instead of targets and predictions.
    entry["values_only"] = measure.formula == formula<"y_pred">;
    list.push_back(entry);
  }
  return list;
}

}  // namespace

int main() {
  List layers;
  for (const LayerClass* layer : all_layer_classes()) layers.push_back(layer_schema(*layer));
  List ops;
  for (const OpDef* op : all_ops()) ops.push_back(op_schema(*op));
  Dict schema;
  schema["layers"] = layers;
  schema["ops"] = ops;
  schema["losses"] = measures_schema(all_losses());
  schema["metrics"] = measures_schema(all_metrics());
  schema["optimizers"] = configurables_schema(ConfigurableKind::kOptimizer);
  schema["schedules"] = configurables_schema(ConfigurableKind::kSchedule);
  schema["constraints"] = configurables_schema(ConfigurableKind::kConstraint);
  std::string out;
  write(out, schema);
  std::puts(out.c_str());
}
