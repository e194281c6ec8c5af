// SPDX-License-Identifier: MIT
#include "layer/describe.hpp"

#include <algorithm>
#include <cmath>

#include "base/choice.hpp"
#include "layer/layer.hpp"

namespace maskflow {

void read_value(const Value& value, Name name, bool& out) { out = value.as_bool(name); }

void read_value(const Value& value, Name name, int& out) {
  const std::int64_t n = value.as_integer(name);
  if (n > INT32_MAX || n < INT32_MIN) {
    config_error("'", name, "' is ", n, "; the largest integer is ", INT32_MAX);
  }
  out = static_cast<int>(n);
}

void read_value(const Value& value, Name name, double& out) { out = value.as_number(name); }

void read_value(const Value& value, Name name, std::string& out) { out = value.as_string(name); }

void read_value(const Value& value, Name name, Activation& out) {
  if (value.is_bool() || value.is_number() || value.is_list()) {
    config_error("'", name, "' must be the name of an activation, but is ", value);
  }
  out = Activation::from_config(value);
}

void read_value(const Value& value, Name, Initializer& out) {
  out = Initializer::from_config(value);
}

void read_value(const Value& value, Name name, LayerPtr& out) {
  if (value.find("class_name") == nullptr && value.find(kLayerHandleKey) == nullptr) {
    config_error("'", name, "' must be a layer or {class_name, config}, but is ", value);
  }
  out = deserialize_and_build(value);
}

void read_value(const Value& value, Name, Value& out) { out = value; }

Value write_value(const Activation& activation) { return activation.config(); }
Value write_value(const Initializer& initializer) { return initializer.config(); }
Value write_value(const LayerPtr& layer) { return layer ? serialize_with_build(*layer) : Value(); }

void Fields::add_inert_to_schema(std::string_view name) {
  const std::size_t end = name.rfind('_');
  const bool constrains = name.ends_with("_constraint");
  if (!constrains && !name.ends_with("_regularizer")) return;
  const std::string_view target = name.substr(0, end);
  Dict entry;
  entry["name"] = name;
  entry["type"] = constrains ? "ConstraintLike" : "RegularizerLike";
  entry["required"] = false;
  entry["default"] = Value();
  entry["doc"] =
      constrains ? text("Condition that training keeps the weight `", target, "` in.")
      : target == "activity"
          ? std::string("Penalty of the outputs, which training adds to the loss.")
          : text("Penalty of the weight `", target, "`, which training adds to the loss.");
  schema_->push_back(std::move(entry));
}

void Fields::inert(Dict& settings, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (kKeepsDocs && schema_ != nullptr) add_inert_to_schema(name);
    if (in_ != nullptr) {
      const Value* value = take(name);
      settings[name] = value == nullptr ? Value() : *value;
    }
    if (out_ != nullptr) {
      const Value* value = settings.find(name);
      (*out_)[name] = value == nullptr ? Value() : *value;
    }
  }
}

void Fields::ignored(std::initializer_list<const char*> names) {
  for (const char* name : names) known_.emplace_back(name);
}

void Fields::reject_unknown(std::string_view class_name) const {
  for (const auto& [key, value] : in_->entries()) {
    if (std::ranges::find(known_, key) != known_.end()) continue;
    config_error(class_name, " has no setting '", key, "'", suggestion(key, known_), "; it has ",
                 quoted(known_));
  }
}

bool Fields::has(Name name) const {
  if (in_ == nullptr) return false;
  const Value* value = in_->find(name);
  return value != nullptr && !value->is_null();
}

namespace {

[[noreturn]] void refuse_missing(Name name, const Dict& config) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : config.entries()) keys.push_back(key);
  const std::string similar = nearest(name, keys);
  if (similar.empty()) config_error("'", name, "' must be given");
  config_error("'", name, "' must be given; there is '", similar, "' instead");
}

}  // namespace

const Value* Fields::take(Name name) {
  known_.emplace_back(name);
  return in_->find(name);
}

void Fields::visit(Name name, void* value, const FieldType& type, Doc doc, FieldKind kind) {
  const bool required = kind == FieldKind::kRequired || kind == FieldKind::kRequiredList;
  if (in_ != nullptr) {
    if (const Value* setting = take(name)) {
      if (kind >= FieldKind::kOptionalList && !setting->is_null()) {
        static_cast<void>(setting->as_list(name));
      }
      type.read(*setting, name, value);
    } else if (required) {
      refuse_missing(name, *in_);
    }
  }
  if (out_ != nullptr) (*out_)[name] = type.write(value);
  if (!kKeepsDocs || schema_ == nullptr) return;
  Dict entry;
  entry["name"] = name.view();
  entry["type"] = type.name(value);
  entry["required"] = required;
  entry["default"] = type.write(value);
  entry["doc"] = doc.text();
  schema_->push_back(std::move(entry));
}

void Fields::choose(Name name, void* value, const FieldType& type, std::string_view allowed,
                    Doc doc) {
  visit(name, value, type, doc, FieldKind::kOptional);
  const Value choice = type.write(value);
  if (in_ != nullptr && !choice.is_null()) choice_index(name, choice, allowed);
  if (!kKeepsDocs || schema_ == nullptr) return;
  set_schema_type(quoted(words(allowed), " | ") +
                  (type.name(value).ends_with("null") ? " | null" : ""));
}

void Fields::set_schema_type(std::string type) {
  Dict entry = schema_->back().as_dict("schema");
  entry["type"] = std::move(type);
  schema_->back() = std::move(entry);
}

void Fields::padding(std::string& value, std::string_view words, Doc doc) {
  const Value* padding = in_ == nullptr ? nullptr : in_->find("padding");
  if (padding == nullptr || !padding->is_string()) return choice("padding", value, words, doc);
  Dict lower;
  lower["padding"] = lower_case(padding->as_string("padding"));
  Fields(&lower, nullptr, nullptr).choice("padding", value, words, doc);
  known_.emplace_back("padding");
}

void require_positive(Name name, double value) {
  if (!(value > 0) || std::isinf(value)) {
    config_error("'", name, "' is ", value, " but must be a positive number");
  }
}

}  // namespace maskflow
