// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>

#include "layer/layer.hpp"

namespace maskflow {
namespace {

class Reshape final : public Layer {
 public:
  void describe(Fields& fields) override {
    Layer::describe(fields);
    fields.field("target_shape", target_shape_,
                 "Shape of the result without the batch; one size may be -1 or null, which is then "
                 "computed.",
                 FieldKind::kRequiredList);
  }
  void check_config() const override {
    for (const std::optional<int> dim : target_shape_) {
      if (dim.value_or(-1) < -1)
        config_error("'target_shape' has the size ", *dim, "; use at least 0, or -1");
    }
    const auto unknown = std::ranges::count_if(target_shape_, is_unknown);
    if (unknown > 1) {
      config_error("'target_shape' has ", unknown, " sizes of -1 or null; it can have 1");
    }
  }
  [[nodiscard]] int min_rank() const override { return 1; }

  Structure call(const Args& args, Frame& /*frame*/) override {
    return {args.inputs.front().reshaped(output_shape(args.inputs.front().shape()))};
  }
  OutputSpecs output_specs(const Args& args) override {
    const Tensor& x = args.inputs.front();
    Shape shape = output_shape(x.shape());
    // As in Keras, only the call computes a size of null.
    for (int axis = 1; axis < shape.rank(); ++axis) {
      if (!target_shape_[static_cast<std::size_t>(axis - 1)]) shape.set(axis, kUnknown);
    }
    return {{shape, x.dtype()}};
  }

 private:
  static bool is_unknown(std::optional<int> dim) { return dim.value_or(-1) == -1; }

  [[nodiscard]] Shape output_shape(const Shape& input) const {
    const Shape sample = input.from(1);
    Shape target;
    int unknown = -1;
    for (const std::optional<int> dim : target_shape_) {
      if (is_unknown(dim)) unknown = target.rank();
      target.push_back(dim.value_or(-1));
    }
    if (sample.known()) {
      const Dim size = sample.size();
      Shape known = target;
      if (unknown >= 0) known.set(unknown, 1);
      const Dim part = known.size();
      if (unknown >= 0 && part > 0) known.set(unknown, size / part);
      if (known.size() != size) {
        shape_error("cannot reshape ", sample, " with ", size, " elements for each sample to ",
                    target, " with ", unknown >= 0 ? "a multiple of " : "", part);
      }
      target = known;
    }
    target.insert(0, input[0]);
    return target;
  }

  std::vector<std::optional<int>> target_shape_;
};

const RegisterLayer<Reshape> registration{
    "Reshape",
    "Changes the shape of each sample: [batch, ...] becomes [batch, target_shape...], with the "
    "elements in the same order. Drops the mask with a warning.",
    {.composed = true, .built_at_init = true, .in_tfjs = true}};

}  // namespace
}  // namespace maskflow
