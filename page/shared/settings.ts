// SPDX-License-Identifier: MIT
/** The values of a chapter's form by control name; checkboxes are '1' or '0'. */
export type Values = Map<string, string>;

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

function controls(form: HTMLFormElement): Control[] {
  return ([...form.elements] as Control[]).filter((control) => control.name);
}

export function readForm(form: HTMLFormElement): Values {
  return valuesOf(form, {
    checked: (control) => control.checked,
    value: (control) => control.value,
  });
}

/**
 * Reads the default values from the form's HTML. The current values may differ already: a visitor
 * can use a control before the chapter's script is loaded.
 */
export function readDefaults(form: HTMLFormElement): Values {
  return valuesOf(form, {
    checked: (control) => control.defaultChecked,
    value: (control) => {
      if (!(control instanceof HTMLSelectElement)) return control.defaultValue;
      const options = [...control.options];
      return (options.find((option) => option.defaultSelected) ?? options[0])?.value ?? '';
    },
  });
}

interface ControlReader {
  checked(control: HTMLInputElement): boolean;
  value(control: Control): string;
}

function valuesOf(form: HTMLFormElement, { checked, value }: ControlReader): Values {
  const values: Values = new Map();
  for (const control of controls(form)) {
    if (control.type === 'radio') {
      if (checked(control as HTMLInputElement)) values.set(control.name, control.value);
    } else if (control.type === 'checkbox') {
      values.set(control.name, checked(control as HTMLInputElement) ? '1' : '0');
    } else if (control.type !== 'file') values.set(control.name, value(control));
  }
  return values;
}

/** Writes the values that the controls accept: an address may contain any name and any value. */
export function writeForm(form: HTMLFormElement, values: Values): void {
  for (const control of controls(form)) {
    const value = values.get(control.name);
    if (value === undefined || control.type === 'file') continue;
    if (control.type === 'radio') {
      if (control.value === value) (control as HTMLInputElement).checked = true;
    } else if (control.type === 'checkbox') (control as HTMLInputElement).checked = value === '1';
    else if (control instanceof HTMLSelectElement) {
      if ([...control.options].some((option) => option.value === value)) control.value = value;
    } else control.value = value.slice(0, longest(control));
  }
}

/** The detail of an event that no visitor caused: it adds no entry to the history. */
export const alone = Symbol('alone');

/**
 * Sets a control and sends the events of a pointer that is moving ('changing') or released
 * ('done'), or of the page by itself ('alone'). `chapter` is the chapter that the visitor uses, if
 * it is not the form's own.
 */
export function drive(
  form: HTMLFormElement,
  name: string,
  value: string,
  how: 'changing' | 'done' | 'alone' = 'done',
  chapter?: string,
): void {
  writeForm(form, new Map([[name, value]]));
  const control = controls(form).find((each) => each.name === name);
  const detail = how === 'alone' ? alone : chapter;
  const event = (type: string) => new CustomEvent(type, { bubbles: true, detail });
  control?.dispatchEvent(event('input'));
  if (how === 'done') control?.dispatchEvent(event('change'));
}

/** Returns the chapter that the visitor uses, if it sent the event to the form of another. */
export const visitedBy = (event: Event): string | undefined =>
  event instanceof CustomEvent && typeof event.detail === 'string' ? event.detail : undefined;

const longest = (control: Control): number =>
  'maxLength' in control && control.maxLength > 0 ? control.maxLength : 20_000;

/** Reads values with their types; a value that the form cannot have becomes the default. */
export class Settings {
  constructor(readonly values: Values) {}

  text(name: string): string {
    return this.values.get(name) ?? '';
  }
  flag(name: string): boolean {
    return this.values.get(name) === '1';
  }
  /** Returns a number: NaN if the text is not a number, `undefined` if it is empty. */
  number(name: string): number | undefined {
    const text = this.text(name).trim().replace('−', '-');
    return text === '' ? undefined : Number(text);
  }
  /** Returns an integer, clamped to the limits; `undefined` if the text is not a number. */
  integer(name: string, min: number, max: number): number | undefined {
    const value = this.number(name);
    if (value === undefined || Number.isNaN(value)) return undefined;
    return Math.min(max, Math.max(min, Math.round(value)));
  }
  /** Returns one of the offered values; the first of them if the text is something else. */
  choice<T extends string>(name: string, ...offered: [T, ...T[]]): T {
    const value = this.text(name);
    return offered.find((each) => each === value) ?? offered[0];
  }
  /** Returns a list of integers such as '3,5,8', with at most 1000 items. */
  list(name: string): number[] {
    const parts = this.text(name).split(',').filter(Boolean).map(Number);
    return parts.filter((part) => Number.isInteger(part)).slice(0, 1000);
  }
}
