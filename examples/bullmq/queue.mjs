// SPDX-License-Identifier: MIT
// The name of the queue and the address of Redis, for the producer and the consumers.
export const queueName = 'rows';

/** REDIS is the path of a socket, or an address such as redis://host:6379. */
export function connection() {
  const redis = process.env.REDIS ?? 'redis://127.0.0.1:6379';
  // BullMQ repeats commands itself while it has no connection.
  const options = { maxRetriesPerRequest: null };
  if (redis.startsWith('/')) return { ...options, path: redis };
  const { hostname, port, username, password } = new URL(redis);
  return { ...options, host: hostname, port: Number(port || 6379), username, password };
}
