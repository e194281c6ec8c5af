// SPDX-License-Identifier: MIT
// Finds what documents and comments name although it does not exist: paths, commands, their
// options, and identifiers.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { checkMain, projectFiles } from './lib/checks.mjs';
import { at } from './lib/files.mjs';

const sourceEndings = new Set(
  '.cpp .hpp .ts .mjs .js .cmake .sh .py .css .html .yml .json'.split(' '),
);
/** Paths that the repository lacks on purpose: of a build, a user's project or other programs. */
const elsewhere =
  /^(maskflow\/dist|dist|build|docs\/api|node_modules|packed|public|assets|tmp|app|my|your|model|models|weights)\b|^[~.@<$/]|\bNAME\b|\.\.\.|[*<>{}…]|^(https?|file|data):/;
/** Folders that a mentioned path may be relative to. */
const bases = ['', 'src/', 'web/src/', 'web/', 'docs/', 'tests/', 'scripts/', 'page/', 'bench/'];

const isDocument = (path) => path.endsWith('.md') && !/fixtures\/|\.api\.md$/.test(path);
/** True for changelogs, which may name things that were removed. */
const isHistory = (path) => /^(CHANGELOG|docs\/changelog)\.md$/.test(path);
const isSource = (path) =>
  /\.(cpp|hpp|ts|mjs|js|cmake|sh|py|css)$/.test(path) && !/fixtures\/|\.gen\.ts$/.test(path);

/** Yields the comments of a source, each with its line number. */
function* commentsOf(path, text) {
  const mark = /\.(cmake|sh|py)$/.test(path)
    ? /^\s*#(.*)|\s#\s(.*)/
    : /^\s*(?:\/\/|\/?\*)(.*)|\s\/\/\s(.*)/;
  for (const [index, line] of text.split('\n').entries()) {
    const found = mark.exec(line);
    if (found) yield [index + 1, found[1] ?? found[2]];
  }
}

class Project {
  constructor(files) {
    this.files = new Set(files);
    this.folders = new Set();
    this.stems = new Set();
    for (const file of files) {
      for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) {
        this.folders.add(folder);
      }
      this.stems.add(file.slice(0, file.length - extname(file).length));
    }
    this.words = new Set();
    for (const file of files) {
      if (isSource(file) || /\.(gen\.ts|json|yml|html|txt)$/.test(file)) this.addWords(file);
    }
    this.scripts = JSON.parse(readFileSync(at('package.json'), 'utf8')).scripts;
  }

  addWords(file) {
    for (const [word] of readFileSync(at(file), 'utf8').matchAll(/[A-Za-z_$][\w$]*/g)) {
      this.words.add(word);
    }
  }

  /** Returns whether a path exists, relative to the root, a base or the document's folder. */
  hasPath(path, document) {
    const clean = path.replace(/\/$/, '');
    return (
      [...bases, `${dirname(document)}/`].some((base) => {
        const full = join(base, clean);
        return this.files.has(full) || this.folders.has(full) || this.stems.has(full);
      }) || this.endsSomeFile(clean)
    );
  }

  /** Returns whether some file's path ends with this path, with or without its extension. */
  endsSomeFile(path) {
    const ending = `/${path}`;
    for (const names of [this.files, this.stems, this.folders]) {
      for (const name of names) if (name.endsWith(ending)) return true;
    }
    return false;
  }
}

const looksLikePath = (text) =>
  /^[\w.@-]+(\/[\w.@-]+)+\/?$/.test(text) &&
  !elsewhere.test(text) &&
  (sourceEndings.has(extname(text)) ||
    /^(src|web|docs|tests|scripts|page|bench|bindings|examples)\//.test(text));

/**
 * Returns whether a script, or a file that it imports, reads the option (in quotes or by
 * parseArgs).
 */
function readsOption(script, option) {
  const text = readFileSync(at(script), 'utf8');
  const imported = [...text.matchAll(/from '(\.[^']+)'/g)]
    .map(([, path]) => join(dirname(script), path))
    .filter((path) => existsSync(at(path)));
  const name = option.replace(/^--/, '');
  const reads = new RegExp(`['"\`-]${name}['"\`=]|\\b${name}:`);
  return [text, ...imported.map((path) => readFileSync(at(path), 'utf8'))].some((source) =>
    reads.test(source),
  );
}

/** Yields complaints about one command line. */
function* wrongCommand(line, project) {
  const npm = /\bnpm (?:run ([\w:-]*\w)|(test|start))((?: --)?(?: --?[\w-]+(?:=\S+)?)*)/.exec(line);
  if (npm) {
    const name = npm[1] ?? npm[2];
    const script = project.scripts[name];
    if (!script) yield `there is no npm script '${name}'`;
    else yield* wrongOptions(sourceOf(script, project), npm[3], project);
  }
  const node =
    /\bnode ((?:scripts|tests|examples|bench)\/[\w./-]*\w)((?: --?[\w-]+(?:=\S+)?)*)/.exec(line);
  if (node) {
    if (!project.files.has(node[1])) yield `there is no ${node[1]}`;
    else yield* wrongOptions(node[1], node[2], project);
  }
}

/** Returns the file that has the options of an npm script: bench/NAME.mjs for a benchmark. */
function sourceOf(script, project) {
  const [, path, name] = /(scripts\/[\w/-]+\.mjs)(?: (\w+))?/.exec(script) ?? [];
  const benchmark = `bench/${name}.mjs`;
  return project.files.has(benchmark) ? benchmark : path;
}

function* wrongOptions(script, options, project) {
  if (!script || !project.files.has(script)) return;
  for (const [option] of (options ?? '').matchAll(/--[\w-]{2,}/g)) {
    if (!readsOption(script, option)) yield `${script} has no option ${option}`;
  }
}

const code = /`([^`\n]+)`/g;
/** Names in code that are called or are members of the package. */
const callee = /^(?:(?:maskflow|ops|losses|metrics|layers)\.)?([A-Za-z_$][\w$]*)\([^()]*\)$/;

function* wrongInDocument(path, text, project) {
  let fenced = '';
  for (const [index, line] of text.split('\n').entries()) {
    const fence = /^\s*```(\w*)/.exec(line);
    if (fence) {
      fenced = fenced ? '' : fence[1] || 'text';
      continue;
    }
    const complain = (what) => `${path}:${index + 1}: ${what}`;
    if (fenced === 'sh' || !fenced)
      for (const what of wrongCommand(line, project)) yield complain(what);
    if (fenced) continue;
    for (const [, span] of line.matchAll(code)) {
      if (looksLikePath(span) && !project.hasPath(span, path))
        yield complain(`there is no ${span}`);
      const name = callee.exec(span)?.[1];
      if (name && !project.words.has(name)) yield complain(`nothing is called ${name}`);
    }
  }
}

function* wrongInSource(path, text, project) {
  for (const [line, comment] of commentsOf(path, text)) {
    for (const [token] of comment.matchAll(/[\w.@<>{}*~$-]+(?:\/[\w.@<>{}*-]+)+/g)) {
      const name = token.replace(/[.]+$/, '');
      if (looksLikePath(name) && !project.hasPath(name, path))
        yield `${path}:${line}: there is no ${name}`;
    }
    for (const what of wrongCommand(comment, project)) yield `${path}:${line}: ${what}`;
  }
}

export function checkMentions() {
  const files = projectFiles();
  const project = new Project(files);
  return files.flatMap((path) => {
    const find = isDocument(path) ? wrongInDocument : isSource(path) ? wrongInSource : undefined;
    if (isHistory(path) || !find) return [];
    return [...find(path, readFileSync(at(path), 'utf8'), project)];
  });
}

await checkMain(import.meta.url, checkMentions);
