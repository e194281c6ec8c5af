// SPDX-License-Identifier: MIT
// A static server for this machine only.
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize, resolve, sep } from 'node:path';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import { readIfThere } from './files.mjs';

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

/** Finds the file of a request; undefined if the folder has none. Addresses of folders redirect. */
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

/** Loads the script that reloads a page; added to pages if `live` is set. */
const listener = '<script src="/reload.js"></script>';

/** Answers with the folder's 404.html, if it has one, as hosts do. */
function answerMissing(folder, response) {
  const page = readIfThere(join(folder, '404.html'));
  const type = page === undefined ? 'text/plain' : types['.html'];
  response.writeHead(404, { 'content-type': type }).end(page ?? 'Not found\n');
}

const compressible = /\.(?:html|css|m?js|json|svg|txt|md|wasm)$/i;

/** As hosts compress while they send; the best quality takes seconds for a megabyte. */
const brotliQuality = 5;

/** Returns the best encoding that the client accepts, and a stream that writes it. */
function encodingFor(request, size) {
  const accepted = request.headers['accept-encoding'] ?? '';
  if (/\bbr\b/.test(accepted)) {
    const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;
    const params = { [BROTLI_PARAM_QUALITY]: brotliQuality, [BROTLI_PARAM_SIZE_HINT]: size };
    return { name: 'br', stream: () => createBrotliCompress({ params }) };
  }
  return /\bgzip\b/.test(accepted) ? { name: 'gzip', stream: createGzip } : undefined;
}

function answer(folder, { headers, onFile, live, compress }, request, response) {
  if (request.method !== 'GET' && request.method !== 'HEAD') return response.writeHead(405).end();
  const special = live?.[request.url];
  if (special) return special(response);
  const found = fileFor(folder, request.url);
  if (!found) return answerMissing(folder, response);
  if (found.redirect) return response.writeHead(301, { location: encodeURI(found.redirect) }).end();
  onFile?.(found.file, request.url);
  const encoding =
    compress && compressible.test(found.file) ? encodingFor(request, found.size) : undefined;
  response.writeHead(200, {
    'content-type': types[extname(found.file).toLowerCase()] ?? 'application/octet-stream',
    ...(!live && !encoding && { 'content-length': found.size }),
    ...(encoding && { 'content-encoding': encoding.name, vary: 'accept-encoding' }),
    'cache-control': 'no-cache',
    ...headers,
  });
  if (request.method === 'HEAD') return response.end();
  if (live && found.file.endsWith('.html'))
    return response.end(readFileSync(found.file) + listener);
  const file = createReadStream(found.file).on('error', () => response.destroy());
  if (encoding) file.pipe(encoding.stream()).pipe(response);
  else file.pipe(response);
}

/**
 * Serves a folder on a loopback address; on any free port if `port` is taken. `onFile` is called
 * with the path of each requested file, and with its address. With `compress`, clients get Brotli
 * or gzip if they accept it, as from hosts. `live` has functions that answer some addresses; pages
 * then load /reload.js, one of these.
 */
export async function serve(
  folder,
  { port = 0, headers = {}, onFile, live, compress = false } = {},
) {
  const top = resolve(folder);
  const server = createServer((request, response) =>
    answer(top, { headers, onFile, live, compress }, request, response),
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
        // Closes the connections that browsers keep open without using them.
        server.closeAllConnections();
      }),
  };
}
