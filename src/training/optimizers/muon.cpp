// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "kernels/gemm.hpp"
#include "training/optimizers/adam.hpp"
#include "training/update.hpp"

namespace maskflow {
namespace {

using kernels::Vec;

// Jordan 2024: the momentum of a matrix, made orthogonal. Other weights, and those of embeddings,
// are Adam's.
class Muon final : public Optimizer {
 public:
  Muon() { weight_decay_ = 0.004; }
  void describe(Fields& fields) override {
    Optimizer::describe(fields);
    fields.field("adam_beta_1", adam_.beta_1, "beta_1 of Adam.");
    fields.field("adam_beta_2", adam_.beta_2, "beta_2 of Adam.");
    fields.field("epsilon", adam_.epsilon, "epsilon of Adam.");
    fields.field("exclude_layers", exclude_layers_,
                 "Weights whose path matches one of these regular expressions are Adam's.");
    fields.field("muon_a", a_, "Of x in Newton's and Schulz's step.");
    fields.field("muon_b", b_, "Of x's third power.");
    fields.field("muon_c", c_, "Of x's fifth power.");
    fields.field("adam_lr_ratio", adam_ratio_, "Adam's learning rate by that of matrices.");
    fields.field("momentum", momentum_, "Share of the last step in this one.");
    fields.field("ns_steps", steps_, "Steps of Newton and Schulz.");
    fields.field("nesterov", nesterov_, "Nesterov's momentum?");
    fields.field("exclude_embeddings", exclude_embeddings_,
                 "Are weights with 'embedding' in their path Adam's?");
    fields.field("adam_weight_decay", adam_weight_decay_, "Weight decay of Adam's weights.");
    fields.field("rms_rate", rms_rate_,
                 "Times the root of the longer side, of a step; null: neither.");
  }
  void check_config() const override {
    Optimizer::check_config();
    if (steps_ < 0) config_error("'ns_steps' is ", steps_, " but must be at least 0");
  }

 private:
  [[nodiscard]] bool is_adams(const Trained& trained) const {
    return trained.variable->shape().rank() != 2 ||
           (exclude_embeddings_ &&
            lower_case(trained.path).find("embedding") != std::string::npos) ||
           matches(exclude_layers_, trained.path);
  }
  void make_slots() override {
    for (Entry& entry : entries()) {
      entry.slots.push_back(add_slot(entry, "momentum"));
      if (is_adams(entry.trained)) entry.slots.push_back(add_slot(entry, "velocity"));
    }
  }
  [[nodiscard]] std::optional<double> weight_decay_of(const Entry& entry) const override {
    return entry.slots.size() == 2 ? adam_weight_decay_ : weight_decay_;
  }

  void update(const Step& step) override {
    if (step.slots.size() == 2) {
      Step adams = step;
      adams.learning_rate *= static_cast<float>(adam_ratio_);
      return adam_update(adams, adam_, false);
    }
    const auto rows = static_cast<std::size_t>(step.shape[0]);
    const auto columns = static_cast<std::size_t>(step.shape[1]);
    x_.resize(std::max(x_.size(), step.size));
    move(step, x_.data());
    orthogonalize(rows, columns);
    float rate = step.learning_rate;
    if (rms_rate_) {
      rate *=
          std::sqrt(static_cast<float>(std::max(rows, columns))) * static_cast<float>(*rms_rate_);
    }
    for (std::size_t i = 0; i < step.size; ++i) step.weights[i] -= rate * x_[i];
  }
  // The momentum, and what is to be made orthogonal.
  void move(const Step& step, float* to) const {
    const Vec momentum(static_cast<float>(momentum_));
    const Vec less(static_cast<float>(momentum_ - 1));
    const bool ahead = nesterov_;
    Step with = step;
    float* const slots[] = {step.slots[0], to};
    with.slots = slots;
    update_each<2>(with, [=](Vec&, const Vec& g, auto& s) {
      s[0] += g + s[0] * less;
      s[1] = ahead ? g + momentum * s[0] : s[0];
    });
  }

  // x_ becomes a matrix with the same singular vectors and values near 1, by steps of
  // a x + (b A + c A A) x with A = x xᵀ. The shorter side decides how large A is: of a tall x the
  // same is x (…) with A = xᵀ x.
  void orthogonalize(std::size_t rows, std::size_t columns) {
    const std::size_t n = rows * columns;
    const float scale = 1 / (norm(x_.data(), n) + 1e-7F);
    for (std::size_t i = 0; i < n; ++i) x_[i] *= scale;
    const bool tall = rows > columns;
    const std::size_t side = std::min(rows, columns);
    square_.resize(std::max(square_.size(), side * side));
    polynomial_.resize(std::max(polynomial_.size(), side * side));
    next_.resize(std::max(next_.size(), n));
    for (int step = 0; step < steps_; ++step) {
      gram(rows, columns, tall);
      make_polynomial(side);
      if (tall) {
        kernels::matmul(x_.data(), polynomial_.data(), next_.data(), rows, side, side);
      } else {
        kernels::matmul(polynomial_.data(), x_.data(), next_.data(), side, side, columns);
      }
      for (std::size_t i = 0; i < n; ++i) x_[i] = static_cast<float>(a_) * x_[i] + next_[i];
    }
  }
  // square_ = xᵀ x of a tall x, else x xᵀ.
  void gram(std::size_t rows, std::size_t columns, bool tall) {
    const float* const x = x_.data();
    if (!tall) {
      const kernels::PackedMatrix turned(x, {0, columns, rows, 1, columns});
      kernels::gemm({x, columns}, rows, turned, kernels::Start::kZero, nullptr, square_.data());
      return;
    }
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t c = 0; c < columns; ++c) next_[c * rows + r] = x[r * columns + c];
    }
    kernels::matmul(next_.data(), x, square_.data(), columns, rows, columns);
  }
  // polynomial_ = b A + c A A
  void make_polynomial(std::size_t side) {
    const auto b = static_cast<float>(b_);
    const auto c = static_cast<float>(c_);
    kernels::matmul(square_.data(), square_.data(), polynomial_.data(), side, side, side);
    for (std::size_t i = 0; i < side * side; ++i) {
      polynomial_[i] = b * square_[i] + c * polynomial_[i];
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
  // Kept from step to step.
  kernels::Floats x_, next_, square_, polynomial_;
};

const RegisterOptimizer<Muon> registration{"Muon",
                                           "Orthogonal steps for matrices, Adam for the rest."};

}  // namespace
}  // namespace maskflow
