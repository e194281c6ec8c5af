// SPDX-License-Identifier: MIT
// Runs every check that is not a test: format, lint, types, include and import rules, functions,
// texts, workflows, generated code, size, package.
import { build } from './build.mjs';
import { checkApi } from './check-api.mjs';
import { checkEnglish } from './check-english.mjs';
import { checkFunctions } from './check-functions.mjs';
import { checkGenerated } from './check-generated.mjs';
import { checkImports } from './check-imports.mjs';
import { checkIncludes } from './check-includes.mjs';
import { checkMentions } from './check-mentions.mjs';
import { checkMessages } from './check-messages.mjs';
import { checkPackage } from './check-package.mjs';
import { checkTexts } from './check-texts.mjs';
import { checkWorkflows } from './check-workflows.mjs';
import { biome, formatCpp } from './format.mjs';
import { at } from './lib/files.mjs';
import { Failure, main, runQuietly } from './lib/process.mjs';
import { step } from './lib/steps.mjs';
import { tsc } from './lib/tsc.mjs';
import { setup } from './setup.mjs';
import { checkSize } from './size.mjs';

const refuse = (check) => async (env) => {
  const complaints = await check(env);
  if (complaints.length > 0) throw new Failure(complaints.join('\n'));
};

/** Checks in processes of their own. */
const processes = {
  'C++ format': () => formatCpp('--dry-run', '--Werror'),
  'lint and format': () => biome('check', '--error-on-warnings'),
  types: async () => {
    const projects = [at(), at('web', 'cli'), at('page'), at('docs', '.vitepress')];
    await Promise.all(projects.map((path) => runQuietly('node', [tsc, '-p', path, '--noEmit'])));
  },
};

/** Checks in this process, one after the other. */
const ownChecks = {
  includes: refuse(checkIncludes),
  imports: refuse(checkImports),
  functions: refuse(checkFunctions),
  texts: refuse(checkTexts),
  english: refuse(checkEnglish),
  mentions: refuse(checkMentions),
  messages: refuse(checkMessages),
  workflows: refuse(checkWorkflows),
  API: refuse(() => checkApi()),
  size: refuse(checkSize),
};

/** Checks that write files for a moment: generated sources, and folders for npm. */
const writers = {
  'generated code': refuse(checkGenerated),
  package: refuse(checkPackage),
};

const failures = [];

async function run([title, check], env) {
  try {
    await step(title, async () => {
      await check(env);
      return 'ok';
    });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    failures.push(`── ${title}\n${error.message}`);
  }
}

const sideBySide = (checks, env) =>
  Promise.all(Object.entries(checks).map((check) => run(check, env)));

async function oneByOne(checks, env) {
  for (const check of Object.entries(checks)) await run(check, env);
}

/** Runs all checks, also after one that failed, so that one run shows everything to fix. */
await main(async () => {
  const tools = await setup();
  await build(tools);
  const { env } = tools;
  await Promise.all([sideBySide(processes, env), oneByOne(ownChecks, env)]);
  await sideBySide(writers, env);
  if (failures.length > 0) throw new Failure(failures.join('\n\n'));
});
