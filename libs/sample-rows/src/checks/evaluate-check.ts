import { isLike } from '@rowhouse/schema-model';
import type { SampleRow } from '../types.js';
import type { CheckExpression, CompareOp } from './types.js';

/**
 * The value of an expression. Null is the NULL of SQL. `UNKNOWN` means that the value cannot be computed
 * here, so that only the engine can decide.
 */
type Value = string | number | boolean | null | typeof UNKNOWN;
const UNKNOWN = Symbol('the check cannot be evaluated');

/**
 * The maximum number of evaluation steps, which is far more than a real check needs. A clause that repeats
 * its operands and is nested, for example with BETWEEN, could otherwise take hours.
 */
const STEPS_MAX = 10_000;

interface Run {
  readonly row: SampleRow;
  /** The number of steps that are left. At 0, every value is unknown. */
  steps: number;
}

/**
 * Reports whether the engine certainly rejects the row. A row passes a CHECK whose result is true or NULL.
 */
export function isRejectedBy(check: CheckExpression, row: SampleRow): boolean {
  const value = evaluate(check, { row, steps: STEPS_MAX });
  return value === false || value === 0;
}

function evaluate(node: CheckExpression, run: Run): Value {
  run.steps -= 1;
  if (run.steps < 0) return UNKNOWN;
  switch (node.kind) {
    case 'literal':
      return node.value;
    case 'column':
      return readColumn(node.name, run.row);
    case 'call':
      return call(
        node.name,
        node.args.map((arg) => evaluate(arg, run)),
      );
    case 'compare':
      return compare(node.op, evaluate(node.left, run), evaluate(node.right, run));
    case 'arithmetic':
      return calculate(node.op, evaluate(node.left, run), evaluate(node.right, run));
    case 'and':
      return join(
        node.items.map((item) => evaluate(item, run)),
        false,
      );
    case 'or':
      return join(
        node.items.map((item) => evaluate(item, run)),
        true,
      );
    case 'not':
      return invert(evaluate(node.item, run));
    case 'is_null':
      return isNull(evaluate(node.item, run));
    case 'in':
      return isAmong(evaluate(node.item, run), node.choices, run);
    case 'like':
      return matchesLike(evaluate(node.item, run), evaluate(node.pattern, run));
  }
}

function isNull(value: Value): Value {
  return value === UNKNOWN ? UNKNOWN : value === null;
}

function isAmong(item: Value, choices: readonly CheckExpression[], run: Run): Value {
  return join(
    choices.map((choice) => compare('=', item, evaluate(choice, run))),
    true,
  );
}

/**
 * Returns the value of a column. It is unknown if the engine assigns the value, or if the value is neither
 * text nor a number.
 */
function readColumn(name: string, row: SampleRow): Value {
  const key = Object.hasOwn(row, name)
    ? name
    : Object.keys(row).find((item) => item.toLowerCase() === name.toLowerCase());
  const value = key === undefined ? undefined : row[key];
  return value === null || typeof value === 'string' || typeof value === 'number' ? value : UNKNOWN;
}

/**
 * Combines values with AND or OR. An unknown operand makes the result unknown, unless another operand
 * determines the result.
 */
function join(values: readonly Value[], decisive: boolean): Value {
  const truths = values.map(toTruth);
  if (truths.includes(decisive)) return decisive;
  if (truths.includes(UNKNOWN)) return UNKNOWN;
  return truths.includes(null) ? null : !decisive;
}

function toTruth(value: Value): boolean | null | typeof UNKNOWN {
  if (value === null || value === UNKNOWN || typeof value === 'boolean') return value;
  return Number(value) !== 0;
}

function invert(value: Value): Value {
  const truth = toTruth(value);
  return typeof truth === 'boolean' ? !truth : truth;
}

function compare(op: CompareOp, left: Value, right: Value): Value {
  if (left === UNKNOWN || right === UNKNOWN) return UNKNOWN;
  if (left === null || right === null) return null;
  const order =
    typeof left === 'string' && typeof right === 'string'
      ? compareTexts(left, right)
      : Number(left) - Number(right);
  if (Number.isNaN(order)) return UNKNOWN;
  switch (op) {
    case '=':
      return order === 0;
    case '<>':
      return order !== 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
  }
}

/**
 * Compares two texts. If both are numbers, they are compared as numbers, because decimals are stored as
 * texts. For dates and times, the order of the texts is correct.
 */
function compareTexts(left: string, right: string): number {
  const [a, b] = [Number(left), Number(right)];
  if (left.trim() !== '' && right.trim() !== '' && !Number.isNaN(a) && !Number.isNaN(b)) return a - b;
  const [item, other] = [left.toLowerCase(), right.toLowerCase()];
  return item === other ? 0 : item < other ? -1 : 1;
}

function calculate(op: '+' | '-' | '*' | '/' | '%', left: Value, right: Value): Value {
  if (left === UNKNOWN || right === UNKNOWN) return UNKNOWN;
  if (left === null || right === null) return null;
  const [a, b] = [Number(left), Number(right)];
  if (Number.isNaN(a) || Number.isNaN(b)) return UNKNOWN;
  if (op === '+') return a + b;
  if (op === '-') return a - b;
  if (op === '*') return a * b;
  if (b === 0) return null;
  return op === '/' ? a / b : a % b;
}

const TEXT_FUNCTIONS: Readonly<Record<string, (text: string) => string | number>> = {
  CHAR_LENGTH: (text) => Array.from(text).length,
  CHARACTER_LENGTH: (text) => Array.from(text).length,
  LENGTH: (text) => text.length,
  OCTET_LENGTH: (text) => text.length,
  LOWER: (text) => text.toLowerCase(),
  LCASE: (text) => text.toLowerCase(),
  UPPER: (text) => text.toUpperCase(),
  UCASE: (text) => text.toUpperCase(),
  TRIM: (text) => text.trim(),
  LTRIM: (text) => text.trimStart(),
  RTRIM: (text) => text.trimEnd(),
  REVERSE: (text) => Array.from(text).toReversed().join(''),
};
const NUMBER_FUNCTIONS: Readonly<Record<string, (number: number) => number>> = {
  ABS: Math.abs,
  FLOOR: Math.floor,
  CEIL: Math.ceil,
  CEILING: Math.ceil,
  ROUND: Math.round,
  SIGN: Math.sign,
};

function call(name: string, args: readonly Value[]): Value {
  const [first] = args;
  // Generated values of JSON columns are always valid JSON.
  if (name === 'JSON_VALID') return true;
  if (name === 'COALESCE' || name === 'IFNULL') return args.find((arg) => arg !== null) ?? null;
  if (first === undefined || first === UNKNOWN || args.length !== 1) return UNKNOWN;
  if (first === null) return null;
  const [ofText, ofNumber] = [TEXT_FUNCTIONS[name], NUMBER_FUNCTIONS[name]];
  if (ofText !== undefined) return ofText(String(first));
  return ofNumber === undefined ? UNKNOWN : ofNumber(Number(first));
}

function matchesLike(item: Value, pattern: Value): Value {
  if (item === null || pattern === null) return null;
  if (typeof item !== 'string' || typeof pattern !== 'string') return UNKNOWN;
  return isLike(item, pattern);
}
