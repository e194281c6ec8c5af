// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "training/configurable.hpp"

namespace maskflow {

// A learning rate that depends on the number of steps so far. It is computed in float32, as in
// Keras.
class Schedule : public Configurable {
 public:
  // Returns the rate of the step with this number, from 0.
  [[nodiscard]] virtual float operator()(float step) const = 0;

 protected:
  // Describes the name. It is called where Keras's get_config has the name: last, or between other
  // settings.
  void describe_name(Fields& fields) { fields.field("name", name_, "Name of the schedule."); }
  explicit Schedule(const char* name) : name_(name) {}

 private:
  std::string name_;
};
using SchedulePtr = std::shared_ptr<Schedule>;

struct LearningRate {
  double number = 0;  // The rate if `schedule` is null.
  SchedulePtr schedule;
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
