// SPDX-License-Identifier: MIT
// Compares the exported declarations of every entry with the reports in web/api, so that each
// change of the API is a diff to review, and finds exports without a doc comment. `-- --write`
// writes the reports. Reads the declarations that the build leaves in build/types.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import extractor from '@microsoft/api-extractor';
import { sharing, sourceOf } from './build/entries.mjs';
import { differenceOf } from './lib/api_report.mjs';
import { checkMain } from './lib/checks.mjs';
import { at } from './lib/files.mjs';

const { Extractor, ExtractorConfig } = extractor;
const folder = at('web', 'api');
/** Whole reports, as API Extractor writes them. */
const whole = at('build', 'api');
/** Entries of which only the difference from another entry is kept. */
const bases = {
  recurrent: 'index',
  text: 'index',
  torch: 'index',
  train: 'index',
  worker: 'index',
};
const quiet = { default: { logLevel: 'none' } };

function configOf(name) {
  return ExtractorConfig.prepare({
    configObjectFullPath: at('api-extractor.json'),
    packageJsonFullPath: at('package.json'),
    configObject: {
      projectFolder: at(),
      mainEntryPointFilePath: at('build', 'types', sourceOf(name).replace(/\.ts$/, '.d.ts')),
      compiler: { tsconfigFilePath: at('tsconfig.json') },
      apiReport: {
        enabled: true,
        reportFolder: whole,
        reportTempFolder: join(whole, 'temporary'),
        reportFileName: `${name}.api.md`,
        includeForgottenExports: true,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      newlineKind: 'lf',
      messages: {
        extractorMessageReporting: quiet,
        compilerMessageReporting: quiet,
        tsdocMessageReporting: quiet,
      },
    },
  });
}

const fileOf = (name) => `${name}.api.md`;
const wholeReport = (name) => readFileSync(join(whole, fileOf(name)), 'utf8');

/** Returns what web/api has to contain for an entry. */
function reportOf(name) {
  const base = bases[name];
  return base ? differenceOf(name, wholeReport(name), base, wholeReport(base)) : wholeReport(name);
}

/** Returns the name that a declaration in a report begins with. */
const nameOf = (declaration) => {
  const words =
    /^\s*(?:(?:export|declare|readonly|static|abstract|protected|async|default|get|set|function|class|interface|type|const|let|enum|namespace) )*(\[?[\w.$]+\]?)/;
  return words.exec(declaration)?.[1];
};

/**
 * Returns the names of declarations without a doc comment. An overload shares the comment of its
 * first signature.
 */
function undocumented(name) {
  const lines = wholeReport(name).split('\n');
  const names = [];
  let parent = '';
  let isPublic = false;
  const documented = new Set();
  for (const [index, line] of lines.entries()) {
    const marked = /^\s*\/\/ (?!@internal)(?:@\w+.*?)?(\(undocumented\))?$/.exec(line);
    const declaration = marked ? lines[index + 1] : line;
    if (/^\w/.test(declaration)) {
      parent = nameOf(declaration);
      // Types that entries use without an export are in the report, but not in the reference.
      isPublic = /^(?:export |function |const )/.test(declaration);
    }
    const declared = /^\w/.test(declaration)
      ? nameOf(declaration)
      : `${parent}.${nameOf(declaration)}`;
    if (!marked?.[1]) documented.add(declared);
    else if (isPublic && !documented.has(declared)) names.push(declared);
  }
  return names;
}

export function checkApi({ write = false } = {}) {
  const complaints = [];
  const bare = new Set();
  rmSync(whole, { recursive: true, force: true });
  for (const path of [folder, join(whole, 'temporary')]) mkdirSync(path, { recursive: true });
  for (const name of sharing) {
    Extractor.invoke(configOf(name), {
      localBuild: true,
      messageCallback: (message) => {
        message.handled = true;
      },
    });
  }
  for (const name of sharing) {
    const path = join(folder, fileOf(name));
    const report = reportOf(name);
    if (write) writeFileSync(path, report);
    else if (!existsSync(path) || readFileSync(path, 'utf8') !== report)
      complaints.push(
        `the API of '${name}' differs from web/api/${fileOf(name)}: run node scripts/check-api.mjs --write, and review the diff`,
      );
    for (const declared of undocumented(name)) bare.add(declared);
  }
  return [...complaints, ...[...bare].map((name) => `${name} has no doc comment`)];
}

await checkMain(import.meta.url, () => checkApi({ write: process.argv.includes('--write') }));
