// SPDX-License-Identifier: MIT
// docs/performance.md from what main.mjs measured.

import { obstacles, phases } from './obstacles.mjs';

const ours = 'maskflow';
const rival = 'onnxruntime-web';
const third = '@tensorflow/tfjs';
const native = 'onnxruntime-node';

/**
 * What a workload has to reach in engines with relaxed SIMD: how many times faster than onnxruntime-web and than native
 * onnxruntime, and the share of the multiply-add peak, of one row the share of the rate at which weights can be streamed.
 */
const goals = {
  W1: { web: 1.8, share: 0.75 },
  W2: { web: 2.7, native: 0.7, share: 0.75 },
  W3: { web: 6 },
  W4: { web: 2.8, native: 1, share: 0.75 },
  W5: { web: 2 },
  W6: { web: 2.5, share: 0.75 },
  W7: { web: 1.4, share: 0.8 },
  W7q: { web: 3 },
  W8: { web: 2.5, share: 0.6 },
  W8t: { web: 2.5, share: 0.6 },
  W8w: { web: 2.5, share: 0.6 },
  W8s: { web: 2.5, share: 0.6 },
  W9: { web: 1.5 },
  S10f: { web: 11 },
};

const time = (ms) =>
  ms < 1 ? `${(1000 * ms).toFixed(ms < 0.1 ? 1 : 0)} µs` : `${ms.toFixed(ms < 10 ? 2 : 1)} ms`;
const times = (result) =>
  !result || result.refusal ? '—' : `${time(result.median)} (${time(result.least)})`;

function ratio(row, name) {
  const mine = row.results[ours];
  const theirs = row.results[name];
  return !theirs || theirs.refusal
    ? undefined
    : { median: theirs.median / mine.median, least: theirs.least / mine.least };
}

const factor = (found) => (found ? `${found.median.toFixed(2)} (${found.least.toFixed(2)})` : '—');

const gflops = ({ flop, results }) => flop / results[ours].least / 1e6;

/** The goals are for engines with relaxed SIMD. */
const counts = ({ engine }) => !engine.startsWith('Node 2') || engine >= 'Node 24';

/** What limits it: the machine's multiply-adds, or of one row the rate at which these load weights. */
const limit = (row, { peak }) => row.stream?.peak ?? peak;
const share = (row, run) => gflops(row) / limit(row, run);

const percent = (part) => `${Math.round(100 * part)} %`;

/** What it reached of each goal that is set and was measured. `than` is who the goal is about; without it, it is a share of a limit. */
function judged(row, run) {
  const goal = goals[row.id] ?? {};
  const against = (than, least) => ({ than, reached: ratio(row, than)?.median, goal: least });
  return [
    against(rival, goal.web),
    against(native, goal.native),
    { reached: share(row, run), goal: goal.share },
  ].filter((one) => one.goal !== undefined && one.reached !== undefined);
}

const isMissed = ({ reached, goal }) => reached < goal;

function verdict(row, run) {
  const text = ({ than, goal }) =>
    than ? `${goal}${than === native ? ' native' : ''}` : percent(goal);
  const mark = (one) => (isMissed(one) ? '✗' : '✓');
  return judged(row, run)
    .map((one) => (counts(run) ? `${text(one)} ${mark(one)}` : text(one)))
    .join(', ');
}

function rowOf(row, run) {
  const against = ratio(row, rival);
  const best = Math.min(...[rival, third].map((name) => ratio(row, name)?.median ?? Infinity));
  const cells = [
    row.id,
    times(row.results[ours]),
    times(row.results[rival]),
    times(row.results[third]),
    times(row.results[native]),
    factor(against),
    Number.isFinite(best) ? best.toFixed(2) : '—',
    factor(ratio(row, native)),
    verdict(row, run),
    `${gflops(row).toFixed(1)} (${percent(share(row, run))}${row.stream ? ' of streaming' : ''})`,
  ];
  return `| ${cells.join(' | ')} |`;
}

/** Its version, or why a run has none. */
const nativeVersion = ({ versions, absent }) =>
  versions[native] ?? `none (${absent?.[native] ?? 'not measured'})`;

/** One row uses each weight once: the loads of its multiply-adds are its limit. */
function streams(rows) {
  const measured = rows.filter(({ stream }) => stream);
  if (measured.length === 0) return '';
  const each = measured.map(
    ({ id, stream }) =>
      `${stream.peak.toFixed(1)} GFLOP/s over ${Math.round(stream.bytes / 1000)} kB (${id})`,
  );
  return `Multiply-adds that load a weight each, as those of one row do: ${each.join(', ')}.\n`;
}

function table(run) {
  const { engine, v8, versions, peak, rows } = run;
  return `## ${engine}

${v8 ? `V8 ${v8}; ` : ''}maskflow ${versions[ours]}, onnxruntime-web ${versions[rival]}, TensorFlow.js ${versions[third]},
onnxruntime-node ${nativeVersion(run)}. Multiply-add peak of one thread, measured in this run: ${peak.toFixed(1)} GFLOP/s.
${streams(rows)}
| | maskflow | onnxruntime-web | TensorFlow.js | onnxruntime-node | × onnxruntime-web | × best peer | × native | goal | GFLOP/s (of peak) |
|---|---|---|---|---|---|---|---|---|---|
${rows.map((row) => rowOf(row, run)).join('\n')}
`;
}

function refusals({ rows }) {
  const lines = rows.flatMap(({ id, results }) =>
    Object.entries(results)
      .filter(([, { refusal }]) => refusal)
      .map(([name, { refusal }]) => `- ${id}: ${name} cannot express it: ${refusal}.`),
  );
  return lines.join('\n');
}

const misses = (row, run) => (counts(run) ? judged(row, run).filter(isMissed) : []);

const missed = (run) => run.rows.filter((row) => misses(row, run).length > 0).map(({ id }) => id);

/** By how much a run misses the goals of a workload. */
function shortfall(id, run) {
  const row = run.rows.find((other) => other.id === id);
  const each = misses(row, run).map(({ than, reached, goal }) => {
    if (!than)
      return `${percent(reached)} of ${row.stream ? 'streaming' : 'the peak'} (goal ${percent(goal)})`;
    const { median, least } = ratio(row, than);
    return `${median.toFixed(2)} (${least.toFixed(2)}) times as fast as ${than} (goal ${goal})`;
  });
  return `${run.engine}: ${each.join(', ')}`;
}

function notReached(runs) {
  const ids = [...new Set(runs.flatMap(missed))];
  const list = ids.map((id) => {
    const found = runs.filter((run) => missed(run).includes(id)).map((run) => shortfall(id, run));
    return `- ${id}: ${found.join('; ')}. ${obstacles[id] ?? 'Nothing but the phases of the machine is known to stand in the way.'}`;
  });
  if (list.length === 0) return '';
  return `\n## Goals not reached\n\nRatios of medians (of least times).\n\n${list.join('\n')}\n`;
}

const hasSweep = ({ rows }) => rows.some(({ id }) => id === 'S100');

function sweep({ rows, engine }) {
  const cost = (id) => rows.find((row) => row.id === id)?.results[ours].median;
  const share = (id) => (cost(id) / cost('S100')).toFixed(3);
  return `- ${engine}: 50 % ${share('S50')}, 25 % ${share('S25')}, 10 % ${share('S10')}; with one full row ${share('S50f')}, ${share('S25f')}, ${share('S10f')}`;
}

export function performancePage(runs) {
  const [{ machine, rows }] = runs;
  return `# Performance

Generated by \`npm run bench:peers\`; do not edit. ${machine}. One thread each, the same weights and inputs, outputs
compared first (within 1e-5), packages taking turns in one process, garbage collected between turns; median (least) of up to 41 samples of at least 4 ms. A call
takes a typed array and gives one. FLOP/s count kept steps only. W1 to W9 are the workloads, W2p and W2h the second with other
masks, W7q the seventh in 8 bits, W8t, W8w and W8s the eighth longer, wider and as a stream, S… the second's model with so many per cent kept (f: one row full).

${phases}

${runs.map(table).join('\n')}${notReached(runs)}
## Workloads

${rows.map(({ id, title }) => `- ${id}: ${title}`).join('\n')}

ONNX Runtime gets the lengths for nothing, recurrent operators with \`sequence_lens\`, and its fused attention operator. onnxruntime-node is the same
runtime as machine code for this processor (\`intraOpNumThreads\` and \`interOpNumThreads\` 1, sequential), which no page can have; "× native" is its time over
ours, and it is not among the peers of "× best peer".
${refusals(runs[0])}

## Cost of padding

Our time over that of the same batch without padding.

${runs.filter(hasSweep).map(sweep).join('\n')}
`;
}
