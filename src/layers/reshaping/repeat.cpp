// SPDX-License-Identifier: MIT
#include "layer/layer.hpp"
#include "ops/op.hpp"

namespace maskflow {
namespace {

// RepeatVector makes a sequence of each vector, UpSampling1D a longer one of each sequence; the
// class name says which one this is.
class Repeat final : public Layer {
 public:
  void describe(Fields& fields) override {
    Layer::describe(fields);
    if (of_vectors()) {
      fields.field("n", count_, "Steps of the result.", FieldKind::kRequired);
    } else {
      fields.field("size", count_, "How often each step is repeated.");
    }
  }
  void check_config() const override { require_positive(of_vectors() ? "n" : "size", count_); }

  [[nodiscard]] int rank() const override { return of_vectors() ? 2 : 3; }

  Structure call(const Args& args, Frame& /*frame*/) override {
    Tensor x = args.inputs.front();
    if (of_vectors()) x = x.reshaped({x.shape()[0], 1, x.shape()[1]});
    Dict attributes;
    attributes["repeats"] = count_;
    attributes["axis"] = 1;
    return {apply_op1("Repeat", {&x, 1}, attributes)};
  }
  OutputSpecs output_specs(const Args& args) override {
    TensorSpec spec = args.inputs.front().spec();
    if (of_vectors()) {
      spec.shape.insert(1, count_);
    } else if (spec.shape[1] != kUnknown) {
      spec.shape.set(1, spec.shape[1] * count_);
    }
    return {spec};
  }

 private:
  [[nodiscard]] bool of_vectors() const { return class_name() == "RepeatVector"; }
  int count_ = 2;
};

const RegisterLayer<Repeat> repeat_vector{
    "RepeatVector", "[batch, features] to [batch, n, features]. Drops the mask with a warning."};
const RegisterLayer<Repeat> up_sampling{
    "UpSampling1D",
    "Repeats each step: [batch, time, features] to [batch, time * size, features]. Drops the mask "
    "with a warning."};

}  // namespace
}  // namespace maskflow
