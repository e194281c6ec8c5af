// SPDX-License-Identifier: MIT
// Groups as old versions of HDF5 store them, which every reader of Keras files understands:
// "B-trees version 1", "Symbol Table Nodes" and "Local Heaps" in the HDF5 File Format
// Specification.
import { ByteWriter } from '../byte_writer.js';
import type { FileParts } from './file_parts.js';
import { encodeUtf8 } from '../../engine/utf8.js';

/** Half the children of a B-tree node, as the superblock states. */
export const kInternalHalf = 16;
/** Half the links of a symbol node, as the superblock states. */
export const kLeafHalf = 4;

/** Addresses of the B-tree and the heap of a group. */
export interface LinkTable {
  tree: number;
  heap: number;
}
/** A link from a group to an object. */
export interface Link {
  name: string;
  header: number;
  /** Link table of the object if it is a group. Readers may use it instead of the header. */
  table?: LinkTable;
}

/** A node of the tree: the heap offset of the last name below it, and the node's address. */
interface Node {
  last: number;
  at: number;
}

const groupsOf = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
    items.slice(i * size, (i + 1) * size),
  );

/** Sorts links by the bytes of their names, because readers use binary search. */
function sorted(links: readonly Link[]): { link: Link; bytes: Uint8Array }[] {
  const named = links.map((link) => ({ link, bytes: encodeUtf8(link.name) }));
  return named.sort((a, b) => {
    const length = Math.min(a.bytes.length, b.bytes.length);
    for (let i = 0; i < length; i++) {
      if (a.bytes[i] !== b.bytes[i]) return (a.bytes[i] as number) - (b.bytes[i] as number);
    }
    return a.bytes.length - b.bytes.length;
  });
}

/** Writes the local heap, which holds the empty name and then all names. */
function writeHeap(
  file: FileParts,
  names: readonly Uint8Array[],
): { at: number; offsets: number[] } {
  const data = new ByteWriter().zeros(8);
  const offsets = names.map((name) => {
    const offset = data.length;
    data.raw(name).zeros(1).align();
    return offset;
  });
  const dataAt = file.place(data.done());
  // A free list at offset 1 means that the heap has no free space.
  const header = new ByteWriter().text('HEAP').zeros(4).u64(data.length, 1, dataAt);
  return { at: file.place(header.done()), offsets };
}

function writeSymbols(file: FileParts, links: { link: Link; offset: number }[]): Node {
  const out = new ByteWriter().text('SNOD').u8(1, 0).u16(links.length);
  for (const { link, offset } of links) {
    out.u64(offset, link.header).u32(link.table ? 1 : 0, 0);
    if (link.table) out.u64(link.table.tree, link.table.heap);
    else out.zeros(16);
  }
  const bytes = out.upTo(8 + 2 * kLeafHalf * 40).done();
  return { last: links.at(-1)?.offset ?? 0, at: file.place(bytes) };
}

const kNodeSize = 24 + (2 * kInternalHalf + 1) * 8 + 2 * kInternalHalf * 8;

/** Writes a level of the tree; its nodes link to their neighbours. */
function writeLevel(file: FileParts, level: number, below: Node[][], firstKey: number): Node[] {
  const start = file.reserve(kNodeSize * below.length);
  return below.map((children, i) => {
    const at = start + i * kNodeSize;
    const out = new ByteWriter().text('TREE').u8(0, level).u16(children.length);
    for (const side of [i - 1, i + 1]) {
      if (below[side]) out.u64(start + side * kNodeSize);
      else out.undefinedAddress();
    }
    out.u64(i === 0 ? firstKey : (below[i - 1]?.at(-1)?.last ?? firstKey));
    for (const child of children) out.u64(child.at, child.last);
    file.fill(at, out.upTo(kNodeSize).done());
    return { last: children.at(-1)?.last ?? firstKey, at };
  });
}

/** Writes the links of one group: a heap of names, symbol nodes, and the B-tree over them. */
export function writeLinks(file: FileParts, links: readonly Link[]): LinkTable {
  const named = sorted(links);
  const { at: heap, offsets } = writeHeap(
    file,
    named.map(({ bytes }) => bytes),
  );
  const entries = named.map(({ link }, i) => ({ link, offset: offsets[i] as number }));
  let nodes = groupsOf(entries, 2 * kLeafHalf).map((part) => writeSymbols(file, part));
  let level = 0;
  do {
    const children = nodes.length === 0 ? [[]] : groupsOf(nodes, 2 * kInternalHalf);
    nodes = writeLevel(file, level++, children, 0);
  } while (nodes.length > 1);
  return { tree: (nodes[0] as Node).at, heap };
}
