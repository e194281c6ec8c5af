// SPDX-License-Identifier: MIT
// A server that sends wrong answers: their headers are wrong about size, type or encoding, or the
// body ends too early, too late or never.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const kPiece = Buffer.alloc(2 ** 20);
const quickly = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const packers = { gzip: gzipSync, br: (bytes) => brotliCompressSync(bytes, quickly) };

/** Sends `piece` up to `count` times, as fast as the client reads. */
async function pour(response, piece, count) {
  for (let i = 0; i < count && !response.destroyed; i++) {
    if (!response.write(piece))
      await Promise.race([once(response, 'drain'), once(response, 'close')]);
  }
  response.end();
}

/**
 * Sends the answer that `facts` describe. `status`, `type`, `encoding`, `length` and `location` are
 * in the header; `packed` is the real encoding of `body` (default: `encoding`). `end` says how the
 * answer ends: 'whole', 'cut' in the middle, 'endless' with zeros after the body, 'silent' (only
 * headers), 'mute' (nothing, but the connection stays open) or 'reset' (the connection is closed).
 */
async function answer(response, socket, facts) {
  const {
    status = 200,
    type,
    encoding,
    packed = encoding,
    length,
    location,
    end = 'whole',
  } = facts;
  if (end === 'reset') return socket.destroy();
  if (end === 'mute') return undefined;
  const body = (packers[packed] ?? Buffer.from)(facts.body ?? '');
  const headers = {
    ...(type && { 'content-type': type }),
    ...(encoding && { 'content-encoding': encoding }),
    ...(length !== undefined && { 'content-length': length }),
    ...(location && { location }),
  };
  response.writeHead(status, headers);
  if (end === 'silent') return response.flushHeaders();
  if (end === 'endless') {
    response.write(body);
    return pour(response, kPiece, 4096);
  }
  if (end === 'cut') {
    response.write(body.subarray(0, body.length / 2));
    return setTimeout(() => socket.destroy(), 20);
  }
  return response.end(body);
}

/**
 * Starts the server. `address(facts)` returns an address whose answer is as `facts` describe (see
 * `answer`); `open()` returns the number of open transfers.
 */
export async function lyingServer() {
  const answers = [];
  const running = new Set();
  let bytesSent = 0;
  const server = createServer({ strictContentLength: false }, (request, response) => {
    const { socket } = request;
    const bytesBefore = socket.bytesWritten;
    running.add(response);
    const finish = () => {
      running.delete(response);
      bytesSent = socket.bytesWritten - bytesBefore;
    };
    response.on('close', finish);
    socket.on('close', finish);
    const facts = answers[Number(request.url.slice(1))];
    answer(response, socket, facts).catch(() => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const base = `http://127.0.0.1:${server.address().port}/`;
  return {
    address: (facts) => `${base}${answers.push(facts) - 1}`,
    open: () => running.size,
    sent: () => bytesSent,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
