// SPDX-License-Identifier: MIT
#include "layer/layer_gradient.hpp"
#include "layers/normalization/spectral_normalization.hpp"

namespace maskflow {
namespace {

// As in Keras, which assigns the normalized kernel, the gradient of the kernel is that of the
// normalized kernel: the division is not differentiated.
Structure rule(Layer& layer, const Args& args, Frame& frame, Tape& tape) {
  auto& spectral = static_cast<SpectralNormalization&>(layer);
  if (frame.trains()) {
    const Tensor before = spectral.kernel()->value();
    tape.unrecorded([&] { spectral.normalize_kernel(); });
    const Tensor after = spectral.kernel()->value();
    if (before.storage() != after.storage()) {
      tape.record({&before, 1}, {&after, 1}, [](const Tensors& g) { return g; });
    }
  }
  return spectral.call_inner(args, frame);
}

constexpr LayerGradient kGradients[] = {{"SpectralNormalization", rule}};
const RegisterLayerGradients registration{kGradients};

}  // namespace
}  // namespace maskflow
