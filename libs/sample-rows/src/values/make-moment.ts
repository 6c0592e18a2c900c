import type { ValueContext } from './value-context.js';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/**
 * Returns the creation time of a row in milliseconds since 1970. The rows are spread, in order, over the year
 * before `nowMs`. The newest row is slightly older than `nowMs`.
 */
export function momentOf(ordinal: number, total: number, nowMs: number, jitter: number): number {
  const span = 365 * DAY_MS;
  return (
    Math.floor((nowMs - span + (span * (ordinal - 1 + jitter)) / Math.max(total, ordinal)) / 1_000) * 1_000
  );
}

type Shift = (ctx: ValueContext) => number;

/**
 * The difference between the value of a column and the creation time of its row, by the name of the column.
 * The first pattern that matches is used.
 */
const BY_NAME: readonly (readonly [RegExp, Shift])[] = [
  [
    /(^|_)(created|inserted|added|registered|joined|signed_up|ordered|placed|date_created)(_at|_on|_date|_time)?$|^date$|^timestamp$/,
    () => 0,
  ],
  [/birth|(^|_)(dob|born)/, ({ random }) => -random.between(18 * 365, 75 * 365) * DAY_MS],
  [
    /(^|_)(due|expire[sd]?|expiry|expiration|valid_(until|to)|deadline|scheduled|renewal|ends?|end|until|finish(ed)?|closed|return(ed)?|checkout|check_out|departure|arrival)(_at|_on|_date|_time)?$/,
    ({ random }) => random.between(5, 60) * DAY_MS + random.below(24) * HOUR_MS,
  ],
  [
    /(^|_)(starts?|start|begin|begins|from|valid_from|hired|hire|checkin|check_in)(_at|_on|_date|_time)?$/,
    ({ random }) => random.between(1, 4) * DAY_MS,
  ],
  [
    /(^|_)(shipped|delivered|paid|completed|approved|published|sent|read|verified|confirmed)(_at|_on|_date|_time)?$/,
    pastOf(10),
  ],
  [/./, pastOf(30)],
];

/** Returns a time after the creation of the row, but not in the future. */
function pastOf(days: number): Shift {
  return ({ random, momentMs, nowMs }) =>
    Math.floor((Math.min(days * DAY_MS, Math.max(0, nowMs - momentMs)) * random.below(1_000)) / 1_000);
}

function chooseMs(ctx: ValueContext): number {
  const shift = BY_NAME.find(([words]) => words.test(ctx.name))?.[1] ?? pastOf(30);
  // For a unique column, each new attempt adds 61 seconds to the value.
  const wished = Math.floor((ctx.momentMs + shift(ctx) + ctx.attempt * 61_000) / 1_000) * 1_000;
  const [min, max] = [readMs(ctx.limits.min), readMs(ctx.limits.max)];
  if (min !== null && wished < min)
    return Math.min(min + ctx.random.between(1, 300) * DAY_MS, max ?? Infinity);
  return max !== null && wished > max ? max - ctx.random.between(1, 300) * DAY_MS : wished;
}

function readMs(bound: number | string | null): number | null {
  const ms =
    typeof bound === 'string'
      ? Date.parse(`${bound.replace(' ', 'T')}${bound.length > 10 ? 'Z' : ''}`)
      : Number.NaN;
  return Number.isNaN(ms) ? null : ms;
}

export function makeDay(ctx: ValueContext): string {
  return new Date(chooseMs(ctx) + (ctx.isUnique ? ctx.attempt * DAY_MS : 0)).toISOString().slice(0, 10);
}

/** Returns a time in UTC with as many fractional digits as the column has. */
export function makeDateTime(ctx: ValueContext): string {
  const fraction = ctx.column.fraction ?? 0;
  const text = new Date(chooseMs(ctx)).toISOString().slice(0, 19).replace('T', ' ');
  return fraction === 0
    ? text
    : `${text}.${String(ctx.random.below(10 ** Math.min(fraction, 6))).padStart(Math.min(fraction, 6), '0')}`;
}

/** Returns a time of day within working hours. */
export function makeTime({ random, isUnique, ordinal, attempt, column }: ValueContext): string {
  const seconds = isUnique ? 8 * 3_600 + ordinal + attempt : random.between(8 * 60, 20 * 60) * 60;
  const text = new Date(seconds * 1_000).toISOString().slice(11, 19);
  return (column.fraction ?? 0) === 0 ? text : `${text}.${'0'.repeat(column.fraction ?? 0)}`;
}

export function makeYear({ random, limits, nowMs, isUnique, ordinal, attempt }: ValueContext): number {
  const thisYear = new Date(nowMs).getUTCFullYear();
  const low = Math.max(
    1901,
    limits.min === null ? thisYear - 30 : Number(limits.min) + (limits.isAboveMin ? 1 : 0),
  );
  const high = Math.min(
    2155,
    limits.max === null ? Math.max(low, thisYear) : Number(limits.max) - (limits.isBelowMax ? 1 : 0),
  );
  return isUnique ? 1901 + ((ordinal - 1 + attempt) % 255) : random.between(low, high);
}
