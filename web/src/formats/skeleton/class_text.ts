// SPDX-License-Identifier: MIT
// Writes one class of a skeleton.
import { Layer } from '../../layers/layer.js';
import { type Code, code, expression, joined, merge, outline, type Sizes } from './numbers.js';
import { type Identifiers, literal, member } from './safe_text.js';
import type { Group } from './layer_groups.js';
import { hasWeights, listIn, type OwnClass, sublayerOf, unknownSublayer } from './sublayers.js';
import { type Spec, specsText, type UnknownClass, type UnknownLayer } from './unknown_classes.js';

/** A layer of the class with its weights. */
export interface Instance {
  readonly layer: UnknownLayer;
  readonly group: Group | null;
}

/** A class to write. */
export interface ClassPlan {
  readonly identifier: string;
  readonly about: Pick<UnknownClass, 'className' | 'registered' | 'kind'>;
  readonly instances: readonly Instance[];
  /** Whether it is a class inside another one, whose Python name the file does not contain. */
  readonly isInner: boolean;
}

/** Adds the classes of layers inside layers. */
export type AddInner = (owner: Instance, key: string, group: Group) => string;

/** A property of a class. */
interface Property {
  readonly name: string;
  /** Code of the value in each instance of the class; the instances differ only in settings. */
  readonly create: Code;
  readonly build: Code | null;
  readonly elements: readonly (Code | null)[];
}

const kInstanceFields = ['settings', 'argumentNames', 'builtFor', 'stateSize', 'outputSize'];

/** A name for a property that neither Layer nor the skeleton uses. */
function propertyName(key: string, used: Set<string>): string {
  let name = key;
  while (name in Layer.prototype || kInstanceFields.includes(name) || used.has(name)) name += '_';
  used.add(name);
  return name;
}

/** Properties with sublayers of one layer, and comments about those that are left out. */
function propertiesOf(
  instance: Instance,
  addInner: AddInner,
): { properties: Property[]; comments: string[] } {
  const properties: Property[] = [];
  const comments: string[] = [];
  const used = new Set<string>();
  for (const group of instance.group?.children ?? []) {
    const own: OwnClass = (inner) => {
      const identifier = addInner(instance, `${group.key}/${inner.key}`, inner);
      return { create: [`new ${identifier}({ ...settings, layer: name })`], build: ['inputShape'] };
    };
    const list = listIn(group);
    if (list) {
      const parts = list.filter((part) => hasWeights(part)).map((part) => sublayerOf(part, own));
      const all = parts.map(({ create }) => create);
      properties.push({
        name: propertyName(group.key, used),
        create: code`[${joined(all, ', ')}]`,
        build: null,
        elements: parts.map(({ build }) => build),
      });
      continue;
    }
    const sublayer = sublayerOf(group, own);
    if (!hasWeights(group) && sublayer.build !== null) comments.push(unknownSublayer(group));
    else properties.push({ name: propertyName(group.key, used), ...sublayer, elements: [] });
  }
  return { properties, comments };
}

/** Text of one class. */
export class ClassWriter {
  readonly #plan: ClassPlan;
  readonly #layers: readonly Sizes[];
  readonly #properties: readonly Property[][];
  readonly #comments: readonly string[];
  readonly #weightNames: readonly string[];

  constructor(plan: ClassPlan, addInner: AddInner) {
    this.#plan = plan;
    this.#layers = plan.instances.map(({ layer: { name, settings, inputs, isList } }) => ({
      name,
      settings,
      input: inputs?.length === 1 && !isList ? (inputs[0] as Spec).shape : null,
    }));
    const found = plan.instances.map((instance) => propertiesOf(instance, addInner));
    this.#properties = found.map(({ properties }) => properties);
    this.#comments = found[0]?.comments ?? [];
    const used = new Set((this.#properties[0] ?? []).map(({ name }) => name));
    this.#weightNames = (plan.instances[0]?.group?.arrays ?? []).map(({ name }, i) =>
      propertyName(name ?? `weight${i}`, used),
    );
  }

  text(): string {
    const { identifier, about } = this.#plan;
    const base = about.kind === 'model' ? 'Model' : 'Layer';
    const isRenamed = identifier !== about.className && !this.#plan.isInner;
    const parts = [
      isRenamed ? [`static name = ${literal(about.className)};`] : [],
      this.#constructorText(),
      this.#buildText(),
      this.#outputShapeText(),
      this.#callText(),
      this.#plan.isInner
        ? []
        : ['getConfig() {', '  return { ...super.getConfig(), ...this.settings };', '}'],
    ].filter((lines) => lines.length > 0);
    const body = parts.map((lines) => lines.map((line) => (line ? `  ${line}` : '')).join('\n'));
    return `${this.#comment()}\nexport class ${identifier} extends ${base} {\n${body.join('\n\n')}\n}${this.#registration()}`;
  }

  #registration(): string {
    if (this.#plan.isInner) return '';
    const { identifier, about } = this.#plan;
    const full = about.registered ?? `Custom>${about.className}`;
    const at = full.indexOf('>');
    const names = { package: full.slice(0, Math.max(0, at)), name: full.slice(at + 1) };
    return `\nregisterLayer(${identifier}, { package: ${literal(names.package)}, name: ${literal(names.name)} });`;
  }

  /** Returns the expressions that stand for numbers in a constructor or in a method. */
  #scope(where: 'constructor' | 'method', inputShape?: string) {
    const settings = where === 'constructor' ? 'settings' : 'this.settings';
    const name = this.#plan.isInner
      ? `${settings}.layer`
      : where === 'constructor'
        ? 'name'
        : 'this.name';
    return { settings, name, ...(inputShape === undefined ? {} : { inputShape }) };
  }

  /** Merges code of all instances that have the outline of the first. */
  #merge(codes: readonly (Code | undefined)[], where: 'constructor' | 'method', input?: string) {
    const first = codes.find((each) => each !== undefined) ?? [];
    const same = codes.flatMap((each, i) =>
      each && outline(each) === outline(first) ? [{ each, layer: this.#layers[i] as Sizes }] : [],
    );
    return merge(
      same.map(({ each }) => each),
      same.map(({ layer }) => layer),
      this.#scope(where, input),
    );
  }

  #comment(): string {
    const { instances, about, isInner } = this.#plan;
    const lines = [
      `Class ${literal(about.registered ?? about.className)}${isInner ? ' (the file does not name it)' : ''}.`,
    ];
    for (const { layer, group } of instances.slice(0, kMaxListed)) {
      const { name, inputs, isList, outputs, settings, extras } = layer;
      lines.push('', `Layer ${literal(name)}`);
      if (!isInner) {
        lines.push(`- settings ${literal(settings)}`);
        lines.push(`- receives ${specsText(inputs, isList)}`);
        if (about.kind !== 'cell') lines.push(`- must return ${specsText(outputs, false)}`);
        if (extras.length > 0) lines.push(`- further arguments: ${literal(extras)}`);
      }
      const arrays = (group?.arrays ?? []).map(
        ({ shape }, i) => `${this.#weightNames[i]} [${shape.join(', ')}]`,
      );
      if (arrays.length > 0) lines.push(`- weights ${literal(arrays)}`);
    }
    const more = instances.length - kMaxListed;
    if (more > 0) lines.push('', `and ${more} more`);
    return `/**\n${lines.map((line) => (line ? ` * ${line}` : ' *')).join('\n')}\n */`;
  }

  #constructorText(): string[] {
    const { about, isInner } = this.#plan;
    const [properties = []] = this.#properties;
    const lines = isInner
      ? ['super();', 'const name = settings.layer;']
      : ['super({ name, trainable, dtype });'];
    lines.push('this.settings = settings;');
    if (about.kind === 'cell') lines.push(`this.stateSize = ${this.#stateSize()};`);
    for (const [i, property] of properties.entries()) {
      const codes = this.#properties.map((all) => all[i]?.create);
      lines.push(`this${member(property.name)} = ${this.#merge(codes, 'constructor')};`);
    }
    for (const comment of this.#comments) lines.push(`// ${comment}`);
    if (isInner && !lines.some((line) => /\bname\b/.test(line.replace('const name', '')))) {
      lines.splice(1, 1);
    }
    const head = isInner
      ? 'constructor(settings = {}) {'
      : 'constructor({ name, trainable, dtype, ...settings } = {}) {';
    return [head, ...lines.map((line) => `  ${line}`), '}'];
  }

  /** The size of a cell's state: the last axis of a square matrix, else of the first weight. */
  #stateSize(): string {
    const sizes = this.#plan.instances.map(({ group, layer: { settings } }) => {
      const shapes = (group?.arrays ?? []).map(({ shape }) => shape);
      const square = shapes.find((shape) => shape.length === 2 && shape[0] === shape[1]);
      const stated = [settings['state_size'], settings['units']].find(Number.isInteger);
      return square?.[0] ?? (stated as number | undefined) ?? shapes[0]?.at(-1) ?? 1;
    });
    return expression(sizes, this.#layers, this.#scope('constructor'), false);
  }

  #buildText(): string[] {
    const lines: string[] = [];
    const arraysOf = this.#plan.instances.map(({ group }) => group?.arrays ?? []);
    for (const [i, name] of this.#weightNames.entries()) {
      const codes = arraysOf.map((arrays) => {
        const shape = arrays[i]?.shape;
        if (!shape) return undefined;
        const dims = shape.map((dim, axis) => [{ size: dim, ofInput: axis < shape.length - 1 }]);
        return code`[${joined(dims, ', ')}]`;
      });
      const stored = arraysOf[0]?.[i]?.name ?? `weight${i}`;
      lines.push(
        `this${member(name)} = this.addWeight({ name: ${literal(stored)}, shape: ${this.#merge(codes, 'method', 'inputShape')} });`,
      );
    }
    const [properties = []] = this.#properties;
    for (const [i, property] of properties.entries()) {
      const target = `this${member(property.name)}`;
      const push = (place: string, codes: readonly (Code | null | undefined)[]): void => {
        if (!codes[0]) return;
        lines.push(
          `${place}.build(${this.#merge(
            codes.map((each) => each ?? undefined),
            'method',
            'inputShape',
          )});`,
        );
      };
      push(
        target,
        this.#properties.map((all) => all[i]?.build),
      );
      property.elements.forEach((_, at) => {
        push(
          `${target}[${at}]`,
          this.#properties.map((all) => all[i]?.elements[at]),
        );
      });
    }
    if (lines.length === 0) return [];
    const needsShape = lines.some((line) => line.includes('inputShape'));
    return [`build(${needsShape ? 'inputShape' : ''}) {`, ...lines.map((line) => `  ${line}`), '}'];
  }

  /** Without it, the package would run `call` to find the shape of the output. */
  #outputShapeText(): string[] {
    const { about, instances, isInner } = this.#plan;
    if (about.kind !== 'layer' || isInner) return [];
    const [first] = instances;
    const outputs = first?.layer.outputs;
    if (!outputs) {
      return [
        'computeOutputShape(inputShape) {',
        '  return inputShape; // a guess: the file does not say what the layer returns',
        '}',
      ];
    }
    const shapes = outputs.map((_, at) => this.#outputShape(at));
    const text = shapes.length === 1 ? shapes[0] : `[${shapes.join(', ')}]`;
    return ['computeOutputShape(inputShape) {', `  return ${text};`, '}'];
  }

  /** An expression for the shape of an output. */
  #outputShape(at: number): string {
    const known = this.#plan.instances.flatMap(({ layer }, i) => {
      const shape = layer.outputs?.[at]?.shape;
      return shape ? [{ shape, input: this.#layers[i]?.input ?? null }] : [];
    });
    const codes = this.#plan.instances.map(({ layer }) => layer.outputs?.[at]?.shape);
    const keepsAxes = known.every(
      ({ shape, input }) =>
        input?.length === shape.length &&
        shape.slice(1, -1).every((dim, i) => dim === input[i + 1]),
    );
    if (keepsAxes) {
      if (known.every(({ shape, input }) => shape.at(-1) === input?.at(-1))) return 'inputShape';
      const ends = codes.map(
        (shape) => shape && code`[...inputShape.slice(0, -1), ${{ size: shape.at(-1) ?? 0 }}]`,
      );
      return this.#merge(ends, 'method', 'inputShape');
    }
    const single = this.#layers.every(({ input }) => input !== null);
    const dims = codes.map((shape) => shape && this.#shapeCode(shape, single));
    return this.#merge(dims, 'method', 'inputShape');
  }

  #shapeCode(shape: Spec['shape'], single: boolean): Code {
    const dims = shape.map((dim, axis): Code => {
      if (axis === 0) return [single ? 'inputShape[0]' : 'null'];
      const isOfInput = single && this.#layers.every(({ input }) => (input?.length ?? 0) > axis);
      if (dim === null) return [isOfInput ? `inputShape[${axis}]` : 'null'];
      return [{ size: dim, ofInput: axis < shape.length - 1 }];
    });
    return code`[${joined(dims, ', ')}]`;
  }

  #callText(): string[] {
    const { identifier, about, instances, isInner } = this.#plan;
    const [first] = instances;
    const isCell = about.kind === 'cell';
    const receives = first && !isInner ? specsText(first.layer.inputs, first.layer.isList) : '';
    const returns = isCell
      ? '[output, [state]]'
      : first && !isInner
        ? specsText(first.layer.outputs, false)
        : '';
    const facts = isInner ? '' : `; it receives ${receives} and must return ${returns}`;
    const message = literal(`call() of ${identifier} is not written yet${facts}`);
    return [
      isCell ? 'call(inputs, { states }) {' : 'call(inputs) {',
      `  throw new StateError(${message});`,
      '}',
    ];
  }
}

/** Most layers of a class that its comment lists. */
const kMaxListed = 20;

/** Creates the writers of inner classes; collects them by owner class and position. */
export class InnerClasses {
  readonly plans = new Map<string, { identifier: string; instances: Instance[] }>();
  constructor(private readonly identifiers: Identifiers) {}

  /** Returns the class of an inner group; equal positions in layers of a class share a class. */
  add(ownerClass: string, owner: Instance, key: string, group: Group): string {
    const id = `${ownerClass}/${key}`;
    const base = (group.name ?? group.key).replace(/_\d+$/, '');
    const pascal = base.replace(/(^|_+)([a-z0-9])/gi, (_, __, c: string) => c.toUpperCase());
    const plan = this.plans.get(id) ?? {
      identifier: this.identifiers.unique(pascal || 'Inner'),
      instances: [],
    };
    this.plans.set(id, plan);
    plan.instances.push({ layer: { ...owner.layer, inputs: null, outputs: null }, group });
    return plan.identifier;
  }
}
