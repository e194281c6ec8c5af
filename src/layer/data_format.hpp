// SPDX-License-Identifier: MIT
#pragma once

#include "layer/describe.hpp"

namespace maskflow {

// Keras's setting `data_format`; null means 'channels_last'.
struct DataFormat {
  bool channels_first = false;
};

void read_value(const Value& value, Name name, DataFormat& out);
[[nodiscard]] Value write_value(const DataFormat& format);
[[nodiscard]] inline std::string type_name(const DataFormat&) {
  return "'channels_last' | 'channels_first' | null";
}

}  // namespace maskflow
