// SPDX-License-Identifier: MIT
// The document in which programs run: a frame without an origin, so that no program reaches the
// storage, the cookies or the network of the page. Workers inherit the policy of their document.

/**
 * The only script of the frame. The page sends it the script of a worker and two ports: one for the
 * messages of the worker, one on which the frame reports an error of the worker.
 */
const frameScript = `addEventListener('message', ({ source, data, ports: [port, errors] }) => {
  if (source !== parent) return;
  const address = URL.createObjectURL(new Blob([data], { type: 'text/javascript' }));
  const worker = new Worker(address);
  worker.addEventListener('error', (event) => {
    event.preventDefault();
    errors.postMessage(event.message);
  });
  worker.postMessage(null, [port]);
}, { once: true });`;

/** Hash of the script for the policies of the page and of the frame; the build compares it. */
const frameHash = 'sha256-l86K4AYxWRKvZt81BaZ9ZHgL9rCpvXbK2TEi/yMvBts=';

/**
 * Scripts come from bytes that the page sends, never from an address. Addresses of `blob:` and
 * `data:` are read without the network.
 */
const policy = [
  "default-src 'none'",
  `script-src '${frameHash}' blob: 'wasm-unsafe-eval'`,
  'worker-src blob:',
  'connect-src blob: data:',
].join('; ');

/** The frame's script and its hash, for the build. */
export { frameHash, frameScript };

/** Opens the frame and starts a worker in it. The worker ends when the frame is removed. */
export function startInFrame(
  script: Promise<string>,
  port: MessagePort,
  onError: (message: string) => void,
): { remove(): void } {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.title = 'Runs programs';
  frame.tabIndex = -1;
  frame.setAttribute('aria-hidden', 'true');
  // Browsers slow down frames that are not displayed.
  frame.style.cssText =
    'position: fixed; left: 0; bottom: 0; width: 1px; height: 1px; border: 0; opacity: 0; pointer-events: none';
  frame.srcdoc = `<!doctype html><meta http-equiv="Content-Security-Policy" content="${policy}"><script>${frameScript}</script>`;
  const errors = new MessageChannel();
  errors.port1.onmessage = ({ data }) => onError(String(data));
  const loaded = new Promise<void>((resolve) => {
    frame.addEventListener('load', () => resolve(), { once: true });
  });
  document.body.append(frame);
  void Promise.all([script, loaded]).then(
    ([text]) => {
      // The frame has no origin that could be named here. It has only the script above.
      frame.contentWindow?.postMessage(text, '*', [port, errors.port2]);
    },
    (error: unknown) => onError(error instanceof Error ? error.message : String(error)),
  );
  return { remove: () => frame.remove() };
}
