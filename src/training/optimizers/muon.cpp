// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "kernels/gemm_gradient.hpp"
#include "training/optimizers/adam.hpp"
#include "training/update.hpp"

namespace maskflow {
namespace {

using kernels::Vec;

// Updates matrices by their momentum, made orthogonal. Adam updates other weights and embeddings.
class Muon final : public Optimizer {
 public:
  Muon() { weight_decay_ = 0.004; }
  void describe(Fields& fields) override {
    Optimizer::describe(fields);
    fields.field("adam_beta_1", adam_.beta_1, "beta1 of Adam.");
    fields.field("adam_beta_2", adam_.beta_2, "beta2 of Adam.");
    fields.field("epsilon", adam_.epsilon, "epsilon of Adam.");
    fields.field("exclude_layers", exclude_layers_,
                 "Adam updates weights whose path matches one of these regular expressions. Their "
                 "syntax is Python's, without lookaround, backreferences and flags.");
    fields.field("muon_a", a_,
                 "Coefficient a of the Newton-Schulz iteration a * x + b * x ** 3 + c * x ** 5.");
    fields.field("muon_b", b_, "Coefficient b of the iteration.");
    fields.field("muon_c", c_, "Coefficient c of the iteration.");
    fields.field("adam_lr_ratio", adam_ratio_,
                 "Adam's learning rate as a multiple of the learning rate of matrices.");
    fields.field("momentum", momentum_, "Share of the previous momentum in the new one.");
    fields.field("ns_steps", steps_, "Number of Newton-Schulz iterations, 0 to 1000.");
    fields.field("nesterov", nesterov_, "Whether to use Nesterov momentum.");
    fields.field("exclude_embeddings", exclude_embeddings_,
                 "Whether Adam updates weights with 'embedding' in their path.");
    fields.field("adam_weight_decay", adam_weight_decay_,
                 "Weight decay of the weights that Adam updates; null: no decay.");
    fields.field("rms_rate", rms_rate_,
                 "Steps of a matrix are multiplied by this number and by the root of the longer "
                 "side; null: by neither.");
  }
  void check_config() const override {
    Optimizer::check_config();
    // Five iterations suffice; the limit keeps a wrong number from running for hours.
    if (steps_ < 0 || steps_ > 1000)
      config_error("'ns_steps' is ", steps_, " but must be 0 to 1000");
  }

 private:
  [[nodiscard]] bool uses_adam(const Trained& trained, PatternSearch search) const {
    return trained.variable->shape().rank() != 2 ||
           (exclude_embeddings_ &&
            lower_case(trained.path).find("embedding") != std::string::npos) ||
           any_matches(exclude_layers_, trained.path, search);
  }
  void make_slots(PatternSearch search) override {
    std::size_t largest = 0;
    std::size_t side = 0;
    for (Entry& entry : entries()) {
      entry.slots.push_back(add_slot(entry, "momentum"));
      if (uses_adam(entry.trained, search)) {
        entry.slots.push_back(add_slot(entry, "velocity"));
        continue;
      }
      const Shape& shape = entry.trained.variable->shape();
      largest = std::max(largest, shape.elements());
      side = std::max(side, static_cast<std::size_t>(std::min(shape[0], shape[1])));
    }
    for (kernels::Floats* buffer : {&tall_, &wide_}) buffer->resize(largest);
    for (kernels::Floats* buffer : {&square_, &polynomial_}) {
      buffer->resize((Count(side) * side).of<float>());
    }
  }
  [[nodiscard]] std::optional<double> weight_decay_of(const Entry& entry) const override {
    return entry.slots.size() == 2 ? adam_weight_decay_ : weight_decay_;
  }

  void update(const Step& step) override {
    if (step.slots.size() == 2) {
      Step adam_step = step;
      adam_step.learning_rate *= static_cast<float>(adam_ratio_);
      return adam_update(adam_step, adam_, false);
    }
    const auto rows = static_cast<std::size_t>(step.shape[0]);
    const auto columns = static_cast<std::size_t>(step.shape[1]);
    // The buffer in which the matrix has the weight's layout; the other one holds the transpose.
    float* const own = (rows < columns ? wide_ : tall_).data();
    update_momentum(step, own);
    orthogonalize(own, std::max(rows, columns), std::min(rows, columns));
    float rate = step.learning_rate;
    if (rms_rate_) {
      rate *=
          std::sqrt(static_cast<float>(std::max(rows, columns))) * static_cast<float>(*rms_rate_);
    }
    for (std::size_t i = 0; i < step.size; ++i) step.weights[i] -= rate * own[i];
  }
  // Updates the momentum, and writes the matrix of this step to `to`.
  void update_momentum(const Step& step, float* to) const {
    const Vec momentum(static_cast<float>(momentum_));
    const Vec momentum_less_1(static_cast<float>(momentum_ - 1));
    const bool nesterov = nesterov_;
    Step with_result = step;
    float* const slots[] = {step.slots[0], to};
    with_result.slots = slots;
    update_each<2>(with_result, [=](Vec&, const Vec& g, auto& s) {
      s[0] += g + s[0] * momentum_less_1;
      s[1] = nesterov ? g + momentum * s[0] : s[0];
    });
  }

  // Replaces the singular values of the matrix by values near 1, and keeps its singular vectors.
  // Each iteration is a x + x (b A + c A A) with A = xᵀ x, where x is the tall form of the matrix,
  // so that A is as small as possible. The transpose of x is kept, too: with it, each product is a
  // sum of outer products of rows (add_outer).
  void orthogonalize(float* own, std::size_t height, std::size_t side) {
    const std::size_t n = height * side;
    const float scale = 1 / (norm(own, n) + 1e-7F);
    for (std::size_t i = 0; i < n; ++i) own[i] *= scale;
    if (own == wide_.data()) {
      transpose(own, side, height, tall_.data());
    } else {
      transpose(own, height, side, wide_.data());
    }
    for (int step = 0; step < steps_; ++step) {
      make_polynomial(height, side);
      for (std::size_t i = 0; i < n; ++i) tall_[i] *= static_cast<float>(a_);
      const kernels::Rows polynomial{polynomial_.data(), side};
      kernels::add_outer({wide_.data(), height}, polynomial, side, height, side, tall_.data());
      transpose(tall_.data(), height, side, wide_.data());
    }
  }
  static void transpose(const float* from, std::size_t rows, std::size_t columns, float* to) {
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t c = 0; c < columns; ++c) to[c * rows + r] = from[r * columns + c];
    }
  }
  // Sets polynomial_ to b A + c A A.
  void make_polynomial(std::size_t height, std::size_t side) {
    const std::size_t n = side * side;
    std::fill_n(square_.data(), n, 0.0F);
    std::fill_n(polynomial_.data(), n, 0.0F);
    const kernels::Rows x{tall_.data(), side};
    kernels::add_outer(x, x, height, side, side, square_.data());
    const kernels::Rows square{square_.data(), side};
    kernels::add_outer(square, square, side, side, side, polynomial_.data());
    for (std::size_t i = 0; i < n; ++i) {
      polynomial_[i] =
          static_cast<float>(b_) * square_[i] + static_cast<float>(c_) * polynomial_[i];
    }
  }

  Moments adam_;
  std::vector<std::string> exclude_layers_;
  double a_ = 3.4445;
  double b_ = -4.775;
  double c_ = 2.0315;
  double adam_ratio_ = 1;
  double momentum_ = 0.95;
  int steps_ = 5;
  bool nesterov_ = true;
  bool exclude_embeddings_ = true;
  std::optional<double> adam_weight_decay_ = 0.004;
  std::optional<double> rms_rate_ = 0.2;
  // Large enough for the largest matrix, so that a step allocates nothing.
  kernels::Floats tall_, wide_, square_, polynomial_;
};

const RegisterOptimizer<Muon> registration{
    "Muon",
    "Makes the momentum of each matrix orthogonal (Jordan 2024); Adam updates embeddings and "
    "weights that are not matrices."};

}  // namespace
}  // namespace maskflow
