// SPDX-License-Identifier: MIT
// The variant of the wasm that runs on a CPU, which the environment names (scripts/test/cpus.mjs).
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import * as mf from '../../dist/index.js';

const variant = process.env.MASKFLOW_VARIANT;
assert.ok(
  ['simd', 'relaxed'].includes(variant),
  'MASKFLOW_VARIANT names the variant that must run',
);

const file = new URL('../../dist/maskflow-relaxed.wasm', import.meta.url);
const bytes = readFileSync(file);
const ways = {
  'as variant': { variant: 'relaxed' },
  'as a file': { wasm: file },
  'as bytes': { wasm: bytes },
  'as variant and file': { variant: 'relaxed', wasm: file },
};
if (variant === 'simd') {
  for (const [title, options] of Object.entries(ways)) {
    test(`relaxed SIMD that would compute other numbers is refused, given ${title}`, async () => {
      await assert.rejects(mf.ready(options), (error) => {
        // Engines without any relaxed SIMD cannot compile the bytes.
        const isUnknown = error.name === 'FormatError' && /not WebAssembly/.test(error.message);
        assert.ok(isUnknown || error.name === 'UnsupportedError', `${error}`);
        if (!isUnknown) assert.match(error.message, /fused multiply-add.*'simd' or 'auto'/);
        return true;
      });
    });
  }
}

before(async () => {
  if (variant === 'relaxed') await mf.ready();
});

test(`'auto' takes the variant '${variant}'`, async () => {
  await mf.ready();
  assert.equal(mf.runtimeInfo().variant, variant);
});

test('numbers stay the same while engines optimise the code', () => {
  const x = mf.tensor([-2, -1, 1, 2, 0.5]);
  const wanted = [-0.2384058, -0.2689414, 0.7310586, 1.7615942, 0.3112297];
  for (let i = 0; i < 100_000; i++) {
    const y = mf.ops.silu(x);
    if (i % 10_000 === 0) {
      for (const [at, v] of y.array().entries()) {
        assert.ok(Math.abs(v - wanted[at]) < 1e-6, `call ${i}: ${v}`);
      }
    }
    y.dispose();
  }
});
