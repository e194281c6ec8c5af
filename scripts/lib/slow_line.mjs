// SPDX-License-Identifier: MIT
// A proxy with little bandwidth and high latency in front of a server. All connections share it,
// also those of workers, which a browser's own throttling leaves out.
import { connect, createServer } from 'node:net';

/** Starts the proxy. `rate` is in bytes per second, `latency` the round trip in milliseconds. */
export async function slowLine(target, { rate, latency }) {
  const { port } = new URL(target);
  const sockets = new Set();
  /** Data that waits for delivery, by connection. Connections take turns, as on a shared line. */
  const queues = new Map();
  let busy = false;
  /** When the line is free again. Timers run late, which must not add up. */
  let free = 0;
  const pump = () => {
    const turn = queues.entries().next();
    if (turn.done) {
      busy = false;
      return;
    }
    busy = true;
    const [socket, parts] = turn.value;
    const part = parts.shift();
    queues.delete(socket);
    if (parts.length > 0) queues.set(socket, parts);
    const end = part === 'end';
    if (!end) free += (part.length / rate) * 1000;
    const sent = () => {
      setTimeout(() => (end ? socket.end() : socket.writable && socket.write(part)), latency / 2);
      pump();
    };
    setTimeout(sent, free - performance.now());
  };
  const deliver = (socket, part) => {
    queues.set(socket, [...(queues.get(socket) ?? []), part]);
    if (busy) return;
    free = performance.now();
    pump();
  };
  const server = createServer((near) => {
    const far = connect(Number(port), '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    }
    // A handshake takes one round trip before the first byte.
    let opened = performance.now() + latency;
    near.on('data', (chunk) => {
      const wait = Math.max(0, opened - performance.now()) + latency / 2;
      opened = 0;
      setTimeout(() => far.writable && far.write(chunk), wait);
    });
    far.on('data', (chunk) => {
      for (let at = 0; at < chunk.length; at += 4096) deliver(near, chunk.subarray(at, at + 4096));
    });
    far.on('end', () => deliver(near, 'end'));
    near.on('end', () => far.end());
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close: () =>
      new Promise((done) => {
        server.close(done);
        for (const socket of sockets) socket.destroy();
      }),
  };
}
