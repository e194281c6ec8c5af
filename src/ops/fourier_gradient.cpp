// SPDX-License-Identifier: MIT
#include "ops/fourier.hpp"
#include "ops/op_gradient.hpp"

namespace maskflow {
namespace {

Tensors fft(const RecordedOp&, const Tensors& g) { return fourier_transform(g[0], g[1], 1); }

constexpr OpGradient kGradients[] = {
    {"FFT", fft}, {"RFFT"}, {"IRFFT"}, {"ExtractSequences"}, {"STFT"}, {"ISTFT"},
};
const RegisterOpGradients registration{kGradients};

}  // namespace
}  // namespace maskflow
