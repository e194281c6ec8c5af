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
/** Links to a section whose page has another title. Throws an error if it has no such heading. */
function section(text: string, path: string, heading: string): Item {
  const headings = readFileSync(docs(`${path}.md`), 'utf8').split('\n');
  if (!headings.includes(`## ${heading}`)) throw new Error(`${path}.md has no ${heading}`);
  return { text, link: `/${path}#${heading.toLowerCase().replaceAll(' ', '-')}` };
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
    'tags',
    'keras-tokenizer',
    'sklearn-scaler',
  ],
  ...[
    'port',
    'from-pytorch',
    'model-files',
    'streaming',
    'int8',
    'scale',
    'threads',
    'workers',
    'offline',
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
  group(
    'Use it in',
    ...there('recipes', 'command'),
    section('A Content-Security-Policy', 'guides/offline', 'The policy'),
    section('An embedded figure', 'guides/drawing', 'Figures of the page in yours'),
    section('Little memory', 'guides/start', 'Tensors and memory'),
  ),
  group('Look up', ...there('layers', 'errors', 'model-files', 'compatibility', 'performance'), {
    text: 'API',
    link: '/api/',
  }),
  {
    text: 'Contributing',
    link: '/contributing',
    collapsed: true,
    items: [
      ...names('contributing').map((name) => headed(`contributing/${name}`)),
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
const made = (folder: string): Item[] =>
  names(folder).map((name) => ({ text: name, link: `/${folder}/${name}` }));

const layerNames = new Set(
  [...readFileSync(docs('layers.md'), 'utf8').matchAll(/^\| (\w+)/gm)]
    .map(([, name]) => name)
    .concat('Lambda'),
);
const isLayer = ({ text }: Item) => layerNames.has(text);

const lists: Item[] = [
  { text: 'Layers', link: '/layers' },
  { text: 'Ops', link: '/api/maskflow/namespaces/ops/' },
  { text: 'All of the API', link: '/api/' },
];

/** Headings of TypeDoc's folders, one for each kind of export. */
const kinds: { [folder: string]: string } = {
  functions: 'Functions',
  classes: 'Classes',
  variables: 'Variables',
  interfaces: 'Interfaces',
  'type-aliases': 'Type Aliases',
};

/** Returns the folders of all entries and namespaces of the reference. */
function owners(folder = 'api'): string[] {
  if (!existsSync(docs(folder))) return [];
  const inner = readdirSync(docs(folder), { withFileTypes: true })
    .filter((each) => each.isDirectory() && !(each.name in kinds))
    .flatMap(({ name }) => owners(`${folder}/${name}`));
  return names(`${folder}/functions`).length + names(`${folder}/interfaces`).length > 0 ||
    existsSync(docs(`${folder}/index.md`))
    ? [folder, ...inner]
    : inner;
}

const titleOf = (owner: string) => owner.replace('api/', '').replaceAll('/namespaces', '');

/**
 * Lists the pages of one kind of an owner, and links to its other kinds. A list of all pages would
 * be most of each page's bytes.
 */
function listOf(owner: string, kind: string): Item[] {
  const heading = (each: string) => kinds[each] ?? each;
  const others = Object.keys(kinds)
    .filter((each) => each !== kind && names(`${owner}/${each}`).length > 0)
    .map((each) => ({
      text: heading(each),
      link: `/${owner}/#${heading(each).toLowerCase().replaceAll(' ', '-')}`,
    }));
  const pages = made(`${owner}/${kind}`);
  return [
    group('Look up', ...lists),
    group(`${heading(kind)} of ${titleOf(owner)}`, ...pages),
    ...(others.length > 0 ? [group(`More of ${titleOf(owner)}`, ...others)] : []),
  ];
}

const reference: { [path: string]: Item[] } = {
  '/api/': [
    group('Look up', ...lists),
    group(
      'Entries and namespaces',
      ...owners()
        .filter((owner) => owner !== 'api')
        .map((owner) => ({ text: titleOf(owner), link: `/${owner}/` })),
    ),
  ],
};
for (const owner of owners()) {
  for (const kind of Object.keys(kinds)) {
    if (names(`${owner}/${kind}`).length > 0) reference[`/${owner}/${kind}/`] = listOf(owner, kind);
  }
}

export const sidebar: DefaultTheme.Sidebar = {
  '/': top,
  ...reference,
  [`/${layersFolder}/`]: [
    group('Look up', ...lists),
    group('Layers', ...made(layersFolder).filter(isLayer)),
    group('Classes', ...made(layersFolder).filter((item) => !isLayer(item))),
  ],
};

/** Targets: what lies beside the docs is no business of their own navigation. */
export const nav: DefaultTheme.NavItem[] = [
  { text: 'Guides', link: '/', activeMatch: '^/(?!api/|layers)' },
  { text: 'Layers', link: '/layers', activeMatch: '^/layers|^/api/maskflow/classes/' },
  { text: 'API', link: '/api/', activeMatch: '^/api/(?!maskflow/classes/)' },
  { text: 'Try it', link: '/../', target: '_self' },
  { text: 'Playground', link: '/../playground/', target: '_self' },
];
