// SPDX-License-Identifier: MIT
// Prints the names of the layers and ops that it is linked with: those of the module of recurrent
// layers.
#include <cstdio>

#include "layer/layer.hpp"
#include "ops/op.hpp"

int main() {
  using namespace maskflow;
  std::puts("{\"layers\": [");
  const char* separator = "";
  for (const LayerClass* layer : all_layer_classes()) {
    std::printf("%s\"%s\"", std::exchange(separator, ", "), layer->name);
  }
  std::puts("],\n\"ops\": [");
  separator = "";
  for (const OpDef* op : all_ops()) {
    std::printf("%s\"%s\"", std::exchange(separator, ", "), std::string(op->name).c_str());
  }
  std::puts("]}");
}
