// SPDX-License-Identifier: MIT
// The address after '#': the panel last touched, then every setting that is not the default one.
// '#follow&follow.model=plus&padding.maxlen=8'
import type { Values } from './settings.js';

export interface Place {
  panel: string;
  values: Map<string, Values>;
}

export function readPlace(hash: string): Place {
  const [panel = '', ...rest] = hash.replace(/^#/, '').split('&');
  const values = new Map<string, Values>();
  for (const [key, value] of new URLSearchParams(rest.join('&'))) {
    const [owner = '', name = ''] = key.split(/\.(.*)/s);
    const own = values.get(owner) ?? new Map<string, string>();
    values.set(owner, own.set(name, value));
  }
  return { panel, values };
}

export function writePlace({ panel, values }: Place): string {
  const settings = new URLSearchParams();
  for (const [owner, own] of values) {
    for (const [name, value] of own) settings.set(`${owner}.${name}`, value);
  }
  const text = settings.toString();
  return `#${panel}${text ? `&${text}` : ''}`;
}

/** Those of `values` that differ from the defaults. */
export function changes(values: Values, defaults: Values): Values {
  return new Map([...values].filter(([name, value]) => defaults.get(name) !== value));
}
