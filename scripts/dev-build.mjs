// SPDX-License-Identifier: MIT
// Builds dist/ in seconds, to try a change: one module in each variant, under all names, linked
// without optimisation, so that every entry has all layers and trains; no types. `npm run build`
// builds the package.
// `-- --debug`: not optimised at all, with DWARF, so that a browser's debugger steps through the
// C++.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { builds, variants } from './build/entries.mjs';
import { generate } from './build/generated.mjs';
import { repairedGlue } from './build/repaired_glue.mjs';
import { writeEntries } from './build/write_entries.mjs';
import { withMark } from './build/wasm_mark.mjs';
import { difference } from './build/wasm_patch.mjs';
import { cmakeBuild } from './lib/cmake.mjs';
import { at, builtFiles, filesUnder, unlessFresh } from './lib/files.mjs';
import { isProgram, main } from './lib/process.mjs';
import { step } from './lib/steps.mjs';
import { setup } from './setup.mjs';

/** Target of the module that has everything, in a variant. */
const targetOf = (variant) => `maskflow_train_${variant}`;
const targets = variants.map(targetOf);
const built = (preset, name) => at('build', preset, name);

function writeChunks(preset) {
  mkdirSync(at('dist', 'chunks'), { recursive: true });
  const glue = readFileSync(built(preset, `${targetOf('simd')}.mjs`), 'utf8');
  const address = repairedGlue(glue).replaceAll('import.meta.url', '"file:///"');
  writeFileSync(at('dist', 'chunks', 'glue.js'), address);
  for (const { name, variant, hasFile, base } of builds) {
    const marked = withMark(readFileSync(built(preset, `${targetOf(variant)}.wasm`)), name);
    // The whole module, in the form of a difference from any other one.
    const content = base ? difference(Buffer.alloc(0), marked) : marked;
    const packed = gzipSync(content, { level: 1 }).toString('base64');
    writeFileSync(at('dist', 'chunks', `${name}.js`), `export default "${packed}";\n`);
    if (hasFile) writeFileSync(at('dist', `maskflow-${name}.wasm`), marked);
  }
}

/** Builds the module, and the TypeScript that is generated from its schema. */
export async function moduleDev(env, preset = 'wasm-dev') {
  await cmakeBuild(preset, targets, env);
  await generate(env, preset);
  // Removes the mark of a complete build, so that `npm run build` writes the package again.
  rmSync(at('dist', '.built'), { force: true });
  writeChunks(preset);
}

export async function bundleDev() {
  writeEntries();
  const { bundle } = await import('./build/bundle.mjs');
  await bundle();
  linkMaps();
}

/** Names the source maps in the scripts, for debuggers; the package leaves the maps out. */
function linkMaps() {
  for (const map of builtFiles().filter((path) => path.endsWith('.js.map'))) {
    const script = map.slice(0, -'.map'.length);
    const line = `//# sourceMappingURL=${basename(map)}`;
    if (!existsSync(script)) continue;
    const text = readFileSync(script, 'utf8');
    if (!text.trimEnd().endsWith(line)) writeFileSync(script, `${text}\n${line}\n`);
  }
}

/** Builds dist/ unless its inputs are unchanged since the last build. */
export async function buildDev(env) {
  await step('wasm', async () => {
    await cmakeBuild('wasm-dev', targets, env);
    await generate(env);
  });
  const inputs = () => [
    ...targets.map((target) => built('wasm-dev', `${target}.wasm`)),
    ...filesUnder('web/src'),
    ...filesUnder('web/cli'),
    ...filesUnder('scripts/build'),
    at('package-lock.json'),
  ];
  await step('package', () =>
    unlessFresh(at('dist', '.dev'), inputs, async () => {
      rmSync(at('dist', '.built'), { force: true });
      writeChunks('wasm-dev');
      await bundleDev();
    }),
  );
}

if (isProgram(import.meta.url)) {
  await main(async () => {
    const { values } = parseArgs({ options: { debug: { type: 'boolean' } } });
    const { env } = await setup();
    await step('wasm', () => moduleDev(env, values.debug ? 'wasm-debug' : 'wasm-dev'));
    await step('package', bundleDev);
  });
}
