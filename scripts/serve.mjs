// SPDX-License-Identifier: MIT
// node scripts/serve.mjs [FOLDER] [--port N]: serves a folder for this machine only.
import { parseArgs } from 'node:util';
import { isProgram, main } from './lib/process.mjs';
import { serve } from './lib/serve.mjs';

/** Serves a folder to people, compressed as hosts do. */
export const serveCompressed = (folder, port) =>
  serve(folder, { port: Number(port), compress: true });

if (isProgram(import.meta.url))
  await main(async () => {
    const { values, positionals } = parseArgs({
      options: { port: { type: 'string', default: '8080' } },
      allowPositionals: true,
    });
    const [folder = '.'] = positionals;
    const { url } = await serveCompressed(folder, values.port);
    console.log(url);
  });
