// SPDX-License-Identifier: MIT
// The worker that translates Python programs (maskflow/port). It executes nothing of them; it is a
// worker so that no text, however long, can block the page.
import { PortError, port } from 'maskflow/port';
import type { Translated } from './port_protocol.js';

function translated(text: string): Translated {
  const before = performance.now();
  try {
    return { kind: 'ported', ported: port(text), milliseconds: performance.now() - before };
  } catch (error) {
    if (!(error instanceof PortError)) return { kind: 'fault', message: String(error) };
    const { message, line, source } = error;
    return { kind: 'fault', message, line, ...(source !== undefined && { source }) };
  }
}

addEventListener('message', ({ data }: MessageEvent<string>) => postMessage(translated(data)));
