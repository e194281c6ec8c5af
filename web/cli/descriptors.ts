// SPDX-License-Identifier: MIT
// Names of open descriptors, which commands write to without replacing a file.

const kDescriptor = /^\/(?:dev|proc\/self)\/fd\/(\d+)$/;

/** The number of an open descriptor with a name, such as /dev/stdout; null for other paths. */
export function descriptorOf(path: string): number | null {
  if (path === '-' || path === '/dev/stdout') return 1;
  if (path === '/dev/stderr') return 2;
  const [, number] = kDescriptor.exec(path) ?? [];
  return number === undefined ? null : Number(number);
}
