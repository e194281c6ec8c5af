// SPDX-License-Identifier: MIT
// A static server for this machine only: node scripts/serve.mjs FOLDER [--port N]
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { createGzip } from 'node:zlib';
import { isProgram, main } from './lib/process.mjs';

const types = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
};

/** The file a request is for, or undefined when there is none inside the folder. */
function fileFor(folder, url) {
  try {
    const path = normalize(decodeURIComponent(new URL(url, 'http://localhost').pathname));
    const file = join(folder, path.endsWith(sep) ? join(path, 'index.html') : path);
    if (!file.startsWith(folder + sep) || file.includes('\0')) return undefined;
    const stat = statSync(file, { throwIfNoEntry: false });
    if (stat?.isDirectory()) return { redirect: `${path}/` };
    return stat?.isFile() ? { file, size: stat.size } : undefined;
  } catch {
    return undefined;
  }
}

/** Where `live` answers, pages reload by it. */
const listener = '<script src="/reload.js"></script>';

const packs = /\.(?:html|css|m?js|json|svg|txt|md|wasm)$/i;

function answer(folder, { headers, heard, live, compress }, request, response) {
  if (request.method !== 'GET' && request.method !== 'HEAD') return response.writeHead(405).end();
  const special = live?.[request.url];
  if (special) return special(response);
  const found = fileFor(folder, request.url);
  if (!found) return response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found\n');
  if (found.redirect) return response.writeHead(301, { location: encodeURI(found.redirect) }).end();
  heard?.(found.file);
  const packed =
    compress && packs.test(found.file) && /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
  response.writeHead(200, {
    'content-type': types[extname(found.file).toLowerCase()] ?? 'application/octet-stream',
    ...(!live && !packed && { 'content-length': found.size }),
    ...(packed && { 'content-encoding': 'gzip', vary: 'accept-encoding' }),
    'cache-control': 'no-cache',
    ...headers,
  });
  if (request.method === 'HEAD') return response.end();
  if (live && found.file.endsWith('.html'))
    return response.end(readFileSync(found.file) + listener);
  const file = createReadStream(found.file).on('error', () => response.destroy());
  if (packed) file.pipe(createGzip()).pipe(response);
  else file.pipe(response);
}

/**
 * Serves a folder on a loopback address; any free port when the one asked for is taken. `heard` is called with each file that is
 * asked for. `compress`: gzip for those that ask for it, as hosts do. `live`: what answers some addresses, by address; pages then load /reload.js, which is one of them.
 */
export async function serve(
  folder,
  { port = 0, headers = {}, heard, live, compress = false } = {},
) {
  const top = resolve(folder);
  const server = createServer((request, response) =>
    answer(top, { headers, heard, live, compress }, request, response),
  );
  const listen = (number) =>
    new Promise((done, fail) => {
      server.once('error', fail);
      server.listen(number, '127.0.0.1', () => {
        server.off('error', fail);
        done();
      });
    });
  try {
    await listen(port);
  } catch (error) {
    if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') throw error;
    await listen(0);
  }
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close: () =>
      new Promise((done) => {
        server.close(done);
        // A browser keeps some open that it has not used yet.
        server.closeAllConnections();
      }),
  };
}

if (isProgram(import.meta.url)) {
  await main(async () => {
    const { values, positionals } = parseArgs({
      options: { port: { type: 'string', default: '8080' } },
      allowPositionals: true,
    });
    const { url } = await serve(positionals[0] ?? '.', {
      port: Number(values.port),
      compress: true,
    });
    console.log(url);
  });
}
