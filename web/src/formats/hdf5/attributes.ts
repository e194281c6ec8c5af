// SPDX-License-Identifier: MIT
// Attributes of HDF5 objects, in which Keras keeps names and configs: "Attribute Message" and
// "Global Heap" in the HDF5 File Format Specification.
import type { TypedArray } from '../../base/nested.js';
import { type Cursor, damaged, type FileBytes } from './cursor.js';
import { countOf, type Datatype, readDataspace, readDatatype } from './datatype.js';
import { decode, isNumeric } from './decode.js';
import { denseMessages } from './dense.js';
import { kAttribute, kAttributeInfo, type Message } from './header.js';

/** Value of an attribute: a text, a number, a list of texts or an array of numbers. */
export type AttributeValue = string | number | string[] | TypedArray;

/** Reads the attributes of an object, except types that model files do not use. */
export function readAttributes(
  file: FileBytes,
  messages: readonly Message[],
): Map<string, AttributeValue> {
  const attributes = new Map<string, AttributeValue>();
  const add = (body: Cursor): void => {
    file.entry();
    const { name, value } = readAttribute(file, body);
    if (value !== undefined) attributes.set(name, value);
  };
  for (const { type, body } of messages) {
    if (type === kAttribute) add(body);
    else if (type === kAttributeInfo) {
      for (const attribute of denseMessages(file, attributeHeap(body))) add(attribute);
    }
  }
  return attributes;
}

function attributeHeap(body: Cursor): { heap: number; index: number } {
  body.skip(1);
  if (body.u8() & 1) body.skip(2);
  return { heap: body.address(), index: body.address() };
}

function readAttribute(
  file: FileBytes,
  body: Cursor,
): { name: string; value: AttributeValue | undefined } {
  const version = body.u8();
  if (version < 1 || version > 3) throw damaged(`an attribute has the unknown version ${version}`);
  body.skip(1);
  const sizes = [body.u16(), body.u16(), body.u16()] as const;
  if (version === 3) body.skip(1);
  // Version 1 pads each part to eight bytes.
  const part = (size: number): Cursor => {
    const content = body.part(size);
    if (version === 1) body.skip(-size & 7);
    return content;
  };
  const name = file.text(part(sizes[0]).bytes(sizes[0]));
  const type = readDatatype(part(sizes[1]));
  const shape = readDataspace(part(sizes[2]));
  return { name, value: readValue(file, type, shape, body) };
}

function readValue(
  file: FileBytes,
  type: Datatype,
  shape: number[] | null,
  body: Cursor,
): AttributeValue | undefined {
  const count = countOf(shape);
  const isScalar = shape?.length === 0;
  if (type.kind === 'string' || type.kind === 'text') {
    const strings = readStrings(file, type, count, body);
    return isScalar ? (strings[0] ?? '') : strings;
  }
  if (!isNumeric(type)) return undefined;
  const values = decode(body.bytes(count * type.size), type);
  return isScalar ? (values[0] as number) : values;
}

/** Reads strings of fixed length, or references to strings in a heap. */
function readStrings(file: FileBytes, type: Datatype, count: number, body: Cursor): string[] {
  if (count * Math.max(1, type.size) > body.remaining) {
    throw damaged(`an attribute has ${count} strings in ${body.remaining} bytes`);
  }
  return Array.from({ length: count }, () => {
    file.entry();
    const item = body.part(type.size);
    if (type.kind === 'string') return file.text(item.bytes(type.size)).trimEnd();
    const length = item.u32();
    return heapString(file, item.address(), item.u32(), length);
  });
}

function heapString(file: FileBytes, address: number, index: number, length: number): string {
  if (address <= 0 || length === 0) return '';
  const heap = file.heaps.get(address) ?? readHeap(file, address);
  file.heaps.set(address, heap);
  const string = heap.get(index);
  if (string) return file.text(string.subarray(0, length));
  throw damaged(`string ${index} is missing in the heap at ${address}`);
}

/** Reads all strings of a heap by number; many attributes share a heap. */
function readHeap(file: FileBytes, address: number): Map<number, Uint8Array> {
  const strings = new Map<number, Uint8Array>();
  const head = file.cursor(address).expect('GCOL', 'a heap of strings').skip(4);
  const size = head.length();
  const heap = file.cursor(address, size).skip(head.at - address);
  while (heap.remaining >= 8 + file.lengthSize) {
    const index = heap.u16();
    heap.skip(6);
    const length = heap.length();
    // Index 0 is the free space.
    if (index === 0) break;
    file.entry();
    if (!strings.has(index)) strings.set(index, heap.bytes(length));
    else heap.skip(length);
    heap.skip(Math.min(heap.remaining, -length & 7));
  }
  return strings;
}
