// SPDX-License-Identifier: MIT
// Uses the page's controls at random. Both functions run in the page and are sent there as text, so
// they can use nothing from outside themselves.

/**
 * Runs before the scripts of the page. Records uncaught errors, the time for which the page froze,
 * and the memory that workers use.
 */
export function watch() {
  const seen = { faults: [], freezes: [], tensors: 0, heapBytes: 0, runs: 0 };
  window.__seen = seen;
  addEventListener('error', ({ message }) => seen.faults.push(`uncaught ${message}`));
  addEventListener('unhandledrejection', ({ reason }) =>
    seen.faults.push(`unhandled ${reason?.stack ?? reason}`),
  );
  try {
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries())
        if (duration > 100) seen.freezes.push(Math.round(duration));
    }).observe({ type: 'longtask' });
  } catch {
    // Ignores engines without long tasks: only Chromium reports them.
  }
  const hear = ({ data }) => {
    if (data?.kind !== 'finished') return;
    seen.runs++;
    seen.tensors = Math.max(seen.tensors, data.tensors);
    seen.heapBytes = Math.max(seen.heapBytes, data.heapBytes);
  };
  window.Worker = class extends Worker {
    constructor(...given) {
      super(...given);
      this.addEventListener('message', hear);
    }
  };
}

/**
 * Defines `__fuzz(first, count)`, which makes `count` random edits and returns their failures.
 * `first` is the seed of the first edit.
 */
export function install() {
  const state = { random: Math.random, trail: [], backs: 0 };
  const entries = history.length;
  const { pushState } = history;
  history.pushState = (...given) => {
    state.backs = 0;
    pushState.apply(history, given);
  };
  const whole = (low, high) => low + Math.floor(state.random() * (high - low + 1));
  const pick = (list) => list[whole(0, list.length - 1)];
  const generator = (seed) => {
    let at = seed >>> 0;
    return () => {
      at = (at + 0x6d2b79f5) >>> 0;
      let t = at;
      t = Math.imul(t ^ (t >>> 15), t | 1);
      t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
      return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
  };
  const texts =
    `|0|1|-1|−2|0.5|1e9|1e400|-0|NaN|Infinity|100000|007|0x10| 7 |1,2,3|x|[[1, 2]]|[[1,[2]]]|{}|[|null|"a"|()|([)]|a b c
d e|Hello world !
How are you|👨‍👩‍👧‍👦 e\u0301 \u202e|${'x'.repeat(300)}|${'a '.repeat(200)}|</p><img src=x onerror=alert(1)>|'; throw 1; '|\${1}|\\|\`|undefined|toString|__proto__|e.l|e.e.e.e|0.1,0.2,1.3|27,x,31|r0t1|%|a=b&c=d`.split(
      '|',
    );
  // Replaced by empty functions, because the browser does not know the pointers of synthetic events
  // and would throw.
  for (const name of ['setPointerCapture', 'releasePointerCapture'])
    Element.prototype[name] = () => {};
  const chapters = () => [...document.querySelectorAll('.chapter[id]')];
  const visible = (element) => element.checkVisibility?.() ?? true;
  const say = (control) =>
    `${control.closest('section')?.id}.${control.name || control.textContent.slice(0, 20)}`;

  function fire(control) {
    control.dispatchEvent(new Event('input', { bubbles: true }));
    control.dispatchEvent(new Event('change', { bubbles: true }));
  }

  function edit(control) {
    if (control.type === 'radio' || control.type === 'checkbox') control.click();
    else if (control.tagName === 'SELECT') {
      control.selectedIndex = whole(0, control.options.length - 1);
      fire(control);
    } else if (control.type === 'range') {
      const [low, high] = [Number(control.min || 0), Number(control.max || 100)];
      control.value = String(whole(low, high));
      fire(control);
    } else {
      const limit = control.maxLength > 0 ? control.maxLength : 1e5;
      control.value = pick(texts).slice(0, limit);
      fire(control);
    }
    return `${say(control)} = ${JSON.stringify(control.type === 'checkbox' ? control.checked : control.value).slice(0, 60)}`;
  }

  const named = (section) =>
    [...section.querySelectorAll('form [name]')].filter(
      ({ name, type, disabled }) => name !== 'code' && type !== 'file' && !disabled,
    );

  async function packed(text) {
    const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    return btoa(String.fromCharCode(...bytes))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replace(/=+$/, '');
  }

  const actions = {
    control() {
      const open = named(pick(chapters())).filter(({ type }) => type !== 'hidden');
      return open.length > 0 ? edit(pick(open)) : 'nothing';
    },
    button() {
      const all = [...pick(chapters()).querySelectorAll('button:not(:disabled)')].filter(visible);
      // Skips buttons that need a permission of the browser or start a long run.
      const some = all.filter(
        (each) => !/copy|measure|train|epoch|start|play/i.test(each.textContent),
      );
      if (some.length === 0) return 'nothing';
      const button = pick(some);
      button.click();
      return `click ${say(button)}`;
    },
    address() {
      const pairs = Array.from({ length: whole(0, 4) }, () => {
        const section = pick(chapters());
        const control = pick(named(section).concat({ name: 'none' }));
        return `${section.id}.${control.name}=${encodeURIComponent(pick(texts))}`;
      });
      const version = pick(['v1/', 'v1/', '', 'v9/']);
      state.backs = 0;
      location.hash = `#${version}${pick([...chapters().map(({ id }) => id), '3', '', 'none'])}?${pairs.join('&')}`;
      return `address ${location.hash.slice(0, 160)}`;
    },
    back() {
      const way = pick(['back', 'back', 'forward']);
      // Does not go back to a page before this one.
      if (way === 'back' && state.backs + 1 >= history.length - entries) return 'nothing';
      state.backs = Math.max(0, state.backs + (way === 'back' ? 1 : -1));
      history[way]();
      return way;
    },
    key() {
      const reachable = [
        ...pick(chapters()).querySelectorAll('[tabindex="0"], svg [role], td, .cell'),
      ].filter(visible);
      if (reachable.length === 0) return 'nothing';
      const target = pick(reachable);
      target.focus?.();
      const key = pick([
        'ArrowLeft',
        'ArrowRight',
        'ArrowUp',
        'ArrowDown',
        'Home',
        'End',
        ' ',
        'Enter',
        'Escape',
        'Delete',
      ]);
      for (const type of ['keydown', 'keyup'])
        target.dispatchEvent(new KeyboardEvent(type, { key, bubbles: true, cancelable: true }));
      return `key ${key} on ${target.tagName} of ${target.closest('section').id}`;
    },
    pointer() {
      const all = [...pick(chapters()).querySelectorAll('.picture *')].filter(visible);
      if (all.length === 0) return 'nothing';
      const target = pick(all);
      const box = target.getBoundingClientRect();
      const at = {
        clientX: box.x + box.width / 2,
        clientY: box.y + box.height / 2,
        pointerId: 1,
        button: 0,
        buttons: 1,
      };
      for (const type of ['pointerover', 'pointerdown', 'pointermove', 'pointerup'])
        target.dispatchEvent(new PointerEvent(type, { ...at, bubbles: true, cancelable: true }));
      return `pointer on ${target.tagName}.${target.getAttribute('class')} of ${target.closest('section').id}`;
    },
    async program() {
      const section = pick(chapters());
      const text = section.querySelector('.code pre code')?.textContent;
      if (!text) return 'nothing';
      const lines = text.split('\n');
      const at = whole(0, lines.length - 1);
      const other = pick([
        '',
        'throw new Error("mine");',
        'const x = 1;',
        'while (true);',
        'Promise.reject(1);',
        'show(undefined);',
        `console.log(${pick(['undefined', 'globalThis', '[1, [2]]', '() => 1'])});`,
        lines[whole(0, lines.length - 1)],
        lines[at].replace(/\d+/, () => String(whole(0, 9))),
      ]);
      // An endless program costs its whole time limit, so most of them are replaced.
      lines[at] = other === 'while (true);' && state.random() > 0.1 ? 'let y = 2;' : other;
      state.backs = 0;
      location.hash = `#v1/${section.id}?${section.id}.code=${await packed(lines.join('\n'))}`;
      await new Promise((done) => setTimeout(done, 100));
      const run = [...section.querySelectorAll('.code button')].find(
        (each) => each.textContent === 'Run' && !each.hidden,
      );
      run?.click();
      return `program of ${section.id}: line ${at + 1} is ${JSON.stringify(lines[at]).slice(0, 60)}`;
    },
  };
  const often = [
    'control',
    'control',
    'control',
    'control',
    'button',
    'address',
    'back',
    'key',
    'pointer',
  ];

  // True for chapters that run until they are stopped, or that wait for a click.
  const runs = ({ id }) => id === 'cost' || id === 'learning';
  const undrawn = () =>
    chapters().filter((section) => section.dataset.drawn === 'no' && !runs(section));

  async function settled() {
    const end = performance.now() + 70_000;
    let quiet = 0;
    while (quiet < 3) {
      await new Promise((done) => setTimeout(done, 15));
      quiet = undrawn().length > 0 ? 0 : quiet + 1;
      if (performance.now() > end) return false;
    }
    return true;
  }

  const raw =
    /undefined|\[object|is not a function|is not iterable|is not defined|Cannot read|can't access|null is not|TypeError|ReferenceError|RangeError|SyntaxError|InternalError|WebAssembly|The program stopped/;

  function wrong(section) {
    const { id } = section;
    const edited = new RegExp(`[?&]${id}\\.code=`).test(location.hash);
    const problem = section.querySelector('.problem:not([hidden])');
    const said = section.querySelector('.says')?.textContent ?? '';
    // Ignores quotations, which may contain typed text.
    if (problem && !edited && raw.test(problem.textContent.replace(/“[^”]*”/g, '')))
      return `${id} complains raw: ${problem.textContent}`;
    if (problem && problem.textContent.trim() === '') return `${id} has an empty complaint`;
    if (/undefined|\[object/.test(said)) return `${id} says: ${said}`;
    if (problem && said) return `${id} says “${said}” and complains “${problem.textContent}”`;
    if (problem && !section.classList.contains('refused')) return `${id} keeps an old figure`;
    if (section.classList.contains('waiting') && !runs(section)) return `${id} waits for ever`;
    return undefined;
  }

  window.__fuzz = async (first, count) => {
    const failures = [];
    for (let n = first; n < first + count; n++) {
      state.random = generator(n);
      const kind = state.random() < 0.06 ? 'program' : pick(often);
      const before = window.__seen.freezes.length;
      const what = await actions[kind]();
      state.trail = [...state.trail.slice(-5), `${n} ${what}`];

      const fail = (text) =>
        failures.push(
          `${text}\n    after ${state.trail.join(' | ')}\n    at ${location.hash.slice(0, 300)}`,
        );
      if (!(await settled())) fail(`not drawn: ${undrawn().map(({ id }) => id)}`);
      for (const section of chapters()) {
        const found = wrong(section);
        if (found) fail(found);
      }
      for (const fault of window.__seen.faults.splice(0)) fail(fault);
      // Short freezes may come from a busy machine.
      for (const time of window.__seen.freezes.slice(before))
        if (time > 500) fail(`froze for ${time} ms`);
      const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
      if (wide > 0) fail(`scrolls sideways by ${wide}`);
      if (failures.length > 30) break;
    }
    const { tensors, heapBytes, runs, freezes } = window.__seen;
    return { failures, tensors, heapBytes, runs, freezes };
  };
}
