// SPDX-License-Identifier: MIT
// "Share" of a chapter: a link to it with its settings, an <iframe> of its figure for other sites,
// and the figure as SVG or PNG. The panel shows the frame as the other site will, and writes down
// the height that the frame reports.
import { readPlace, writePlace } from './address.js';
import { copyText } from './code.js';
import { find, h, say } from './dom.js';
import { highest } from './embed.js';
import { pngOf } from './png_file.js';
import { figureOf, svgOf } from './svg_file.js';
import { threadOwner } from './thread.js';

interface Look {
  theme: string;
  controls: string;
  ground: string;
}

/** Returns the page's address, a query, and the current settings of a chapter. */
function addressOf(id: string, query: string): string {
  const { values } = readPlace(location.hash);
  const own = new Map(
    [...values].filter(([owner]) => [id, 'padding', threadOwner].includes(owner)),
  );
  const [page] = location.href.split(/[?#]/);
  return `${page}${query}${writePlace({ chapter: id, values: own })}`;
}

/** Returns the address of a chapter's figure alone. */
export function figureAddress(id: string, { theme, controls, ground }: Look): string {
  const query = new URLSearchParams({ chapter: id, embed: 'figure' });
  if (theme !== 'auto') query.set('theme', theme);
  if (controls !== 'main') query.set('controls', controls);
  if (ground !== 'page') query.set('ground', ground);
  return addressOf(id, `?${query}`);
}

export function frameCode(address: string, title: string, height: number): string {
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  return `<iframe src="${escaped(address)}" title="${escaped(title)}" width="100%" height="${height}" style="border: 0" loading="lazy"></iframe>`;
}

/** Fills the panel of a chapter. */
export function fillPanel(section: HTMLElement, place: HTMLElement): void {
  new Panel(section, place);
}

/** Says why others cannot open an address; undefined if they can. */
export function privacyOf(address: string): string | undefined {
  const { protocol, hostname } = new URL(address);
  if (protocol === 'file:')
    return 'This page was opened from a folder, so its address is of use on this machine only.';
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  return isLocal
    ? 'Only this machine can open its own address; put the page on a host.'
    : undefined;
}

class Panel {
  private readonly status = h('span', { class: 'hint', role: 'status' });
  private readonly link: HTMLInputElement;
  private readonly address: HTMLInputElement;
  private readonly code: HTMLTextAreaElement;
  private readonly frame: HTMLIFrameElement;
  private readonly title: string;
  private readonly look: Look = { theme: 'auto', controls: 'main', ground: 'page' };
  private height = highest;

  constructor(
    private readonly section: HTMLElement,
    place: HTMLElement,
  ) {
    const { id } = section;
    this.title = find('h2', section).textContent.replace(/^\d+/, '').trim();
    this.link = h('input', { id: `${id}-link`, type: 'text', readonly: true });
    this.address = h('input', { id: `${id}-address`, type: 'text', readonly: true });
    this.code = h('textarea', { id: `${id}-frame`, class: 'mono', rows: 3, readonly: true });
    this.frame = h('iframe', { title: `Preview: ${this.title}`, height: highest });
    place.replaceChildren(
      this.field('Link to this chapter, as it is now', this.link, ...this.sending()),
      h('p', { class: 'hint' }, privacyOf(location.href) ?? ''),
      h('p', { class: 'label' }, 'The figure alone, on your own page'),
      this.frame,
      h(
        'div',
        { class: 'pair' },
        this.choice('theme', 'Theme', { auto: 'as the reader’s', light: 'light', dark: 'dark' }),
        this.choice('controls', 'Controls', { main: 'the main one', all: 'all', none: 'none' }),
        this.choice('ground', 'Background', { page: 'as here', none: 'transparent' }),
      ),
      this.field('Code for your page', this.code, this.copying(this.code, 'the code')),
      this.field('Address of the figure', this.address, this.copying(this.address, 'the address')),
      h(
        'div',
        { class: 'row' },
        this.button('Save as SVG', () => this.saveSvg()),
        this.button('Save as PNG', () => void this.savePng()),
        this.status,
      ),
    );
    addEventListener('message', this.hear);
    this.write();
  }

  /** Returns the buttons of the link; phones also have a dialog for sending it. */
  private sending(): HTMLElement[] {
    const copying = this.copying(this.link, 'the link');
    if (!navigator.share) return [copying];
    const send = async () => {
      // A visitor who closes the dialog rejects the promise.
      await navigator.share({ title: this.title, url: this.link.value }).catch(() => undefined);
    };
    return [copying, this.button('Send …', send)];
  }

  private copying(from: HTMLInputElement | HTMLTextAreaElement, what: string): HTMLElement {
    return this.button(`Copy ${what}`, () => this.copy(from.value));
  }

  private choice(name: keyof Look, label: string, options: { [value: string]: string }) {
    const select = h(
      'select',
      {},
      ...Object.entries(options).map(([value, text]) => h('option', { value }, text)),
    );
    select.addEventListener('change', () => {
      this.look[name] = select.value;
      this.write();
    });
    return this.field(label, select);
  }

  private field(label: string, control: HTMLElement, ...buttons: HTMLElement[]): HTMLElement {
    control.id ||= `${this.section.id}-share-${label.toLowerCase()}`;
    const name = h('label', { for: control.id }, label);
    return h('div', { class: 'field' }, name, h('div', { class: 'row' }, control, ...buttons));
  }

  private button(label: string, press: () => void): HTMLElement {
    const button = h('button', { type: 'button' }, label);
    button.addEventListener('click', press);
    return button;
  }

  private write(): void {
    const { id } = this.section;
    const address = figureAddress(id, this.look);
    this.link.value = addressOf(id, '');
    this.address.value = address;
    this.code.value = frameCode(address, this.title, this.height);
    if (this.frame.src !== address) this.frame.src = address;
  }

  /** Sets the height that the figure in the frame reports. */
  private readonly hear = ({ source, data }: MessageEvent): void => {
    if (!this.frame.isConnected) removeEventListener('message', this.hear);
    else if (source === this.frame.contentWindow && data?.type === 'maskflow:height') {
      this.height = Math.min(highest, Number(data.height) || highest);
      this.frame.height = String(this.height);
      this.code.value = frameCode(this.address.value, this.title, this.height);
    }
  };

  private async copy(text: string): Promise<void> {
    const copied = await copyText(text);
    say(this.status, copied ? 'Copied.' : 'Copying is not allowed here; select the text instead.');
  }

  /** Returns the figure, or undefined, and says so, if there is none or it waits for a guess. */
  private figure(): HTMLElement | undefined {
    const { classList } = this.section;
    const isRefused = classList.contains('refused');
    const figure = figureOf(this.section);
    if (!isRefused && figure.checkVisibility()) return figure;
    // A chapter that has not run yet is refused, too, but without a problem.
    const isAsking = classList.contains('asking') && find('.problem', this.section).hidden;
    say(
      this.status,
      isRefused && !isAsking
        ? 'There is no figure to save: the chapter says why.'
        : 'Guess first, or press “Show me”: this chapter draws its figure then.',
    );
    return undefined;
  }

  private saveSvg(): void {
    const figure = this.figure();
    if (!figure) return;
    const text = svgOf(figure, this.title);
    this.save(new Blob([text], { type: 'image/svg+xml' }), 'svg');
  }

  private async savePng(): Promise<void> {
    const figure = this.figure();
    if (!figure) return;
    try {
      this.save(await pngOf(figure, this.title), 'png');
    } catch (error) {
      say(this.status, error instanceof Error ? error.message : String(error));
    }
  }

  private save(file: Blob, ending: 'svg' | 'png'): void {
    const href = URL.createObjectURL(file);
    h('a', { href, download: `maskflow-${this.section.id}.${ending}` }).click();
    // The browser reads the file after click() has returned, a busy one much later.
    setTimeout(() => URL.revokeObjectURL(href), 60_000);
    say(this.status, 'Saved.');
  }
}
