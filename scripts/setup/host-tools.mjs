// SPDX-License-Identifier: MIT
// Finds or installs what builds need from this host.
import { delimiter, dirname, join } from 'node:path';
import { at, cache } from '../lib/files.mjs';
import { Failure, output, runQuietly, which } from '../lib/process.mjs';
import { warnLoudly } from '../lib/steps.mjs';
import { aptInstall, canInstall } from './apt.mjs';
import { findCompiler32, linksSanitized } from './compiler.mjs';

/**
 * Returns the native compiler. Prefers clang if its sanitizers are installed, because it reads
 * precompiled headers faster.
 */
function findCompiler() {
  if (process.env.CXX) return process.env.CXX;
  const clang = which('clang++');
  if (clang && linksSanitized(clang)) return clang;
  return which('c++') || which('g++') || clang;
}

/**
 * Finds or installs the build tools: CMake, and Ninja or Make. Native builds also need a C++
 * compiler. Returns a summary for the console.
 */
export async function findHostTools(found, { native }) {
  if (!which('cmake')) await install('cmake');
  const generator = await findGenerator(found);
  if (!native) return generator;
  if (!findCompiler() && canInstall()) await aptInstall('g++');
  await installCache();
  found.native = findCompiler();
  if (found.native) {
    found.env.CXX = found.native;
    found.native32 = await findCompiler32(found.native);
    return `${generator}, ${found.native}${found.native32 ? ' (64 and 32 bits)' : ''}`;
  }
  warnLoudly(
    'No C++ compiler here, and not allowed to install one (g++ or clang): no native tests.',
  );
  return `${generator}, no C++ compiler`;
}

async function findGenerator(found) {
  if (!which('ninja')) {
    if (canInstall()) await aptInstall('ninja-build');
    else if (!which('make')) addToPath(found, await unpackNinja());
  }
  const name = which('ninja') || !which('make') ? 'Ninja' : 'Unix Makefiles';
  found.env.CMAKE_GENERATOR ??= name;
  return found.env.CMAKE_GENERATOR;
}

/** Installs ccache if possible: with it, a fresh clone reuses the objects of other clones. */
async function installCache() {
  if (which('ccache') || !canInstall()) return;
  try {
    await aptInstall('ccache');
  } catch (error) {
    warnLoudly(error.message);
  }
}

async function install(name) {
  if (!canInstall())
    throw new Failure(`'${name}' is needed; please install it and run this again.`);
  await aptInstall(name);
}

async function unpackNinja() {
  const script = at('scripts', 'setup', 'unpack-ninja.sh');
  const folder = join(cache, 'ninja');
  await runQuietly('bash', [script, folder]);
  const ninja = join(folder, 'usr', 'bin', 'ninja');
  if (!output(ninja, ['--version']))
    throw new Failure("'ninja' or 'make' is needed; please install one.");
  return dirname(ninja);
}

function addToPath(found, folder) {
  found.env.PATH = process.env.PATH = `${folder}${delimiter}${process.env.PATH}`;
}
