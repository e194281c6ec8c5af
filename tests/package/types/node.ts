// SPDX-License-Identifier: MIT
// A Node project without "dom": the types of the platform are those of @types/node.
import { loadModel, type Model } from 'maskflow';

export const models: Promise<Model>[] = [
  loadModel(new URL('file:///m.keras')),
  loadModel(new Blob([]), { signal: AbortSignal.timeout(100) }),
  // @ts-expect-error a controller is not a signal
  loadModel('m.keras', { signal: new AbortController() }),
  // @ts-expect-error a map is not a source
  loadModel(new Map()),
];
