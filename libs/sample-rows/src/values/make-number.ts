import { integerRange } from '@rowhouse/schema-model';
import type { ValueContext } from './value-context.js';

type Range = readonly [min: number, max: number];

/**
 * The ranges of values by column name. Money and fractions have decimal digits. The first pattern that
 * matches is used.
 */
const BY_NAME: readonly (readonly [RegExp, Range])[] = [
  [/(^|_)(price|amount|total|subtotal|cost|fee|tax|payment|balance|budget|revenue|value)$/, [5, 500]],
  [/(^|_)(salary|income|wage)$/, [24_000, 90_000]],
  [/(^|_)(quantity|qty)$/, [1, 10]],
  [/(^|_)(stock|inventory|count|capacity|seats|copies)$/, [0, 200]],
  [/(^|_)(views|likes|clicks|visits|hits|downloads|followers|votes)$/, [0, 5_000]],
  [/(^|_)age$/, [18, 80]],
  [/(^|_)(rating|stars)$/, [1, 5]],
  [/(^|_)(score|points)$/, [0, 100]],
  [/(^|_)(percent|percentage|discount|progress|vat|rate)$/, [0, 100]],
  [/(^|_)(lat|latitude)$/, [-60, 60]],
  [/(^|_)(lng|lon|longitude)$/, [-120, 120]],
  [/(^|_)year$/, [1990, 2025]],
  [/(^|_)month$/, [1, 12]],
  [/(^|_)day$/, [1, 28]],
  [/(^|_)hour$/, [0, 23]],
  [/(^|_)(duration|minutes|length|seconds|runtime)$/, [5, 180]],
  [/(^|_)(weight|height|width|depth|size)$/, [1, 200]],
  [/(^|_)(priority|level|version|floor|rank)$/, [1, 5]],
  [/(^|_)(pages|words)$/, [40, 600]],
  [/(^|_)port$/, [1024, 9999]],
  [/(^|_)(bytes|file_size)$/, [1_000, 900_000]],
  [/(^|_)id$/, [1, 50]],
];
const ANY: Range = [1, 1_000];
/** Matches columns whose values follow the order of the rows. */
const ORDINALS = /(^|_)(position|sort|sort_order|ordinal|sequence|seq|display_order)$/;

/**
 * Returns a whole number that is plausible for the column's name and allowed by its type and CHECK clauses.
 */
export function makeInteger(ctx: ValueContext): number {
  const { column, name, ordinal, random, isUnique } = ctx;
  const [low, high] = narrow(ctx, rangeOfInteger(column));
  // Unique numbers are counted from the start of their range, so that the complete range can be used.
  if (isUnique || ORDINALS.test(name)) return low + ((ordinal - 1 + ctx.attempt) % (high - low + 1));
  return random.between(low, high);
}

/**
 * Returns the range of an integer type. For 64-bit integers, it is limited to numbers that JavaScript
 * represents exactly.
 */
function rangeOfInteger(column: ValueContext['column']): Range {
  const { low, high } = integerRange(column);
  return [Math.max(Number(low), -Number.MAX_SAFE_INTEGER), Math.min(Number(high), Number.MAX_SAFE_INTEGER)];
}

/** Returns a text with as many decimal digits as the column has. */
export function makeDecimal(ctx: ValueContext): string {
  const { column, random } = ctx;
  const scale = column.scale ?? 0;
  const whole = Math.min((column.precision ?? 10) - scale, 15);
  const maximum = 10 ** whole - 10 ** -scale;
  const [low, high] = narrow(ctx, [column.unsigned ? 0 : -maximum, maximum], 10 ** -scale);
  const steps = Math.min(10 ** Math.min(scale, 6), 1_000_000);
  if (ctx.isUnique) return (low + (ctx.ordinal - 1 + ctx.attempt) / steps).toFixed(scale);
  const value = low + random.below(Math.max(1, Math.floor((high - low) * steps) + 1)) / steps;
  return Math.min(value, high).toFixed(scale);
}

/** Returns a floating-point value that is plausible for the name of the column. */
export function makeFloat(ctx: ValueContext): number {
  const [low, high] = narrow(ctx, [ctx.column.unsigned ? 0 : -1e6, 1e6], 0.25);
  // The values are multiples of a quarter, which are exact in binary in a column of any width.
  return ctx.isUnique
    ? low + (ctx.ordinal + ctx.attempt) / 4
    : Math.min(high, low + ctx.random.below(Math.floor((high - low) * 4) + 1) / 4);
}

/**
 * Returns a range within the range of the type (`outer`) that the CHECK clauses allow. If a bound itself is
 * not allowed, `step` is the distance to the next number.
 */
function narrow({ name, limits, isUnique }: ValueContext, outer: Range, step = 1): Range {
  const min = limits.min === null ? null : Number(limits.min) + (limits.isAboveMin ? step : 0);
  const max = limits.max === null ? null : Number(limits.max) - (limits.isBelowMax ? step : 0);
  const wished = isUnique
    ? ([1, outer[1]] as const)
    : (BY_NAME.find(([words]) => words.test(name))?.[1] ?? ANY);
  const [from, to] = [Math.max(outer[0], min ?? -Infinity), Math.min(outer[1], max ?? Infinity)];
  let [low, high] = [Math.max(from, wished[0]), Math.min(to, wished[1])];
  // If the CHECK clauses do not allow the range for the name, the allowed range is used, or its part next to
  // the bound.
  if (low > high)
    [low, high] =
      min === null && max !== null
        ? [Math.max(from, to - (wished[1] - wished[0])), to]
        : [from, Math.min(to, from + (wished[1] - wished[0]))];
  return [low, high];
}
