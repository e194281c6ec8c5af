// SPDX-License-Identifier: MIT
// Finds the attributes in Python of the properties of custom layers, from the paths in a file.
import { addTo } from '../../base/array.js';
import type { Layer } from '../../layers/layer.js';
import { objectById } from '../../layers/layer_objects.js';
import { kAfterLayers, rememberAttributes } from '../attributes.js';
import { nodesOf, type TreeNode, type TreePlace } from '../tree.js';
import type { Walk } from './walk.js';

/** Remembers for each custom layer which attribute of the file belongs to which property. */
export function rememberNames(tree: TreeNode, { matches, paths }: Walk): void {
  const visited = new Set<TreeNode>();
  const visit = (node: TreeNode, path: string | undefined): void => {
    if (visited.has(node)) return;
    visited.add(node);
    const prefix = path ? `${path}/` : '';
    const stored = path === undefined ? [] : attributesIn(node, prefix, matches);
    const owner = stored.length > 0 ? objectById<Layer>(node.info.id) : undefined;
    const names = new Map(stored.map(({ property, name }) => [property, name]));
    if (owner) rememberAttributes(owner, names);
    for (const { property = '', node: child } of node.places) {
      const name = names.get(property);
      const derived = name && name !== kAfterLayers ? prefix + name : undefined;
      visit(child, paths.get(child) ?? derived);
    }
  };
  visit(tree, '');
}

interface Attribute {
  readonly property: string;
  readonly name: string;
}

/** The attributes below a path that have the weights of a node's properties. */
function attributesIn(node: TreeNode, prefix: string, matches: Walk['matches']): Attribute[] {
  const properties = new Map<string, TreePlace[]>();
  for (const place of node.places) {
    if (place.property !== undefined) addTo(properties, place.property, place);
  }
  const found = [...properties].flatMap(([property, places]) => {
    const inFile = new Set(places.flatMap((place) => firstNames(place.node, prefix, matches)));
    const names = places.flatMap(({ keys }) => keys.map(firstPart));
    const name = names.find((key) => inFile.has(key));
    return { property, name, inFile };
  });
  const isTaken = (name: string): boolean => found.some((other) => other.name === name);
  return found.flatMap(({ property, name, inFile }) => {
    const [only = '', another] = inFile;
    if (name !== undefined) return { property, name };
    if (!only || another !== undefined || isTaken(only)) return [];
    return { property, name: only === 'layers' ? kAfterLayers : only };
  });
}

const firstPart = (path: string): string => path.split('/')[0] as string;

/** First parts of the paths below a prefix at which the file has a layer's weights. */
function firstNames(layer: TreeNode, prefix: string, matches: Walk['matches']): string[] {
  return [...nodesOf(layer)].flatMap((node) => {
    const path = matches.get(node)?.path;
    return path?.startsWith(prefix) ? [firstPart(path.slice(prefix.length))] : [];
  });
}
