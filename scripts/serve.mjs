// SPDX-License-Identifier: MIT
// node scripts/serve.mjs [FOLDER] [--port N]: serves a folder for this machine only.
import { parseArgs } from 'node:util';
import { main } from './lib/process.mjs';
import { serve } from './lib/serve.mjs';

await main(async () => {
  const { values, positionals } = parseArgs({
    options: { port: { type: 'string', default: '8080' } },
    allowPositionals: true,
  });
  const [folder = '.'] = positionals;
  const { url } = await serve(folder, { port: Number(values.port), compress: true });
  console.log(url);
});
