// SPDX-License-Identifier: MIT
// Members of groups, and version 1 of B-trees, which also list the chunks of datasets.
import { type Cursor, damaged, type FileBytes } from './cursor.js';
import { denseMessages } from './dense.js';
import { kLink, kLinkInfo, kSymbolTable, type Message } from './header.js';

/** Reads names and addresses of a group's objects, without soft and external links. */
export function readLinks(file: FileBytes, messages: readonly Message[]): Map<string, number> {
  const links = new Map<string, number>();
  for (const { type, body } of messages) {
    if (type === kSymbolTable) readSymbolTable(file, body, links);
    else if (type === kLink) readLink(body, links);
    else if (type === kLinkInfo) {
      for (const link of denseMessages(file, linkHeap(body))) readLink(link, links);
    }
  }
  return links;
}

/** Addresses of heap and index of a group's links; both -1 if the links are in the header. */
function linkHeap(body: Cursor): { heap: number; index: number } {
  body.skip(1);
  const flags = body.u8();
  if (flags & 1) body.skip(8);
  return { heap: body.address(), index: body.address() };
}

function readLink(body: Cursor, links: Map<string, number>): void {
  const version = body.u8();
  if (version !== 1) throw damaged(`a link has the unknown version ${version}`);
  const flags = body.u8();
  const kind = flags & 8 ? body.u8() : 0;
  if (flags & 4) body.skip(8);
  if (flags & 16) body.skip(1);
  body.file.entry();
  const name = body.file.text(body.bytes(body.uint(1 << (flags & 3))));
  if (kind === 0) links.set(name, body.address());
}

function readSymbolTable(file: FileBytes, body: Cursor, links: Map<string, number>): void {
  const tree = body.address();
  const heap = file.cursor(body.address()).expect('HEAP', 'a heap of names').skip(4);
  const size = heap.length();
  heap.skip(file.lengthSize);
  const names = file.cursor(heap.address(), size);
  for (const leaf of treeLeaves(file, tree, 0, file.lengthSize)) {
    const node = file.cursor(leaf.child).expect('SNOD', 'a node of names').skip(2);
    for (let remaining = node.u16(); remaining > 0; remaining--) {
      file.entry();
      const at = node.length();
      const address = node.address();
      const cached = node.u32();
      node.skip(20);
      if (cached !== 2) links.set(nameAt(names, at), address);
    }
  }
}

function nameAt(names: Cursor, at: number): string {
  if (at >= names.remaining)
    throw damaged(`a name is at ${at} of a heap of ${names.remaining} bytes`);
  return names.file.text(names.file.bytes.subarray(names.at + at, names.end));
}

/** Yields all leaves below a node of a version 1 tree: each key with the address after it. */
export function* treeLeaves(
  file: FileBytes,
  address: number,
  type: number,
  keySize: number,
  parentLevel = 256,
): Generator<{ key: Cursor; child: number }> {
  if (address < 0) return;
  const node = file.cursor(address).expect('TREE', 'a tree');
  const nodeType = node.u8();
  const level = node.u8();
  // Levels decrease towards the leaves, so a tree that contains itself is refused.
  if (nodeType !== type || level >= parentLevel) {
    throw damaged(`a tree has a node of type ${nodeType} and level ${level}`);
  }
  const count = node.u16();
  node.skip(2 * file.offsetSize);
  for (let i = 0; i < count; i++) {
    const key = node.part(keySize);
    const child = node.address();
    if (level === 0) yield { key, child };
    else yield* treeLeaves(file, child, type, keySize, level);
  }
}
