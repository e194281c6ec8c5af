// SPDX-License-Identifier: MIT
// A program of the docs with what one can do with it: run it here, or take it to the playground.
import { defineComponent, h, onBeforeUnmount, onMounted, ref } from 'vue';
import { playgroundAddress, runProgram } from './run.js';

type State = 'ready' | 'running' | 'done' | 'failed';

const told: { [state in State]: string } = {
  ready: '',
  running: 'Running …',
  done: 'Finished.',
  failed: 'Stopped by an error.',
};

export const RunBlock = defineComponent({
  name: 'RunBlock',
  props: { reason: { type: String, default: undefined } },
  setup({ reason }, { slots }) {
    const block = ref<HTMLElement>();
    const state = ref<State>('ready');
    const printed = ref('');
    const problem = ref<string>();
    const playground = ref<string>();
    let stop: AbortController | undefined;

    const text = () => block.value?.querySelector('pre code')?.textContent ?? '';

    async function run() {
      if (state.value === 'running') return stop?.abort();
      stop = new AbortController();
      state.value = 'running';
      printed.value = '';
      problem.value = undefined;
      const { error } = await runProgram(text(), {
        signal: stop.signal,
        onOutput: (line) => {
          printed.value += `${line}\n`;
        },
      });
      problem.value = error;
      state.value = error === undefined ? 'done' : 'failed';
    }

    onMounted(async () => {
      if (reason === undefined) playground.value = await playgroundAddress(text());
    });
    onBeforeUnmount(() => stop?.abort());

    const buttons = () => [
      h(
        'button',
        { type: 'button', class: 'run', onClick: run },
        state.value === 'running' ? 'Stop' : 'Run',
      ),
      h(
        'a',
        { class: 'to-playground', href: playground.value, target: '_self' },
        'Open in the playground',
      ),
    ];
    const result = () =>
      state.value !== 'ready' &&
      h('div', { class: 'result' }, [
        // Long lines scroll, by keyboard as well.
        printed.value !== '' &&
          h(
            'pre',
            { class: 'printed', tabindex: 0, 'aria-label': 'What the program printed' },
            printed.value,
          ),
        problem.value !== undefined && h('p', { class: 'problem' }, problem.value),
        state.value === 'done' && printed.value === '' && h('p', 'It printed nothing.'),
      ]);

    return () =>
      h('div', { class: 'run-block', ref: block }, [
        slots.default?.(),
        h('div', { class: 'actions' }, reason === undefined ? buttons() : h('p', reason)),
        h('p', { class: 'visually-hidden', role: 'status' }, told[state.value]),
        result(),
      ]);
  },
});
