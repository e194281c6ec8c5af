// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "training/configurable.hpp"

namespace maskflow {

// A learning rate that depends on how many steps were made. Computed in float32, as Keras does.
class Schedule : public Configurable {
 public:
  [[nodiscard]] virtual float operator()(float step) const = 0;

 protected:
  // Keras writes the name of a schedule last, or in the middle.
  void describe_name(Fields& fields) { fields.field("name", name_, "Name of the schedule."); }
  explicit Schedule(const char* name) : name_(name) {}

 private:
  std::string name_;
};
using SchedulePtr = std::shared_ptr<Schedule>;

// A number, or a schedule.
struct LearningRate {
  double number = 0;
  SchedulePtr schedule;  // null: the number
};
void read_value(const Value& value, Name name, LearningRate& out);
[[nodiscard]] Value write_value(const LearningRate& rate);
[[nodiscard]] inline std::string type_name(const LearningRate&) { return "LearningRate"; }

template <class T>
struct RegisterSchedule : RegisterConfigurable<T> {
  RegisterSchedule(const char* name, Doc doc)
      : RegisterConfigurable<T>(ConfigurableKind::kSchedule, name, doc) {}
};

}  // namespace maskflow
