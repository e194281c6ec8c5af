// SPDX-License-Identifier: MIT
#include "training/configurable.hpp"

#include <algorithm>
#include <utility>

namespace maskflow {
namespace {

// Head of the linked list of registered classes.
const ConfigurableClass*& first_class() {
  static const ConfigurableClass* first = nullptr;
  return first;
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

// Converts a name to lower case without underscores, so that "AdamW", "adamw" and "adam_w" are
// equal.
std::string plain_name(std::string_view name) {
  std::string plain = lower_case(name);
  std::erase(plain, '_');
  return plain;
}

[[noreturn]] void unknown_class(ConfigurableKind kind, std::string_view name) {
  std::vector<std::string> known;
  std::string list;
  for (const ConfigurableClass* item : all_configurables(kind)) {
    known.emplace_back(item->name);
    list += text(list.empty() ? "" : ", ", item->name);
  }
  config_error("there is no ", text_of(kind).word, " '", name, "'", suggestion(name, known),
               "; there are ", list);
}

}  // namespace

void register_configurable(ConfigurableClass& item) {
  item.next = std::exchange(first_class(), &item);
}

std::vector<const ConfigurableClass*> all_configurables(ConfigurableKind kind) {
  std::vector<const ConfigurableClass*> sorted;
  const auto name_of = [](const ConfigurableClass* item) { return std::string_view(item->name); };
  for (const ConfigurableClass* item = first_class(); item != nullptr; item = item->next) {
    if (item->kind != kind) continue;
    sorted.insert(std::ranges::upper_bound(sorted, name_of(item), {}, name_of), item);
  }
  return sorted;
}

ConfigurablePtr make_configurable(const ConfigurableClass& from) {
  ConfigurablePtr object = from.make();
  object->class_ = &from;
  return object;
}

ConfigurablePtr make_configurable(ConfigurableKind kind, std::string_view name,
                                  const Dict& config) {
  const std::string plain = plain_name(name);
  for (const ConfigurableClass* item : all_configurables(kind)) {
    if (plain_name(item->name) != plain) continue;
    ConfigurablePtr object = make_configurable(*item);
    try {
      object->read_config(config);
    } catch (Error& error) {
      error.add_layer(item->name);
      throw;
    }
    return object;
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
                 " must be a name or have the keys class_name and config, but is ", serialized);
  }
  const Value* config = serialized.find("config");
  static const Dict kEmpty;
  return make_configurable(
      kind, name->as_string("class_name"),
      config == nullptr || config->is_null() ? kEmpty : config->as_dict("config"));
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
