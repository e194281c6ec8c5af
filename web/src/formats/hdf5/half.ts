// SPDX-License-Identifier: MIT
// Half floats, for which engines have no typed array everywhere. HDF5, NumPy, PyTorch and shards of
// TensorFlow.js contain them.
const kInfinite = 0x7c00;

/** Converts IEEE half-precision numbers (binary16), passed as bit patterns. */
export function fromHalves(patterns: Uint16Array): Float32Array {
  const floats = new Float32Array(patterns.length);
  const bits = new Uint32Array(floats.buffer);
  for (let i = 0; i < patterns.length; i++) {
    const half = patterns[i] as number;
    const size = half & 0x7fff;
    // Shift exponent and fraction; their biases differ by 112. This also holds for subnormals.
    bits[i] = ((half & 0x8000) << 16) | (size << 13);
    if (size < kInfinite) floats[i] = (floats[i] as number) * 2 ** 112;
    else floats[i] = size > kInfinite ? Number.NaN : half < 0x8000 ? Infinity : -Infinity;
  }
  return floats;
}
