// SPDX-License-Identifier: MIT
// Runs tests of the core under ThreadSanitizer and UndefinedBehaviorSanitizer. Helpers run parts of
// every region, however small it is. Options are those of GoogleTest:
//   npm run races -- --gtest_filter='Team*'
import { cmakeBuild } from './lib/cmake.mjs';
import { at } from './lib/files.mjs';
import { Failure, main, run } from './lib/process.mjs';
import { step } from './lib/steps.mjs';
import { setup } from './setup.mjs';

await main(async () => {
  const { native, env } = await setup({ native: true, browser: false });
  if (!native) throw new Failure('no C++ compiler with sanitizers on this host; install clang++');
  await step('core with helpers', () => cmakeBuild('races', ['maskflow_tests'], env));
  const options = ['--gtest_brief=1', ...process.argv.slice(2)];
  const code = await run(at('build', 'races', 'maskflow_tests'), options, { env });
  if (code !== 0) throw new Failure('a test failed, or a sanitizer reported a fault');
});
