// SPDX-License-Identifier: MIT
// A program in the address: '#v1/code=…', base64url of the deflated text.
import { longest, pack, unpack } from '../shared/address.js';

/** The address of this page with a program; undefined for one that is longer than `programIn` reads. */
export async function address(text: string): Promise<string | undefined> {
  if (new TextEncoder().encode(text).length > longest) return undefined;
  return `${location.href.replace(/#.*$/s, '')}#v1/code=${await pack(text)}`;
}

export interface Came {
  text?: string;
  /** What is wrong with the address, in a sentence. */
  problem?: string;
}

/** Tolerant of what mailers and people do to addresses; nothing at all for an address without a program. */
export async function programIn(hash: string): Promise<Came> {
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
