// SPDX-License-Identifier: MIT
// The theme of the reference: parameters with the settings of their options, one layout for all
// tables, and one line for an accessor.
import { ReflectionKind } from 'typedoc';
import { MarkdownTheme, MarkdownThemeContext } from 'typedoc-plugin-markdown';
import { splitDefault } from './defaults.mjs';
import { meaningOf, optionsOf, soleSetting } from './options.mjs';

/** Puts text on one line of a table; escapes its bars unless they are escaped already. */
export const cell = (text) =>
  text
    .trim()
    .replace(/\n\n+/g, '<br><br>')
    .replace(/\s*\n\s*/g, ' ')
    .replace(/(?<!\\)\|/g, '\\|');

/** True if a column tells rows apart. Where all rows are required, the call shows it. */
const isTelling = (rows, column) =>
  rows.some((row) => row[column] !== '' && row[column] !== 'required');

/** Returns a table; leaves out columns that tell nothing. */
export function table(first, rows) {
  const heads = { name: first, preset: 'default', words: 'meaning' };
  const columns = Object.keys(heads).filter(
    (column) => column === 'name' || isTelling(rows, column),
  );
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [
    line(columns.map((column) => heads[column])),
    line(columns.map(() => '---')),
    ...rows.map((row) => line(columns.map((column) => cell(row[column])))),
  ].join('\n');
}

class ReferenceContext extends MarkdownThemeContext {
  /** Names of the interfaces whose settings the page has listed. */
  #listed = new Set();

  constructor(...args) {
    super(...args);
    Object.assign(this.partials, {
      parametersTable: (parameters) => table('parameter', this.parameterRows(parameters)),
      propertiesTable: (properties) => table('property', this.propertyRows(properties)),
      accessor: (accessor, options) => this.accessor(accessor, options),
      inheritance: () => '',
      signature: withoutTypeParameters(this.partials.signature),
      signatureReturns: wrapReturns(this.partials.signatureReturns),
    });
  }

  /** Returns one row of a table. `anchor` makes the row a place to link to. */
  row(name, { type, comment, presetInCode = '', isRequired, isOptional, anchor }) {
    const described = comment ? this.partials.comment(comment, { isTableColumn: true }) : '';
    const { words, preset } = splitDefault(described);
    const place = anchor ? `<a id="${anchor}"></a>` : '';
    return {
      name: `${place}\`${name}\`<br>${type}`,
      preset: isRequired ? 'required' : preset || presetInCode || (isOptional ? 'optional' : ''),
      words,
    };
  }

  typeOf(declaration) {
    if (declaration.signatures?.length) return this.partials.functionType(declaration.signatures);
    const type = this.helpers.getDeclarationType(declaration) ?? declaration.type;
    return type ? this.partials.someType(type, { forceCollapse: true }) : '';
  }

  /** The rows of a call's parameters; the settings of an options object follow it. */
  parameterRows(parameters) {
    const optional = parameters.findIndex(({ flags }) => flags.isOptional);
    return parameters.flatMap((parameter, index) => {
      const hasDefault = parameter.defaultValue !== undefined && parameter.defaultValue !== '{}';
      const presetInCode =
        hasDefault && parameter.defaultValue !== '...' ? parameter.defaultValue : '';
      const isRequired =
        !parameter.flags.isOptional &&
        !parameter.flags.isRest &&
        parameter.defaultValue === undefined &&
        (optional < 0 || index < optional);
      const rest = parameter.flags.isRest ? '…' : '';
      const { rows, words } = this.optionRows(parameter);
      const own = this.row(`${rest}${parameter.name.replace(/^_+/, '')}`, {
        type: this.typeBeside(parameter),
        comment: meaningOf(parameter),
        presetInCode: presetInCode && `\`${presetInCode}\``,
        isRequired,
        isOptional: !isRequired,
      });
      return [words ? { ...own, words } : own, ...rows];
    });
  }

  /** The type of a parameter, without the members of an object, which the table lists. */
  typeBeside(parameter) {
    const types = parameter.type?.types ?? [parameter.type];
    if (!types.some(isUnnamed)) return this.typeOf(parameter);
    const words = types.map((type) =>
      isUnnamed(type) ? '`object`' : this.partials.someType(type, { forceCollapse: true }),
    );
    return words.join(' \\| ');
  }

  /** The rows of an options object's settings, and words about them for the object's own row. */
  optionRows(parameter) {
    const { settings, before } = optionsOf(parameter, this.#listed);
    const rows = settings.map((option) =>
      this.row(`${parameter.name}.${option.name}`, {
        type: this.typeOf(option),
        comment: meaningOf(option),
        isRequired: !option.flags.isOptional,
        isOptional: option.flags.isOptional,
      }),
    );
    const known = before.length > 0 && `those of ${before.join(' and ')}, listed above`;
    const sole = soleSetting(parameter.type ?? {}, settings);
    const below =
      rows.length > 0 && `the settings below${sole ? `, or only the value of \`${sole}\`` : ''}`;
    const words = [below, known].filter(Boolean).join(', and ');
    return { rows, words: words && `${words[0].toUpperCase()}${words.slice(1)}.` };
  }

  /** The rows of an interface's or a class's properties. Only settings can be required. */
  propertyRows(properties) {
    const isSettings = properties.some(({ flags }) => flags.isOptional);
    return properties.map((property) =>
      this.row(property.name, {
        type: this.typeOf(property),
        comment: meaningOf(property),
        isRequired: isSettings && !property.flags.isOptional,
        isOptional: property.flags.isOptional,
        anchor: this.router.hasUrl(property) ? this.router.getAnchor(property) : undefined,
      }),
    );
  }

  /** An accessor reads as a property: its type, then what it is. */
  accessor({ getSignature, setSignature, flags }, { headingLevel }) {
    const signature = getSignature ?? setSignature;
    const type = getSignature?.type ?? setSignature?.parameters?.[0]?.type;
    const flag = getSignature && !setSignature ? '`readonly` ' : '';
    const name = `**${signature.name}**`;
    const parts = [
      `> ${flags.isStatic ? '`static` ' : ''}${flag}${name}: ${this.partials.someType(type)}`,
      this.sourceOf(signature),
      signature.comment && this.partials.comment(signature.comment, { headingLevel }),
    ];
    return parts.filter(Boolean).join('\n\n');
  }

  sourceOf(reflection) {
    if (!reflection.sources || this.options.getValue('disableSources')) return '';
    return this.partials.sources(reflection);
  }
}

/** True for a type whose members the table lists instead. */
const isUnnamed = (type) => type?.type === 'reflection' && Boolean(type.declaration.children);

/** Leaves out results that are void; other results keep the page's own form. */
const wrapReturns = (signatureReturns) => (signature, options) => {
  const isVoid = signature.type?.type === 'intrinsic' && signature.type.name === 'void';
  const constructs = signature.kind === ReflectionKind.ConstructorSignature;
  return isVoid || constructs ? '' : signatureReturns(signature, options);
};

/**
 * Leaves out the table of a call's type parameters, which have no words; its first line has them.
 */
const withoutTypeParameters = (signature) => (model, options) =>
  signature(model, options).replace(/#+ Type Parameters\n+(?:\|.*(?:\n|$))+\n*/, '');

export class ReferenceTheme extends MarkdownTheme {
  getRenderContext(page) {
    return new ReferenceContext(this, page, this.application.options);
  }
}
