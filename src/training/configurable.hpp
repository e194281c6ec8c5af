// SPDX-License-Identifier: MIT
// What optimizers, schedules and constraints have in common: settings that describe themselves, and
// a class name by which a Keras configuration finds them.
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

  // All settings, in the order of Keras's get_config. Overriders call their base's first.
  virtual void describe(Fields& fields) = 0;
  // Cross-checks settings after they were read.
  virtual void check_config() const {}
  virtual void read_config(const Dict& config);
  [[nodiscard]] Dict get_config();
  [[nodiscard]] std::string_view class_name() const;
  // {module, class_name, config, registered_name}
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

// `const RegisterConfigurable<Adam> registration{ConfigurableKind::kOptimizer, "Adam", "What."};`
// at the foot of its file.
void register_configurable(ConfigurableClass& one);
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

// By name, sorted.
[[nodiscard]] std::vector<const ConfigurableClass*> all_configurables(ConfigurableKind kind);
[[nodiscard]] ConfigurablePtr make_configurable(const ConfigurableClass& from);
// By name and settings; a name may be written as "AdamW", "adamw" or "adam_w".
[[nodiscard]] ConfigurablePtr make_configurable(ConfigurableKind kind, std::string_view name,
                                                const Dict& config);
// A name, or {class_name, config, …}: its module is not asked for, since Keras's backends have
// optimizers of their own with the same names and numbers.
[[nodiscard]] ConfigurablePtr deserialize_configurable(ConfigurableKind kind,
                                                       const Value& serialized);

}  // namespace maskflow
