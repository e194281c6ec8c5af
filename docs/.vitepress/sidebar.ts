// SPDX-License-Identifier: MIT
// The navigation: the guides by their headings; layers, ops and the rest of the API from the output
// of TypeDoc.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { DefaultTheme } from 'vitepress';

type Item = DefaultTheme.SidebarItem;

const docs = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const names = (folder: string) =>
  existsSync(docs(folder))
    ? readdirSync(docs(folder))
        .filter((name) => name.endsWith('.md') && name !== 'index.md')
        .map((name) => name.slice(0, -'.md'.length))
        .sort((a, b) => a.localeCompare(b, 'en'))
    : [];

function headed(path: string): Item {
  const heading = /^# (.+)$/m.exec(readFileSync(docs(`${path}.md`), 'utf8'))?.[1];
  return { text: (heading ?? path).replaceAll(/[`\\]/g, ''), link: `/${path}` };
}
const group = (text: string, ...items: Item[]): Item => ({ text, items });
const there = (...paths: string[]) =>
  paths.filter((path) => existsSync(docs(`${path}.md`))).map(headed);

/** In the order in which one learns; those that are not named here come last. */
const order = [
  ...[
    'start',
    'masks',
    'what-a-masked-step-outputs',
    'debugging-masks',
    'drawing',
    'padding',
    'text',
  ],
  ...[
    'from-pytorch',
    'model-files',
    'streaming',
    'int8',
    'workers',
    'threads',
    'scale',
    'training',
    'measures',
    'custom-layers',
  ],
];
const place = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
const guides = names('guides').sort((a, b) => place(a) - place(b));

const top: Item[] = [
  group(
    'Start',
    { text: 'Overview', link: '/' },
    ...guides.filter((name) => name === 'start').map((name) => headed(`guides/${name}`)),
    ...there('tasks', 'faq', 'alternatives'),
  ),
  group(
    'Guides',
    ...guides.filter((name) => name !== 'start').map((name) => headed(`guides/${name}`)),
    ...there('training', 'programs'),
  ),
  group('Coming from', ...there('from-keras', 'keras-names', 'from-tensorflow-js')),
  group('Use it in', ...there('recipes', 'command')),
  group('Look up', ...there('layers', 'errors', 'model-files', 'compatibility', 'performance'), {
    text: 'API',
    link: '/api/',
  }),
  {
    text: 'Contributing',
    link: '/contributing',
    collapsed: true,
    items: [
      ...there('architecture', 'releasing', 'changelog', 'security', 'conduct'),
      {
        text: 'Internals',
        link: '/architecture',
        collapsed: true,
        items: names('internals').map((name) => headed(`internals/${name}`)),
      },
    ],
  },
].filter(({ items }) => items?.length);

const layersFolder = 'api/maskflow/classes';
const opsFolder = 'api/maskflow/namespaces/ops/functions';
const made = (folder: string): Item[] =>
  names(folder).map((name) => ({ text: name, link: `/${folder}/${name}` }));

const layerNames = new Set(
  [...readFileSync(docs('layers.md'), 'utf8').matchAll(/^\| (\w+)/gm)]
    .map(([, name]) => name)
    .concat('Lambda'),
);
const isLayer = ({ text }: Item) => layerNames.has(text);

/**
 * TypeDoc's own tree, without what has a list of its own. Its groups get links: VitePress makes a button in a button of one that
 * has none.
 */
function tree(): Item[] {
  const file = docs('api/typedoc-sidebar.json');
  if (!existsSync(file)) return [];
  const without = (items: Item[], page: string): Item[] =>
    items
      .filter(({ text }) => text !== 'ops')
      .map((item) => {
        if (!item.items) return item;
        const link = item.link ?? `${page}#${item.text?.toLowerCase().replaceAll(' ', '-')}`;
        return { ...item, link, items: without(item.items, item.link ?? page) };
      })
      .filter((item) => !(item.link?.startsWith(`/${layersFolder}`) && isLayer(item)));
  return without(JSON.parse(readFileSync(file, 'utf8')), '/api/');
}

const lists: Item[] = [
  { text: 'Layers', link: '/layers' },
  { text: 'Ops', link: '/api/maskflow/namespaces/ops/' },
  { text: 'All of the API', link: '/api/' },
];

export const sidebar: DefaultTheme.Sidebar = {
  '/': top,
  '/api/': [group('Look up', ...lists), ...tree()],
  [`/${layersFolder}/`]: [
    group('Look up', ...lists),
    group('Layers', ...made(layersFolder).filter(isLayer)),
    group('Classes', ...made(layersFolder).filter((item) => !isLayer(item))),
  ],
  '/api/maskflow/namespaces/ops/': [group('Look up', ...lists), group('Ops', ...made(opsFolder))],
};

/** Targets: what lies beside the docs is no business of their own navigation. */
export const nav: DefaultTheme.NavItem[] = [
  { text: 'Guides', link: '/', activeMatch: '^/(?!api/|layers)' },
  { text: 'Layers', link: '/layers', activeMatch: '^/layers|^/api/maskflow/classes/' },
  { text: 'API', link: '/api/', activeMatch: '^/api/(?!maskflow/classes/)' },
  { text: 'Try it', link: '/../', target: '_self' },
  { text: 'Playground', link: '/../playground/', target: '_self' },
];
