import type { CheckExpression, CompareOp } from './types.js';

/** The conditions that CHECK clauses impose on a single column. */
export interface ColumnLimits {
  /** The smallest and the largest number or date, including both. Null if the value has no such bound. */
  readonly min: number | string | null;
  readonly max: number | string | null;
  /** Whether the minimum itself is not allowed. */
  readonly isAboveMin: boolean;
  readonly isBelowMax: boolean;
  /** The minimum and the maximum length of a text in characters. */
  readonly lengthMin: number;
  readonly lengthMax: number | null;
  /** The allowed values. Null if every value is allowed. */
  readonly choices: readonly (string | number)[] | null;
  /** A LIKE pattern that the value must match. Null if the value has no pattern. */
  readonly pattern: string | null;
}

export const NO_LIMITS: ColumnLimits = {
  min: null,
  max: null,
  isAboveMin: false,
  isBelowMax: false,
  lengthMin: 0,
  lengthMax: null,
  choices: null,
  pattern: null,
};

const LENGTHS = new Set(['CHAR_LENGTH', 'CHARACTER_LENGTH', 'LENGTH', 'OCTET_LENGTH']);
const TURNED: Readonly<Record<CompareOp, CompareOp>> = {
  '=': '=',
  '<>': '<>',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

/**
 * Returns the limits of columns by their lower-case names. They apply to every row, whatever its other
 * values.
 */
export function readLimits(checks: readonly CheckExpression[]): ReadonlyMap<string, ColumnLimits> {
  const limits = new Map<string, ColumnLimits>();
  const change = (name: string, more: Partial<ColumnLimits>): void => {
    const key = name.toLowerCase();
    limits.set(key, { ...(limits.get(key) ?? NO_LIMITS), ...more });
  };
  const read = (node: CheckExpression): void => {
    if (node.kind === 'and') for (const item of node.items) read(item);
    else if (node.kind === 'or') readUnlessNull(node.items, read);
    else if (node.kind === 'in' && node.item.kind === 'column')
      change(node.item.name, {
        choices: node.choices.flatMap((choice) =>
          choice.kind === 'literal' && (typeof choice.value === 'string' || typeof choice.value === 'number')
            ? [choice.value]
            : [],
        ),
      });
    else if (node.kind === 'like' && node.item.kind === 'column' && node.pattern.kind === 'literal')
      change(node.item.name, { pattern: String(node.pattern.value) });
    else if (node.kind === 'compare') readComparison(node, change);
  };
  for (const check of checks) read(check);
  return limits;
}

/** Reads a condition of the form `x IS NULL OR …`. Its second part applies to every value except NULL. */
function readUnlessNull(items: readonly CheckExpression[], read: (node: CheckExpression) => void): void {
  const [only, ...others] = items.filter((item) => item.kind !== 'is_null');
  if (only !== undefined && others.length === 0) read(only);
}

function readComparison(
  { op, left, right }: Extract<CheckExpression, { kind: 'compare' }>,
  change: (name: string, more: Partial<ColumnLimits>) => void,
): void {
  const [ours, theirs, sign] = isConstant(left) ? [right, left, TURNED[op]] : [left, right, op];
  const bound = readConstant(theirs);
  if (bound === null) return;
  if (ours.kind === 'column') change(ours.name, toLimits(sign, bound));
  else if (ours.kind === 'call' && LENGTHS.has(ours.name) && ours.args[0] !== undefined)
    readLength(ours.args[0], sign, Number(bound), change);
}

/** Reads a condition on a length. `char_length(trim(name)) > 0` also applies to `name`. */
function readLength(
  of: CheckExpression,
  sign: CompareOp,
  bound: number,
  change: (name: string, more: Partial<ColumnLimits>) => void,
): void {
  const inner = of.kind === 'call' && of.args[0] !== undefined ? of.args[0] : of;
  if (inner.kind !== 'column') return;
  if (sign === '>' || sign === '>=') change(inner.name, { lengthMin: sign === '>' ? bound + 1 : bound });
  else if (sign === '<' || sign === '<=') change(inner.name, { lengthMax: sign === '<' ? bound - 1 : bound });
  else if (sign === '=') change(inner.name, { lengthMin: bound, lengthMax: bound });
}

function toLimits(sign: CompareOp, bound: string | number): Partial<ColumnLimits> {
  if (sign === '=') return { choices: [bound] };
  if (sign === '<>') return bound === '' ? { lengthMin: 1 } : {};
  return sign === '>' || sign === '>='
    ? { min: bound, isAboveMin: sign === '>' }
    : { max: bound, isBelowMax: sign === '<' };
}

function isConstant(node: CheckExpression): boolean {
  return readConstant(node) !== null;
}

function readConstant(node: CheckExpression): string | number | null {
  if (node.kind === 'literal')
    return typeof node.value === 'string' || typeof node.value === 'number' ? node.value : null;
  // A negative number is parsed as 0 minus the number.
  if (node.kind !== 'arithmetic' || node.op !== '-' || node.left.kind !== 'literal' || node.left.value !== 0)
    return null;
  const inner = readConstant(node.right);
  return typeof inner === 'number' ? -inner : null;
}
