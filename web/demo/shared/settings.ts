// SPDX-License-Identifier: MIT
/** What a panel's form holds, by control name; checkboxes are '1' or '0'. */
export type Values = Map<string, string>;

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

function controls(form: HTMLFormElement): Control[] {
  return ([...form.elements] as Control[]).filter((control) => control.name);
}

export function readForm(form: HTMLFormElement): Values {
  const values: Values = new Map();
  for (const control of controls(form)) {
    if (control.type === 'radio') {
      if ((control as HTMLInputElement).checked) values.set(control.name, control.value);
    } else if (control.type === 'checkbox') {
      values.set(control.name, (control as HTMLInputElement).checked ? '1' : '0');
    } else values.set(control.name, control.value);
  }
  return values;
}

export function writeForm(form: HTMLFormElement, values: Values): void {
  for (const control of controls(form)) {
    const value = values.get(control.name);
    if (value === undefined) continue;
    if (control.type === 'radio') (control as HTMLInputElement).checked = control.value === value;
    else if (control.type === 'checkbox') (control as HTMLInputElement).checked = value === '1';
    else control.value = value;
  }
}

/** Typed reading of values; what a form cannot hold is answered with the fallback. */
export class Settings {
  constructor(private readonly values: Values) {}

  text(name: string): string {
    return this.values.get(name) ?? '';
  }
  flag(name: string): boolean {
    return this.values.get(name) === '1';
  }
  /** NaN when the field says so, `undefined` when it is empty. */
  number(name: string): number | undefined {
    const text = this.text(name).trim();
    return text === '' ? undefined : Number(text);
  }
}
