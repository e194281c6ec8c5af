// SPDX-License-Identifier: MIT
// Embedding, and ReversibleEmbedding, which also maps vectors back to one score per id.
#include <cmath>
#include <cstring>

#include "kernels/copy.hpp"
#include "layers/layer.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

class Embedding : public Layer {
 public:
  void describe(Fields& fields) override {
    Layer::describe(fields);
    fields.field("input_dim", input_dim_, "Number of ids: 0 to input_dim - 1.",
                 FieldKind::kRequired);
    fields.field("output_dim", output_dim_, "Length of the vectors.", FieldKind::kRequired);
    fields.field("embeddings_initializer", embeddings_initializer_,
                 "Start of the table [input_dim, output_dim].");
    fields.field("mask_zero", mask_zero_, "Id 0 is padding: make the mask ids != 0.");
    fields.inert(inert_, {"embeddings_regularizer", "activity_regularizer", "embeddings_constraint",
                          "quantization_config"});
    fields.ignored({"input_length", "lora_rank", "lora_alpha", "sparse"});
  }
  void check_config() const override {
    if (input_dim_ <= 0) config_error("'input_dim' is ", input_dim_, " but must be at least 1");
    if (output_dim_ <= 0) config_error("'output_dim' is ", output_dim_, " but must be at least 1");
  }
  void build(const std::vector<Shape>&) override {
    embeddings_ = add_weight("embeddings", {input_dim_, output_dim_}, embeddings_initializer_);
  }
  [[nodiscard]] bool supports_masking() const override { return mask_zero_; }

  Tensors call(const Args& args) override { return {look_up(args.inputs.front())}; }

  std::vector<TensorSpec> output_specs(const Args& args) override {
    Shape shape = args.inputs.front().shape();
    shape.push_back(output_dim_);
    return {{shape, DType::kFloat32}};
  }
  Masks compute_mask(const Tensors& inputs, const Masks&) override {
    if (!mask_zero_) return {};
    return {make_mask(ops::not_equal(inputs.front(), Tensor::scalar(DType::kInt32, 0)))};
  }

 protected:
  [[nodiscard]] Tensor look_up(const Tensor& ids) const {
    Shape shape = ids.shape();
    shape.push_back(output_dim_);
    Tensor output(DType::kFloat32, shape);
    const auto width = static_cast<std::size_t>(output_dim_);
    const float* table = embeddings_->data();
    float* to = output.mutable_data<float>().data();
    // Float ids are truncated, as Keras casts them.
    const Tensor whole = ids.dtype() == DType::kInt32 ? ids : whole_numbers(ids);
    for (const std::int32_t id : whole.data<std::int32_t>()) {
      kernels::copy(table + row_of(id) * width, to, width);
      to += width;
    }
    return output;
  }

  VariablePtr embeddings_;
  int input_dim_ = 0;
  int output_dim_ = 0;
  Initializer embeddings_initializer_{"uniform"};
  bool mask_zero_ = false;

 private:
  // Negative ids count from the end of the table, as in Keras on a CPU.
  [[nodiscard]] std::size_t row_of(std::int32_t id) const {
    const std::int32_t row = id < 0 ? id + input_dim_ : id;
    if (row < 0 || row >= input_dim_) {
      value_error("id ", id, " is out of range: input_dim is ", input_dim_, ", so ids go from ",
                  -input_dim_, " to ", input_dim_ - 1,
                  "; map unknown words to an id of their own, or enlarge input_dim");
    }
    return static_cast<std::size_t>(row);
  }

  static Tensor whole_numbers(const Tensor& ids) {
    const Tensor floats = ops::cast(ids, DType::kFloat32);
    Tensor result(DType::kInt32, ids.shape());
    std::int32_t* to = result.mutable_data<std::int32_t>().data();
    for (const float id : floats.data<float>()) {
      if (!(std::fabs(id) < 2147483648.0F))
        value_error("id ", static_cast<double>(id), " is no whole number");
      *to++ = static_cast<std::int32_t>(id);
    }
    return result;
  }
};

class ReversibleEmbedding final : public Embedding {
 public:
  void describe(Fields& fields) override {
    Embedding::describe(fields);
    fields.field("tie_weights", tie_weights_, "Use the table itself for the reverse direction.");
    fields.field("logit_soft_cap", logit_soft_cap_,
                 "Bound scores smoothly: cap * tanh(score / cap); null: no bound.");
    fields.inert(inert_, {"reverse_dtype"});
  }
  void build(const std::vector<Shape>& inputs) override {
    Embedding::build(inputs);
    if (!tie_weights_) {
      reverse_ =
          add_weight("reverse_embeddings", {output_dim_, input_dim_}, embeddings_initializer_);
    }
  }
  Tensors call(const Args& args) override {
    const Tensor& x = args.inputs.front();
    if (!reversed(args)) {
      return {look_up(x).with_mask(mask_zero_ ? Embedding::compute_mask(args.inputs, {}).front()
                                              : nullptr)};
    }
    const Tensor table =
        tie_weights_ ? apply_op1("Transpose", {&embeddings_->value(), 1}) : reverse_->value();
    Tensor scores = ops::matmul(ops::cast(x, DType::kFloat32), table);
    if (logit_soft_cap_) {
      for (float& s : scores.mutable_data<float>()) {
        const auto cap = static_cast<float>(*logit_soft_cap_);
        s = cap * std::tanh(s / cap);
      }
    }
    return {scores};
  }
  std::vector<TensorSpec> output_specs(const Args& args) override {
    if (!reversed(args)) return Embedding::output_specs(args);
    Shape shape = args.inputs.front().shape();
    shape.set(-1, input_dim_);
    return {{shape, DType::kFloat32}};
  }
  // The forward call attaches its mask itself; the reverse one has none.
  Masks compute_mask(const Tensors&, const Masks&) override { return {}; }

 private:
  static bool reversed(const Args& args) {
    const Value* reverse = args.options.find("reverse");
    return reverse != nullptr && reverse->as_bool("reverse");
  }
  bool tie_weights_ = true;
  std::optional<double> logit_soft_cap_;
  VariablePtr reverse_;
};

const RegisterLayer<Embedding> registration{"Embedding",
                                            "Looks up a vector for each id: any shape of whole "
                                            "numbers to that shape + (output_dim). With mask_zero "
                                            "it makes the mask ids != 0."};
const RegisterLayer<ReversibleEmbedding> reversible_registration{
    "ReversibleEmbedding",
    "An Embedding that with the call option `reverse` maps vectors to a score for each id."};

}  // namespace
}  // namespace maskflow
