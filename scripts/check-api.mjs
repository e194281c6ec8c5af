// SPDX-License-Identifier: MIT
// Compares the exported declarations of every entry with the reports in web/api, so that each change
// of the API is a diff to review, and finds exports without a doc comment. `-- --write` writes the
// reports. Reads the declarations that the build leaves in build/types.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import extractor from '@microsoft/api-extractor';
import { sharing, sourceOf } from './build/entries.mjs';
import { checkMain } from './lib/checks.mjs';
import { at } from './lib/files.mjs';

const { Extractor, ExtractorConfig } = extractor;
const folder = at('web', 'api');
const quiet = { default: { logLevel: 'none' } };

function configOf(name, temporary) {
  return ExtractorConfig.prepare({
    configObjectFullPath: at('api-extractor.json'),
    packageJsonFullPath: at('package.json'),
    configObject: {
      projectFolder: at(),
      mainEntryPointFilePath: at('build', 'types', sourceOf(name).replace(/\.ts$/, '.d.ts')),
      compiler: { tsconfigFilePath: at('tsconfig.json') },
      apiReport: {
        enabled: true,
        reportFolder: folder,
        reportTempFolder: temporary,
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
  const lines = readFileSync(at('web', 'api', `${name}.api.md`), 'utf8').split('\n');
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
  const temporary = at('build', 'api');
  mkdirSync(folder, { recursive: true });
  rmSync(temporary, { recursive: true, force: true });
  for (const name of sharing) {
    const { apiReportChanged } = Extractor.invoke(configOf(name, temporary), {
      localBuild: write,
      messageCallback: (message) => {
        message.handled = true;
      },
    });
    if (apiReportChanged && !write) {
      complaints.push(
        `the API of '${name}' differs from web/api/${name}.api.md: run node scripts/check-api.mjs --write, and review the diff`,
      );
    }
    for (const declared of undocumented(name)) bare.add(declared);
  }
  return [...complaints, ...[...bare].map((name) => `${name} has no doc comment`)];
}

await checkMain(import.meta.url, () => checkApi({ write: process.argv.includes('--write') }));
