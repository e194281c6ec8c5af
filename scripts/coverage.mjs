// SPDX-License-Identifier: MIT
// Measures which lines the tests run: npm run coverage [-- --only=web|core] [--list TEXT] [--tests
// REGEX]. `web` is TypeScript as the tests of the package run it in Node; `core` is C++ as its own
// tests run it. `--list` names the lines no test runs, of the files whose path contains TEXT, from
// the last measurement.
import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { coreCoverage } from './coverage/core.mjs';
import { listMissed, table } from './coverage/report.mjs';
import { webCoverage } from './coverage/web.mjs';
import { at, readIfThere } from './lib/files.mjs';
import { Failure, main } from './lib/process.mjs';

const parts = { web: webCoverage, core: coreCoverage };
const reportOf = (part) => at('build', 'coverage', `${part}.json`);

function chosen(only) {
  const names = only?.split(',') ?? Object.keys(parts);
  for (const name of names) {
    if (!parts[name]) throw new Failure(`--only=${name}: choose from ${Object.keys(parts)}`);
  }
  return names;
}

function list(text) {
  for (const part of Object.keys(parts)) {
    const report = readIfThere(reportOf(part));
    if (report) listMissed(JSON.parse(report), text);
  }
}

await main(async () => {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      list: { type: 'string' },
      tests: { type: 'string' },
    },
  });
  if (values.list !== undefined) return list(values.list);
  mkdirSync(at('build', 'coverage'), { recursive: true });
  for (const part of chosen(values.only)) {
    const report = await parts[part](new RegExp(values.tests ?? ''));
    writeFileSync(reportOf(part), JSON.stringify(report));
    table(part, report);
  }
});
