// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "base/choice.hpp"
#include "ops/log_add.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

// Decodes one sequence greedily: the best class of each step, without repetitions and blanks.
void decode(const std::int32_t* best, Dim steps, std::int32_t blank, bool merges,
            std::int32_t* labels) {
  for (Dim t = 0; t < steps; ++t) {
    const bool repeats = merges && t > 0 && best[t] == best[t - 1];
    if (best[t] != blank && !repeats) *labels++ = best[t];
  }
}

// A beam: a labelling, and the log probabilities of its alignments with the steps so far.
struct Beam {
  std::size_t node = 0;
  double in_label = kLogZero;  // Alignments whose last step is the last label.
  double in_blank = kLogZero;  // Alignments whose last step is the blank.
  [[nodiscard]] double total() const { return log_add(in_label, in_blank); }
};

// Beam search over the labellings of one sequence (Graves 2012): each step adds the alignments of
// equal labellings and keeps the most probable ones. Labellings are the nodes of a tree.
class BeamSearch {
 public:
  BeamSearch(Dim classes, std::int32_t blank, std::size_t width)
      : classes_(classes), blank_(blank), width_(width) {
    beams_.push_back({.node = 0, .in_blank = 0});
  }

  void step(const float* log_odds) {
    std::vector<Candidate> next;
    std::vector<std::size_t> place(nodes_.size(), kNone);
    for (const Beam& beam : beams_) {
      place[beam.node] = next.size();
      const Node& node = nodes_[beam.node];
      const double again = node.depth == 0 ? kLogZero : beam.in_label + odds(log_odds, node.label);
      next.push_back({beam.node, -1, again, beam.total() + odds(log_odds, blank_)});
    }
    for (const Beam& beam : beams_) {
      for (std::int32_t label = 0; label < classes_; ++label) {
        if (label == blank_) continue;
        const Node& node = nodes_[beam.node];
        // Only a blank separates two equal labels.
        const bool repeats = node.depth > 0 && label == node.label;
        const double score = (repeats ? beam.in_blank : beam.total()) + odds(log_odds, label);
        const auto child = children_.find({beam.node, label});
        if (child != children_.end() && place[child->second] != kNone) {
          double& sum = next[place[child->second]].in_label;
          sum = log_add(sum, score);
        } else if (score != kLogZero) {
          next.push_back({beam.node, label, score, kLogZero});
        }
      }
    }
    keep(std::move(next));
  }

  // Writes the labels of the most probable labellings, and the log probabilities.
  void write(std::size_t row, Tensor& labels, Tensor& scores) const {
    const Shape& shape = labels.shape();
    for (std::size_t path = 0; path < std::min(shape.length(0), beams_.size()); ++path) {
      std::ranges::copy(
          labels_of(beams_[path].node),
          labels.mutable_data<std::int32_t>().begin() +
              static_cast<std::ptrdiff_t>((path * shape.length(1) + row) * shape.length(2)));
      scores.mutable_floats()[row * shape.length(0) + path] =
          static_cast<float>(beams_[path].total());
    }
  }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};
  struct Node {
    std::size_t parent = 0;
    std::int32_t label = 0;
    std::size_t depth = 0;
  };
  // A beam of the next step: a node, or its future child with a label.
  struct Candidate {
    std::size_t node;
    std::int32_t label;
    double in_label;
    double in_blank;
    double total = 0;
  };

  static double odds(const float* log_odds, std::int32_t label) {
    return static_cast<double>(log_odds[label]);
  }

  [[nodiscard]] std::vector<std::int32_t> labels_of(std::size_t node) const {
    std::vector<std::int32_t> labels(nodes_[node].depth);
    for (std::size_t i = labels.size(); i-- > 0; node = nodes_[node].parent) {
      labels[i] = nodes_[node].label;
    }
    return labels;
  }
  [[nodiscard]] std::vector<std::int32_t> labels_of(const Candidate& candidate) const {
    std::vector<std::int32_t> labels = labels_of(candidate.node);
    if (candidate.label >= 0) labels.push_back(candidate.label);
    return labels;
  }
  // As in Keras, among equal scores lower labels and longer labellings come first.
  [[nodiscard]] bool comes_first(const Candidate& a, const Candidate& b) const {
    if (a.total != b.total) return a.total > b.total;
    const std::vector<std::int32_t> left = labels_of(a);
    const std::vector<std::int32_t> right = labels_of(b);
    const auto [x, y] = std::ranges::mismatch(left, right);
    return x != left.end() && (y == right.end() || *x < *y);
  }

  // Keeps the best candidates as beams, best first.
  void keep(std::vector<Candidate> next) {
    for (Candidate& candidate : next) {
      candidate.total = log_add(candidate.in_label, candidate.in_blank);
      // NaN would have no place in an order.
      if (std::isnan(candidate.total)) candidate.total = kLogZero;
    }
    std::erase_if(next, [](const Candidate& candidate) { return candidate.total == kLogZero; });
    const std::size_t count = std::min(width_, next.size());
    std::ranges::partial_sort(next, next.begin() + static_cast<std::ptrdiff_t>(count),
                              [&](const auto& a, const auto& b) { return comes_first(a, b); });
    beams_.clear();
    for (const Candidate& candidate : std::span(next).first(count)) {
      std::size_t node = candidate.node;
      if (candidate.label >= 0) {
        const auto [child, is_new] =
            children_.try_emplace({candidate.node, candidate.label}, nodes_.size());
        node = child->second;
        if (is_new) {
          nodes_.push_back({candidate.node, candidate.label, nodes_[candidate.node].depth + 1});
        }
      }
      beams_.push_back({node, candidate.in_label, candidate.in_blank});
    }
  }

  Dim classes_;
  std::int32_t blank_;
  std::size_t width_;
  std::vector<Node> nodes_{1};
  std::map<std::pair<std::size_t, std::int32_t>, std::size_t> children_;
  std::vector<Beam> beams_;
};

std::size_t positive(const OpAttributes& attributes, Name name) {
  constexpr std::int64_t kMax = 1 << 16;
  const std::int64_t number = attributes.integer(name);
  if (number < 1 || number > kMax) {
    value_error(name, " is ", number, " but must be from 1 to ", kMax);
  }
  return static_cast<std::size_t>(number);
}

Tensors beam_search(const Tensor& scores, const Tensor& lengths, std::int32_t blank,
                    const OpAttributes& attributes) {
  const std::size_t width = positive(attributes, "beam_width");
  const auto paths = static_cast<Dim>(positive(attributes, "top_paths"));
  const Shape& shape = scores.shape();
  if (blank < 0 || blank >= shape[2]) {
    value_error("mask_index is ", blank, " but there are ", shape[2], " classes");
  }
  const Tensor log_odds = ops::log_softmax(scores, -1);
  Tensor labels = Tensor::full(DType::kInt32, {paths, shape[0], shape[1]}, -1);
  Tensor totals = Tensor::full(DType::kFloat32, {shape[0], paths}, kLogZero);
  for (std::size_t row = 0; row < shape.length(0); ++row) {
    const Dim steps = std::clamp<Dim>(lengths.data<std::int32_t>()[row], 0, shape[1]);
    BeamSearch search(shape[2], blank, width);
    for (Dim t = 0; t < steps; ++t) {
      search.step(log_odds.floats() + (static_cast<Dim>(row) * shape[1] + t) * shape[2]);
    }
    search.write(row, labels, totals);
  }
  return {labels, totals};
}

Tensors greedy(const Tensor& scores, const Tensor& lengths, std::int32_t blank, bool merges) {
  const Shape& shape = scores.shape();
  const Tensor best = ops::argmax(scores, -1);
  Tensor labels = Tensor::full(DType::kInt32, {1, shape[0], shape[1]}, -1);
  Tensor counts = Tensor::zeros(DType::kFloat32, {shape[0], shape[1]});
  for (std::size_t row = 0; row < shape.length(0); ++row) {
    const Dim steps = std::clamp<Dim>(lengths.data<std::int32_t>()[row], 0, shape[1]);
    const std::size_t first = row * shape.length(1);
    std::fill_n(counts.mutable_floats() + first, steps, 1.0F);
    decode(best.data<std::int32_t>().data() + first, steps, blank, merges,
           labels.mutable_data<std::int32_t>().data() + first);
  }
  const Tensor seen = ops::where(counts, ops::max(scores, -1), ops::number(0));
  return {labels, ops::negative(ops::sum(seen, -1, true))};
}

Tensors ctc_decode(Operands x, const OpAttributes& attributes) {
  const int strategy = choice_index("strategy", attributes.get("strategy"), "greedy beam_search");
  const Tensor scores = ops::cast(x[0], DType::kFloat32);
  const Tensor lengths = ops::cast(x[1], DType::kInt32);
  const Shape& shape = scores.shape();
  if (shape.rank() != 3 || lengths.shape() != shape.first(1)) {
    shape_error("inputs must be [batch, time, classes] and sequenceLengths [batch], but have ",
                "shapes ", shape, " and ", lengths.shape());
  }
  const auto blank = static_cast<std::int32_t>(attributes.integer("mask_index"));
  return strategy == 0 ? greedy(scores, lengths, blank, attributes.flag("merge_repeated"))
                       : beam_search(scores, lengths, blank, attributes);
}

constexpr OpAttribute kSettings[] = {
    {"strategy", "'greedy' | 'beam_search'",
     "The best class of each step, or the most probable labels by beam search.", false, "greedy"},
    {"beam_width", "number", "Number of labellings that beam search keeps at each step.", false,
     100},
    {"top_paths", "number", "Number of labellings that beam search returns, best first.", false, 1},
    {"merge_repeated", "boolean",
     "Whether the same class in consecutive steps is one label. Beam search always merges these.",
     false, true},
    {"mask_index", "number", "Class of the blank.", false, 0}};

constexpr OpDef kOps[] = {
    {"CTCDecode", "inputs sequence_lengths", kSettings,
     "Decodes the logits of a CTC model. Returns the labels, [paths, batch, time], with -1 at the "
     "end, and their scores, [batch, paths]: for 'greedy', minus the sum of the highest logits; "
     "for 'beam_search', log probabilities.",
     ctc_decode, nullptr, true},
};
const RegisterOps registration{kOps, "maskflow/train"};

}  // namespace
}  // namespace maskflow
