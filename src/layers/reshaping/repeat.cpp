// SPDX-License-Identifier: MIT
#include "layer/layer.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

enum class RepeatKind : std::uint8_t { kVector, kSteps };

// RepeatVector turns each vector into a sequence; UpSampling1D repeats each step of a sequence.
class Repeat final : public Layer {
 public:
  explicit Repeat(RepeatKind kind) : kind_(kind) {}
  void describe(Fields& fields) override {
    Layer::describe(fields);
    if (repeats_vector()) {
      fields.field("n", count_, "Number of steps of the result.", FieldKind::kRequired);
    } else {
      fields.field("size", count_, "Number of copies of each step.");
    }
  }
  void check_config() const override { require_positive(repeats_vector() ? "n" : "size", count_); }

  [[nodiscard]] int rank() const override { return repeats_vector() ? 2 : 3; }

  Structure call(const Args& args, Frame& /*frame*/) override {
    Tensor x = args.inputs.front();
    if (repeats_vector()) x = x.reshaped({x.shape()[0], 1, x.shape()[1]});
    return {ops::repeat(x, count_, 1)};
  }
  OutputSpecs output_specs(const Args& args) override {
    TensorSpec spec = args.inputs.front().spec();
    if (repeats_vector()) {
      spec.shape.insert(1, count_);
    } else if (spec.shape[1] != kUnknown) {
      spec.shape.set(1, spec.shape[1] * count_);
    }
    return {spec};
  }

 private:
  [[nodiscard]] bool repeats_vector() const { return kind_ == RepeatKind::kVector; }

  RepeatKind kind_;
  int count_ = 2;
};

const RegisterLayer<Repeat, RepeatKind::kVector> repeat_vector{
    "RepeatVector",
    "Repeats each vector: [batch, features] becomes [batch, n, features]. Drops the mask with a "
    "warning.",
    {.composed = true, .in_tfjs = true}};
const RegisterLayer<Repeat, RepeatKind::kSteps> up_sampling{
    "UpSampling1D",
    "Repeats each step: [batch, time, features] becomes [batch, time * size, features]. Drops the "
    "mask with a warning.",
    {.composed = true}};

}  // namespace
}  // namespace maskflow
