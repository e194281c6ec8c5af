// SPDX-License-Identifier: MIT
// A server that behaves as the hub of Hugging Face does: it lists the files of repositories,
// answers small files itself with an ETag, and redirects large files to another address, which
// changes at every request, announces size and digest, and answers ranges.
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';

const kLarge = 4096;
const digestOf = (bytes) => createHash('sha256').update(bytes).digest('hex');
const exposed = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'ETag, Accept-Ranges, Content-Range, X-Linked-Size, X-Linked-ETag',
};

function refuse(response, status, code) {
  response.writeHead(status, { ...exposed, 'x-error-code': code }).end(code);
}

/** Sends bytes, or a range of them, unless the client has them. */
function send(request, response, bytes, headers) {
  const all = { ...exposed, 'accept-ranges': 'bytes', ...headers };
  if (headers.etag && request.headers['if-none-match'] === headers.etag) {
    return response.writeHead(304, all).end();
  }
  const [, from, to = ''] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
  if (from === undefined) {
    return response.writeHead(200, { ...all, 'content-length': bytes.length }).end(bytes);
  }
  const part = bytes.subarray(Number(from), to === '' ? undefined : Number(to) + 1);
  const range = `bytes ${from}-${Number(from) + part.length - 1}/${bytes.length}`;
  return response
    .writeHead(206, { ...all, 'content-range': range, 'content-length': part.length })
    .end(part);
}

/**
 * Starts the server. `repositories` has the files of each, `{ 'owner/repo': { path: bytes } }`; a
 * test may change it, also in `state.onAsk(path)`; commits stay as they were listed.
 * `lie(headers)` may change the headers of a large file. `requests` lists
 * method, path and status of all requests.
 */
export async function hubServer(repositories) {
  const requests = [];
  const state = { lie: (headers) => headers, down: 0 };
  const transfers = new Map();
  const commits = new Map();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    response.on('finish', () => requests.push(`${response.statusCode} ${pathname}`));
    if (request.method === 'OPTIONS') return response.writeHead(403).end();
    state.onAsk?.(pathname);
    if (state.down) return refuse(response, state.down, 'Trouble');
    const transfer = transfers.get(pathname);
    if (transfer) {
      const headers = { etag: `"${digestOf(transfer)}"` };
      return send(request, response, transfer, state.lie(headers));
    }
    const [, api] = /^\/api\/models\/([^/]+\/[^/]+)\/revision\/main$/.exec(pathname) ?? [];
    const [, name, revision, path] =
      /^\/([^/]+\/[^/]+)\/resolve\/(main|[0-9a-f]{40})\/(.+)$/.exec(pathname) ?? [];
    const files = repositories[api ?? name];
    if (!files) return refuse(response, 401, 'RepoNotFound');
    if (api) {
      const siblings = Object.keys(files).map((rfilename) => ({ rfilename }));
      const all = Object.entries(files).map(([file, content]) => `${file} ${digestOf(content)}`);
      const sha = digestOf(all.join('\n')).slice(0, 40);
      commits.set(sha, { ...files });
      return send(request, response, Buffer.from(JSON.stringify({ id: api, sha, siblings })), {});
    }
    const tree = revision === 'main' ? files : (commits.get(revision) ?? {});
    const bytes = tree[decodeURIComponent(path)];
    if (!bytes) return refuse(response, 404, 'EntryNotFound');
    const etag = `"${digestOf(bytes).slice(0, 40)}"`;
    if (bytes.length < kLarge) return send(request, response, bytes, { etag });
    const location = `/transfer/${randomUUID()}`;
    transfers.set(location, bytes);
    return response
      .writeHead(302, {
        ...exposed,
        location,
        'x-linked-size': bytes.length,
        'x-linked-etag': `"${digestOf(bytes)}"`,
      })
      .end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    state,
    /** Stops answering; connections are refused. `start` listens again at the same port. */
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
    async start() {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
