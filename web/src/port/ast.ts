// SPDX-License-Identifier: MIT
// The parts of a Python program, as the translator sees them.

/** Offset in the source where a part begins. */
interface At {
  readonly at: number;
}

export interface Arg {
  /** Name of a keyword argument. */
  readonly name: string | null;
  readonly star: '' | '*' | '**';
  readonly value: Expr;
}

export interface Param {
  readonly name: string;
  readonly star: '' | '*' | '**';
  readonly value: Expr | null;
  readonly isKeyword: boolean;
  readonly annotation: string;
}

export interface Clause {
  readonly target: Expr;
  readonly iter: Expr;
  readonly ifs: readonly Expr[];
}

export interface Field {
  readonly value: Expr;
  readonly spec: string;
  /** Text before the value in `{value=}`. */
  readonly label: string;
}

export type Name = At & { readonly kind: 'name'; readonly id: string };
export type Attr = At & { readonly kind: 'attr'; readonly value: Expr; readonly name: string };
export type Call = At & { readonly kind: 'call'; readonly fn: Expr; readonly args: readonly Arg[] };
export type Sub = At & {
  readonly kind: 'sub';
  readonly value: Expr;
  readonly items: readonly Expr[];
};
export type Slice = At & {
  readonly kind: 'slice';
  readonly lower: Expr | null;
  readonly upper: Expr | null;
  readonly step: Expr | null;
};
export type Sequence = At & {
  readonly kind: 'list' | 'tuple' | 'set';
  readonly items: readonly Expr[];
};
export type Dict = At & {
  readonly kind: 'dict';
  readonly entries: readonly { readonly key: Expr | null; readonly value: Expr }[];
};
export type Comp = At & {
  readonly kind: 'comp';
  readonly form: 'list' | 'set' | 'gen' | 'dict';
  readonly key: Expr | null;
  readonly value: Expr;
  readonly clauses: readonly Clause[];
};
export type Lambda = At & {
  readonly kind: 'lambda';
  readonly params: readonly Param[];
  readonly body: Expr;
};
export type Binary = At & {
  readonly kind: 'binary';
  readonly op: string;
  readonly left: Expr;
  readonly right: Expr;
};
export type Compare = At & {
  readonly kind: 'compare';
  readonly first: Expr;
  readonly rest: readonly { readonly op: string; readonly value: Expr }[];
};
export type Fstr = At & { readonly kind: 'fstr'; readonly parts: readonly (string | Field)[] };
export type Str = At & { readonly kind: 'str'; readonly value: string };

export type Expr =
  | Name
  | Attr
  | Call
  | Sub
  | Slice
  | Sequence
  | Dict
  | Comp
  | Lambda
  | Binary
  | Compare
  | Fstr
  | Str
  | (At & { readonly kind: 'num'; readonly text: string })
  | (At & { readonly kind: 'const'; readonly value: boolean | null | '...' })
  | (At & { readonly kind: 'unary'; readonly op: string; readonly value: Expr })
  | (At & { readonly kind: 'cond'; readonly test: Expr; readonly yes: Expr; readonly no: Expr })
  | (At & { readonly kind: 'star'; readonly value: Expr })
  | (At & { readonly kind: 'walrus'; readonly name: string; readonly value: Expr })
  | (At & { readonly kind: 'yield'; readonly value: Expr | null; readonly isFrom: boolean })
  | (At & { readonly kind: 'await'; readonly value: Expr });

export type Body = readonly Stmt[];
interface Span extends At {
  readonly to: number;
}

export interface Imported {
  /** `keras.layers` of `from keras.layers import LSTM`; the module of `import`. */
  readonly module: string;
  /** The imported name; null for a module, '*' for all. */
  readonly name: string | null;
  readonly as: string | null;
}

export type Def = Span & {
  readonly kind: 'def';
  readonly name: string;
  readonly params: readonly Param[];
  readonly body: Body;
  readonly decorators: readonly Expr[];
};
export type Class = Span & {
  readonly kind: 'class';
  readonly name: string;
  readonly bases: readonly Arg[];
  readonly body: Body;
  readonly decorators: readonly Expr[];
};
export type Assign = Span & {
  readonly kind: 'assign';
  readonly targets: readonly Expr[];
  readonly value: Expr | null;
};
export type If = Span & {
  readonly kind: 'if';
  readonly test: Expr;
  readonly body: Body;
  readonly orelse: Body;
};
export type For = Span & {
  readonly kind: 'for';
  readonly target: Expr;
  readonly iter: Expr;
  readonly body: Body;
  readonly orelse: Body;
};
export interface Handler {
  readonly type: Expr | null;
  readonly name: string | null;
  readonly body: Body;
}
export type Try = Span & {
  readonly kind: 'try';
  readonly body: Body;
  readonly handlers: readonly Handler[];
  readonly orelse: Body;
  readonly final: Body;
};
export type With = Span & {
  readonly kind: 'with';
  readonly items: readonly { readonly value: Expr; readonly as: string | null }[];
  readonly body: Body;
};

export type Stmt =
  | Def
  | Class
  | Assign
  | If
  | For
  | Try
  | With
  | (Span & { readonly kind: 'expr'; readonly value: Expr })
  | (Span & {
      readonly kind: 'aug';
      readonly target: Expr;
      readonly op: string;
      readonly value: Expr;
    })
  | (Span & {
      readonly kind: 'while';
      readonly test: Expr;
      readonly body: Body;
      readonly orelse: Body;
    })
  | (Span & { readonly kind: 'return' | 'raise'; readonly value: Expr | null })
  | (Span & {
      readonly kind: 'import';
      readonly names: readonly Imported[];
      /** Names that the program binds in another way, too. */
      rebound?: readonly string[];
      /** Names of libraries that have other values in a branch. */
      mixed?: readonly string[];
    })
  | (Span & { readonly kind: 'pass' | 'break' | 'continue' })
  | (Span & { readonly kind: 'del'; readonly targets: readonly Expr[] })
  | (Span & { readonly kind: 'assert'; readonly test: Expr; readonly message: Expr | null })
  | (Span & { readonly kind: 'scope'; readonly names: readonly string[] })
  | (Span & { readonly kind: 'other'; readonly what: string });

export interface Comment extends At {
  readonly text: string;
  /** Whether code precedes it on its line. */
  readonly isTrailing: boolean;
}

export interface Module {
  readonly body: Body;
  readonly comments: readonly Comment[];
}

const isNode = (value: unknown): value is Expr | Stmt =>
  typeof value === 'object' && value !== null && 'kind' in value;

/** Calls `visit` for each part inside a part; it descends where `visit` does not return false. */
export function walk(part: unknown, visit: (node: Expr | Stmt) => boolean): void {
  if (Array.isArray(part)) {
    for (const item of part) walk(item, visit);
  } else if (typeof part === 'object' && part !== null) {
    if (isNode(part) && visit(part) === false) return;
    for (const value of Object.values(part)) if (typeof value === 'object') walk(value, visit);
  }
}
