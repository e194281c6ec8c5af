// SPDX-License-Identifier: MIT
#include "layer/data_format.hpp"

namespace maskflow {

void read_value(const Value& value, Name name, DataFormat& out) {
  const std::string format = value.is_null() ? "channels_last" : value.as_string(name);
  out.channels_first = format == "channels_first";
  if (!out.channels_first && format != "channels_last") {
    config_error("'", name, "' is '", format, "' but must be 'channels_last' or 'channels_first'");
  }
}

Value write_value(const DataFormat& format) {
  return format.channels_first ? "channels_first" : "channels_last";
}

}  // namespace maskflow
