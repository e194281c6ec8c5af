// SPDX-License-Identifier: MIT
// The common base of optimizers, schedules and constraints: settings that describe themselves, and
// a class name by which a Keras configuration names them.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "layer/describe.hpp"

namespace maskflow {

enum class ConfigurableKind : std::uint8_t { kOptimizer, kSchedule, kConstraint };

struct ConfigurableClass;

class Configurable {
 public:
  Configurable() = default;
  virtual ~Configurable() = default;
  Configurable(const Configurable&) = delete;
  Configurable& operator=(const Configurable&) = delete;

  // Names all settings, in the order of Keras's get_config. An override calls its base's first.
  virtual void describe(Fields& fields) = 0;
  // Checks settings after they were read. Throws ConfigError for values that are out of range.
  virtual void check_config() const {}
  virtual void read_config(const Dict& config);
  [[nodiscard]] Dict get_config();
  [[nodiscard]] std::string_view class_name() const;
  // Returns {module, class_name, config, registered_name}.
  [[nodiscard]] virtual Value serialize();

 private:
  friend std::shared_ptr<Configurable> make_configurable(const ConfigurableClass& from);
  const ConfigurableClass* class_ = nullptr;
};
using ConfigurablePtr = std::shared_ptr<Configurable>;

struct ConfigurableClass {
  ConfigurableKind kind;
  const char* name;
  Doc doc;
  ConfigurablePtr (*make)();
  const ConfigurableClass* next = nullptr;
};

// Adds a class to the registry. A file ends with
// `const RegisterOptimizer<Adam> registration{"Adam", "What it computes."};`, or RegisterSchedule,
// or RegisterConstraint.
void register_configurable(ConfigurableClass& item);
template <class T>
class RegisterConfigurable {
 public:
  RegisterConfigurable(ConfigurableKind kind, const char* name, Doc doc)
      : class_{kind, name, doc, [] { return ConfigurablePtr(std::make_shared<T>()); }} {
    register_configurable(class_);
  }

 private:
  ConfigurableClass class_;
};

// Returns all classes of a kind, sorted by name.
[[nodiscard]] std::vector<const ConfigurableClass*> all_configurables(ConfigurableKind kind);
[[nodiscard]] ConfigurablePtr make_configurable(const ConfigurableClass& from);
// Creates an object by class name and settings. "AdamW", "adamw" and "adam_w" are the same name.
[[nodiscard]] ConfigurablePtr make_configurable(ConfigurableKind kind, std::string_view name,
                                                const Dict& config);
// Creates an object from its class name, or from {class_name, config, …}. The module is ignored,
// because Keras's back ends have optimizers of their own with the same names and numbers.
[[nodiscard]] ConfigurablePtr deserialize_configurable(ConfigurableKind kind,
                                                       const Value& serialized);

}  // namespace maskflow
