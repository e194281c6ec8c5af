// SPDX-License-Identifier: MIT
#include "layer/data_format.hpp"
#include "layer/layer.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

class Flatten final : public Layer {
 public:
  void describe(Fields& fields) override {
    Layer::describe(fields);
    fields.field("data_format", data_format_,
                 "'channels_last' or 'channels_first', which moves the channels to the end first.");
  }
  [[nodiscard]] int min_rank() const override { return 1; }
  Structure call(const Args& args, Frame& /*frame*/) override {
    Tensor x = args.inputs.front();
    if (data_format_.channels_first && x.rank() > 2) {
      std::vector<int> axes{0};
      for (int axis = 2; axis < x.rank(); ++axis) axes.push_back(axis);
      axes.push_back(1);
      x = ops::transpose(x, axes);
    }
    return {x.reshaped(flat(x.shape()))};
  }
  OutputSpecs output_specs(const Args& args) override {
    const Tensor& x = args.inputs.front();
    return {{flat(x.shape()), x.dtype()}};
  }

 private:
  static Shape flat(const Shape& shape) {
    if (shape.rank() == 1) return {shape[0], 1};
    const Shape rest = shape.from(1);
    return {shape[0], rest.known() ? rest.size() : kUnknown};
  }
  DataFormat data_format_;
};

const RegisterLayer<Flatten> registration{
    "Flatten",
    "Flattens each sample: [batch, ...] becomes [batch, features]. Drops the mask with a warning.",
    {.composed = true, .in_recurrent_module = true, .in_tfjs = true}};

}  // namespace
}  // namespace maskflow
