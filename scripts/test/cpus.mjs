// SPDX-License-Identifier: MIT
// Runs the numeric tests as on other CPUs and with other compilers of V8: with flags of V8, other
// versions of Node, and emulators.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { at } from '../lib/files.mjs';
import { nodeProgram } from '../lib/nodes.mjs';
import { onAllCores, output, runQuietly } from '../lib/process.mjs';
import { relaxedFlag } from '../lib/relaxed-flag.mjs';
import { countsOf, sumOf } from './counts.mjs';

const conformance = ['tests/cpus/variant.test.js', 'tests/conformance.test.js'];
const files = [...conformance, 'tests/gradients.test.js', 'tests/web/quantize.test.js'];

/** Returns whether this CPU fuses a multiplication and an addition. All CPUs except x86 do. */
function fuses() {
  if (process.arch !== 'x64') return true;
  try {
    return /\bfma\b/.test(readFileSync('/proc/cpuinfo', 'utf8'));
  } catch {
    return /hw\.optional\.fma: 1/.test(output('sysctl', ['hw.optional.fma']) ?? '');
  }
}

/** Flags of V8 that simulate other CPUs, and other phases of a program. */
const flagSets = [
  ['--liftoff-only'],
  ...(process.arch === 'x64' ? [['--no-enable-avx'], ['--no-enable-avx', '--no-liftoff']] : []),
];

function cellsOf(program) {
  const version = output(program, ['--version']);
  return flagSets.map((flags) => ({
    title: `Node ${version} ${flags.join(' ')}`,
    command: [program, ...relaxedFlag(program), ...flags],
    variant: fuses() && !flags.includes('--no-enable-avx') ? 'relaxed' : 'simd',
    files,
  }));
}

/** Returns the cells of some versions of Node; 'own' is the version that runs this. */
export async function nodeCells(versions) {
  const programs = versions.map((version) =>
    version === 'own' ? process.execPath : nodeProgram(version),
  );
  return (await Promise.all(programs)).flatMap(cellsOf);
}

/** Returns the emulated cells: a 64-bit Arm CPU, and an x86 CPU of 2008 without AVX. */
export async function emulatedCells(version) {
  const qemu = (await runQuietly('bash', [at('scripts', 'install-qemu.sh')])).trim();
  const [arm, x86] = await Promise.all(['arm64', 'x64'].map((arch) => nodeProgram(version, arch)));
  return [
    {
      title: `Node ${version} on emulated 64-bit Arm`,
      command: [`${qemu}/bin/qemu-aarch64`, '-L', `${qemu}/arm64`, arm],
      variant: 'relaxed',
      files: conformance,
    },
    {
      title: `Node ${version} on an emulated Nehalem`,
      command: [`${qemu}/bin/qemu-x86_64`, '-cpu', 'Nehalem', x86],
      variant: 'simd',
      files: conformance,
    },
  ];
}

function runFile({ command: [program, ...flags], variant }, file) {
  const env = { ...process.env, MASKFLOW_VARIANT: variant };
  const child = spawn(program, [...flags, '--test-reporter=tap', at(file)], { cwd: at(), env });
  let said = '';
  child.stdout.on('data', (piece) => {
    said += piece;
  });
  child.stderr.on('data', (piece) => {
    said += piece;
  });
  return new Promise((done, fail) => {
    child.on('error', fail);
    child.on('close', (code) => done({ code, said }));
  });
}

const count = (said, word) => Number(new RegExp(`^# ${word} (\\d+)$`, 'm').exec(said)?.[1] ?? 0);

async function runCell(cell, file) {
  const started = performance.now();
  const { code, said } = await runFile(cell, file);
  const passed = count(said, 'pass');
  // A process that crashed has no counts; it counts as one failure.
  const failed = code === 0 && passed > 0 ? 0 : Math.max(1, count(said, 'fail'));
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${cell.title}, ${file}: ${passed} passed, ${failed} failed, ${seconds} s`);
  if (failed === 0) return countsOf({ passed });
  const failures = said.split('\n').filter(isTelling).slice(-20);
  console.log(failures.join('\n'));
  return countsOf({ passed, failed, failures: [`${cell.title}, ${file}`, ...failures] });
}

const isTelling = (line) => /^\s*not ok|^\s*error:|Error/.test(line);

/** Runs the files of all cells, one per core at a time. */
export async function runCells(cells) {
  const tasks = cells.flatMap((cell) => cell.files.map((file) => () => runCell(cell, file)));
  return sumOf(await onAllCores(tasks));
}

/** A version of Node in which relaxed SIMD is on by default and wrong without AVX. */
const kTelling = 24;

/** Runs the tests in this version of Node, and in one that may reveal other faults. */
export async function cpuTests() {
  const own = Number(process.versions.node.split('.')[0]);
  const counts = await runCells(await nodeCells(['own']));
  if (own >= kTelling) return counts;
  try {
    return sumOf([counts, await runCells(await nodeCells([String(kTelling)]))]);
  } catch (error) {
    const reason = `Node ${kTelling} under flags of V8: ${error.message.split('\n')[0]}`;
    return sumOf([counts, countsOf({ skipped: 1, reasons: [reason] })]);
  }
}
