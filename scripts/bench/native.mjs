// SPDX-License-Identifier: MIT
// Runs the C++ benchmarks: natively, then both wasm variants under Node. Passes unknown options on
// to Google Benchmark: npm run bench -- --only=simd --benchmark_filter=LSTM
//   --only=VARIANTS  some of native, simd, relaxed
//   --node=PATH      another Node for the wasm variants
import { cmakeBuild } from '../lib/cmake.mjs';
import { at } from '../lib/files.mjs';
import { Failure, main, run } from '../lib/process.mjs';
import { relaxedFlag } from '../lib/relaxed-flag.mjs';
import { step } from '../lib/steps.mjs';
import { setup } from '../setup.mjs';

const presetOf = (variant) => (variant === 'native' ? 'release' : 'wasm');

function command(variant, node) {
  const program = at('build', presetOf(variant), `maskflow_bench_${variant}`);
  if (variant === 'native') return [program, []];
  const flags = variant === 'simd' ? [] : relaxedFlag(node);
  return [node, [...flags, `${program}.cjs`]];
}

function parse(args) {
  const options = { node: process.execPath, only: 'native,simd,relaxed' };
  const rest = [];
  for (let i = 0; i < args.length; i++) {
    const [, name, value] = /^--(node|only)(?:=(.*))?$/.exec(args[i]) ?? [];
    if (name) options[name] = value ?? args[++i];
    else rest.push(args[i]);
  }
  return { ...options, rest };
}

await main(async () => {
  const { node, only, rest } = parse(process.argv.slice(2));
  const found = await setup({ native: true });
  for (const variant of only.split(',')) {
    if (variant === 'native' && !found.native) continue;
    const target = `maskflow_bench_${variant}`;
    await step(`build ${variant}`, () =>
      cmakeBuild(presetOf(variant), [target], found.env, ['MASKFLOW_BENCH']),
    );
    console.log(`\n── ${variant}`);
    const [program, args] = command(variant, node);
    if ((await run(program, [...args, ...rest])) !== 0) throw new Failure(`${variant} failed`);
  }
});
