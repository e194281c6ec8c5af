// SPDX-License-Identifier: MIT
// The page docs/performance.md, from the figures of `npm run bench:peers`.
import { mark, table, timeText } from '../report.mjs';
import { obstacles, phases } from './obstacles.mjs';

const ours = 'maskflow';
const rival = 'onnxruntime-web';
const third = '@tensorflow/tfjs';
const native = 'onnxruntime-node';

/**
 * The goals of a workload in engines with relaxed SIMD: how many times faster than onnxruntime-web
 * and than native onnxruntime, and the share of the multiply-add peak; with one row, the share of
 * the rate at which weights can be streamed.
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

const times = (result) =>
  !result || result.refusal ? '—' : `${timeText(result.median)} (${timeText(result.least)})`;

function ratio(row, name) {
  const result = row.results[ours];
  const peerResult = row.results[name];
  return !peerResult || peerResult.refusal
    ? undefined
    : { median: peerResult.median / result.median, least: peerResult.least / result.least };
}

const factor = (ratios) =>
  ratios ? `${ratios.median.toFixed(2)} (${ratios.least.toFixed(2)})` : '—';

const gflops = ({ flop, results }) => flop / results[ours].least / 1e6;

/** Returns whether the goals apply, which are for engines with relaxed SIMD. */
const counts = ({ engine }) => !engine.startsWith('Node 2') || engine >= 'Node 24';

/**
 * Returns the limit of a workload: the rate of the machine's multiply-adds or, with one row, of
 * those that load weights.
 */
const limit = (row, { peak }) => row.stream?.peak ?? peak;
const share = (row, run) => gflops(row) / limit(row, run);

const percent = (part) => `${Math.round(100 * part)} %`;

/**
 * Returns the results for each goal that is set and was measured. `than` is the package of the
 * goal; without it the goal is a share of a limit.
 */
function judge(row, run) {
  const goal = goals[row.id] ?? {};
  const against = (than, least) => ({ than, reached: ratio(row, than)?.median, goal: least });
  return [
    against(rival, goal.web),
    against(native, goal.native),
    { reached: share(row, run), goal: goal.share },
  ].filter((result) => result.goal !== undefined && result.reached !== undefined);
}

const isMissed = ({ reached, goal }) => reached < goal;

function verdict(row, run) {
  const text = ({ than, goal }) =>
    than ? `${goal}${than === native ? ' native' : ''}` : percent(goal);
  return judge(row, run)
    .map((result) => (counts(run) ? `${text(result)} ${mark(!isMissed(result))}` : text(result)))
    .join(', ');
}

function rowOf(row, run) {
  const against = ratio(row, rival);
  const best = Math.min(...[rival, third].map((name) => ratio(row, name)?.median ?? Infinity));
  return [
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
}

/** Returns the version of native ONNX Runtime, or the reason why it was not measured. */
const nativeVersion = ({ versions, absent }) =>
  versions[native] ?? `none (${absent?.[native] ?? 'not measured'})`;

/**
 * Says that loading weights is the limit with one row, because then each weight is used only once.
 */
function streams(rows) {
  const streamedRows = rows.filter(({ stream }) => stream);
  if (streamedRows.length === 0) return '';
  const each = streamedRows.map(
    ({ id, stream }) =>
      `${stream.peak.toFixed(1)} GFLOP/s over ${Math.round(stream.bytes / 1000)} kB (${id})`,
  );
  return `Peak of multiply-adds that each load a weight, as for a batch of one row ("streaming"):
${each.join(', ')}.\n`;
}

const head = [
  'workload',
  ours,
  rival,
  'TensorFlow.js',
  native,
  `× ${rival}`,
  '× best peer',
  '× native',
  'goal',
  'GFLOP/s (of peak)',
];

function runText(run) {
  const { engine, v8, versions, peak, rows } = run;
  return `## ${engine}

${v8 ? `V8 ${v8}; ` : ''}maskflow ${versions[ours]}, onnxruntime-web ${versions[rival]},
TensorFlow.js ${versions[third]}, onnxruntime-node ${nativeVersion(run)}.

Peak of multiply-adds in one thread, measured in this run: ${peak.toFixed(1)} GFLOP/s.
${streams(rows)}
${table(
  head,
  rows.map((row) => rowOf(row, run)),
)}
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

const misses = (row, run) => (counts(run) ? judge(row, run).filter(isMissed) : []);

const missedIds = (run) =>
  run.rows.filter((row) => misses(row, run).length > 0).map(({ id }) => id);

/** Returns the goals that a run of a workload misses, and by how much. */
function shortfall(id, run) {
  const row = run.rows.find((candidate) => candidate.id === id);
  const each = misses(row, run).map(({ than, reached, goal }) => {
    if (!than)
      return `${percent(reached)} of ${row.stream ? 'streaming' : 'the peak'} (goal ${percent(goal)})`;
    const { median, least } = ratio(row, than);
    return `${median.toFixed(2)} (${least.toFixed(2)}) times as fast as ${than} (goal ${goal})`;
  });
  return `- ${run.engine}: ${each.join(',\n  ')}`;
}

function notReached(runs) {
  const ids = [...new Set(runs.flatMap(missedIds))];
  const list = ids.map((id) => {
    const shortfalls = runs
      .filter((run) => missedIds(run).includes(id))
      .map((run) => shortfall(id, run));
    return `### ${id}\n\n${shortfalls.join('\n')}\n\n${obstacles[id] ?? 'The phases of the machine are the only known obstacle.'}\n`;
  });
  if (list.length === 0) return '';
  return `\n## Goals not reached\n\nThe ratios compare medians (in brackets: least times).\n\n${list.join('\n')}`;
}

const hasSweep = ({ rows }) => rows.some(({ id }) => id === 'S100');

function sweep({ rows, engine }) {
  const cost = (id) => rows.find((row) => row.id === id)?.results[ours].median;
  const share = (id) => (cost(id) / cost('S100')).toFixed(3);
  return `- ${engine}: 50 %: ${share('S50')}, 25 %: ${share('S25')}, 10 %: ${share('S10')}; with one full row ${share('S50f')}, ${share('S25f')}, ${share('S10f')}`;
}

export function performancePage(runs) {
  const [{ machine, rows }] = runs;
  // bench/peers/chart.mjs writes what comes before the first section.
  return `# Performance

## How it was measured

\`npm run bench:peers\` writes this page; do not edit it. The machine:
${machine}.

- Each package runs in one thread, with the same weights and inputs. Their outputs are compared
  first (within 1e-5; W7q within 1e-2).
- The packages take turns in one process. Garbage is collected between turns.
- Times are the median (in brackets the least) of up to 41 samples of at least 4 ms each.
- A call accepts a typed array and returns one.
- FLOP/s count only kept steps.
- W1 to W9 are the [workloads](#workloads). W2p and W2h are W2 with other masks. W7q is W7 in 8
  bits. W8t is a longer W8, W8w a wider one, and W8s is W8 as a stream.
- S100 to S10 are the model of W2 with this percentage of steps kept. In S50f to S10f one row is
  full.

${phases}

${runs.map(runText).join('\n')}${notReached(runs)}
## Workloads

${rows.map(({ id, title }) => `- ${id}: ${title}`).join('\n')}

ONNX Runtime gets the lengths without having to compute them. It uses recurrent operators with
\`sequence_lens\`, and its fused attention operator. onnxruntime-node is the same runtime as machine
code for this processor (\`intraOpNumThreads\` and \`interOpNumThreads\` 1, sequential), which no page
can run. "× native" is its time divided by that of maskflow. It is not a peer in "× best peer".

${refusals(runs[0])}

## Cost of padding

The time of maskflow for a batch with this percentage of kept steps, divided by its time for the
same batch without padding.

${runs.filter(hasSweep).map(sweep).join('\n')}
`;
}
