// SPDX-License-Identifier: MIT
#include "training/configurable.hpp"

#include <algorithm>
#include <utility>

namespace maskflow {
namespace {

const ConfigurableClass*& last_class() {
  static const ConfigurableClass* last = nullptr;
  return last;
}

struct KindText {
  const char* word;
  const char* module;
};
const KindText& text_of(ConfigurableKind kind) {
  static constexpr KindText kTexts[] = {{"optimizer", "keras.optimizers"},
                                        {"schedule", "keras.optimizers.schedules"},
                                        {"constraint", "keras.constraints"}};
  return kTexts[static_cast<std::size_t>(kind)];
}

// "AdamW", "adamw" and "adam_w" are one name.
std::string plain_name(std::string_view name) {
  std::string plain = lower_case(name);
  std::erase(plain, '_');
  return plain;
}

[[noreturn]] void unknown_class(ConfigurableKind kind, std::string_view name) {
  std::vector<std::string> known;
  std::string list;
  for (const ConfigurableClass* one : all_configurables(kind)) {
    known.emplace_back(one->name);
    list += text(list.empty() ? "" : ", ", one->name);
  }
  config_error("there is no ", text_of(kind).word, " '", name, "'", suggestion(name, known),
               "; there are ", list);
}

}  // namespace

void register_configurable(ConfigurableClass& one) { one.next = std::exchange(last_class(), &one); }

std::vector<const ConfigurableClass*> all_configurables(ConfigurableKind kind) {
  std::vector<const ConfigurableClass*> sorted;
  for (const ConfigurableClass* one = last_class(); one != nullptr; one = one->next) {
    if (one->kind == kind) sorted.push_back(one);
  }
  std::ranges::sort(sorted, {},
                    [](const ConfigurableClass* one) { return std::string_view(one->name); });
  return sorted;
}

ConfigurablePtr make_configurable(const ConfigurableClass& from) {
  ConfigurablePtr made = from.make();
  made->class_ = &from;
  return made;
}

ConfigurablePtr make_configurable(ConfigurableKind kind, std::string_view name,
                                  const Dict& config) {
  const std::string wanted = plain_name(name);
  for (const ConfigurableClass* one : all_configurables(kind)) {
    if (plain_name(one->name) != wanted) continue;
    ConfigurablePtr made = make_configurable(*one);
    try {
      made->read_config(config);
    } catch (Error& error) {
      error.add_layer(one->name);
      throw;
    }
    return made;
  }
  unknown_class(kind, name);
}

ConfigurablePtr deserialize_configurable(ConfigurableKind kind, const Value& serialized) {
  if (serialized.is_string()) {
    return make_configurable(kind, serialized.as_string("name"), {});
  }
  const Value* name = serialized.find("class_name");
  if (name == nullptr) {
    config_error("a serialized ", text_of(kind).word,
                 " is its name or has the keys class_name and config, but this is ", serialized);
  }
  const Value* config = serialized.find("config");
  static const Dict kNone;
  return make_configurable(
      kind, name->as_string("class_name"),
      config == nullptr || config->is_null() ? kNone : config->as_dict("config"));
}

void Configurable::read_config(const Dict& config) {
  Fields fields = Fields::reading(config);
  describe(fields);
  fields.reject_unknown(class_name());
  check_config();
}

Dict Configurable::get_config() {
  Dict config;
  Fields fields = Fields::writing(config);
  describe(fields);
  return config;
}

std::string_view Configurable::class_name() const { return class_ == nullptr ? "" : class_->name; }

Value Configurable::serialize() {
  Dict result;
  result["module"] = text_of(class_->kind).module;
  result["class_name"] = class_name();
  result["config"] = get_config();
  result["registered_name"] = Value();
  return result;
}

}  // namespace maskflow
