// SPDX-License-Identifier: MIT
#include "training/schedule.hpp"

#include <cmath>

namespace maskflow {

void read_value(const Value& value, Name name, LearningRate& out) {
  if (value.is_dict()) {
    out.schedule = std::static_pointer_cast<Schedule>(
        deserialize_configurable(ConfigurableKind::kSchedule, value));
    return;
  }
  if (!value.is_number()) {
    config_error("'", name, "' must be a number or a schedule, but is ", value);
  }
  const double number = value.as_number(name);
  if (!std::isfinite(number)) config_error("'", name, "' is ", number, " but must be finite");
  out = {number, nullptr};
}

Value write_value(const LearningRate& rate) {
  return rate.schedule == nullptr ? Value(rate.number) : rate.schedule->serialize();
}

}  // namespace maskflow
