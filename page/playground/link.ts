// SPDX-License-Identifier: MIT
// A program in the address: '#v1/code=…', base64url of the deflated text.
import { longest, pack, unpack } from '../shared/address.js';

/**
 * Returns the address of this page with a program; undefined if `programIn` would find it too long.
 */
export async function address(text: string): Promise<string | undefined> {
  if (new TextEncoder().encode(text).length > longest) return undefined;
  return `${location.href.replace(/#.*$/s, '')}#v1/code=${await pack(text)}`;
}

export interface Received {
  text?: string;
  /** A sentence that says what is wrong with the address. */
  problem?: string;
}

/**
 * Reads the program of an address, even if mail programs changed it; {} if the address has none.
 */
export async function programIn(hash: string): Promise<Received> {
  const rest = hash.replace(/^#\/?/, '').trim();
  if (rest === '') return {};
  const packed = /^(?:v\d+\/)?\??code=([^&]*)/.exec(rest)?.[1];
  if (packed === undefined) {
    return {
      problem: 'The address holds no program that this page can read; here is an example instead.',
    };
  }
  const letters = percentless(packed).replace(/[\s=]/g, '');
  const text = letters === '' ? undefined : await unpack(letters);
  if (text !== undefined) return { text };
  return {
    problem:
      'The program in the address is damaged: perhaps the link was cut off. Here is an example instead.',
  };
}

function percentless(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
