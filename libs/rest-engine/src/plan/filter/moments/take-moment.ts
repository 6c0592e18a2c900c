import { isAtEnd, takeMark, takeMatch, takeText, type WhereScanner } from '../where-scanner.js';
import { MOMENT_UNITS, type MomentExpression, type MomentUnit } from './moment-expression.js';
import { isTimeZone } from './time-zones.js';

/**
 * The result of reading a relative date: a valid expression, a text of another kind, or an expression with a
 * fault.
 */
export type TakenMoment =
  | { readonly kind: 'moment'; readonly expression: MomentExpression }
  | { readonly kind: 'none' }
  | { readonly kind: 'refused'; readonly msg: string; readonly hint: string };

const NOW = /(?:NOW|CURRENT_TIMESTAMP)\s*\(\s*\)/iy;
const TODAY = /CURRENT_DATE\s*\(\s*\)/iy;
const TRUNCATE = /DATE_TRUNC\s*\(/iy;
/** The sign is optional, because a plus sign in a URL is decoded as a space. */
const SHIFT = /([+-]?)\s*INTERVAL\s+(?:'(\d{1,7})\s*([A-Za-z]+)'|'?(\d{1,7})'?\s*([A-Za-z]+))/iy;
const NESTED_MAX = 4;
const SHIFTS_MAX = 8;

const EXAMPLE = "NOW() - INTERVAL 7 DAY, or DATE_TRUNC('month', NOW(), 'Europe/Amsterdam')";

/** Reads an expression such as `NOW() - INTERVAL 7 DAY` if it begins at the scanner's position. */
export function takeMoment(scanner: WhereScanner, depth = 1): TakenMoment {
  const base = takeBase(scanner, depth);
  if (base.kind !== 'moment') return base;
  let { expression } = base;
  for (let shifts = 0; ; shifts += 1) {
    const found = takeMatch(scanner, SHIFT);
    if (found === null) return { kind: 'moment', expression };
    const unit = toUnit(found[3] ?? found[5] ?? '');
    if (unit === null)
      return rejected(
        `Unknown unit of time ${JSON.stringify(found[3] ?? found[5] ?? '')}.`,
        `The units are ${MOMENT_UNITS.join(', ')}.`,
      );
    if (shifts >= SHIFTS_MAX)
      return rejected(`A relative date can have at most ${SHIFTS_MAX} intervals.`, EXAMPLE);
    const count = Number(found[2] ?? found[4]) * (found[1] === '-' ? -1 : 1);
    expression = { kind: 'shifted', of: expression, count, unit };
  }
}

/** Parses a whole text as a relative date. */
export function readMoment(text: string): TakenMoment {
  const scanner = { text, position: 0 };
  const taken = takeMoment(scanner);
  if (taken.kind === 'refused' || (taken.kind === 'moment' && isAtEnd(scanner))) return taken;
  return rejected('This is not a relative date.', `Write it like ${EXAMPLE}.`);
}

function takeBase(scanner: WhereScanner, depth: number): TakenMoment {
  if (takeMatch(scanner, NOW) !== null) return { kind: 'moment', expression: { kind: 'now' } };
  if (takeMatch(scanner, TODAY) !== null)
    return {
      kind: 'moment',
      expression: { kind: 'truncated', unit: 'day', of: { kind: 'now' }, zone: null },
    };
  return takeMatch(scanner, TRUNCATE) === null ? { kind: 'none' } : takeTruncated(scanner, depth);
}

/**
 * Reads the rest of an expression such as `DATE_TRUNC('month', NOW(), 'Europe/Amsterdam')`, from the first
 * argument on.
 */
function takeTruncated(scanner: WhereScanner, depth: number): TakenMoment {
  if (depth >= NESTED_MAX) return rejected('DATE_TRUNC is nested too deeply.', EXAMPLE);
  const word = takeText(scanner);
  const unit = toUnit(word ?? '');
  if (word === null || unit === null)
    return rejected(
      'The first argument of DATE_TRUNC must be a unit of time.',
      `The units are '${MOMENT_UNITS.join("', '")}'.`,
    );
  const of = takeMark(scanner, ',') ? takeMoment(scanner, depth + 1) : ({ kind: 'none' } as const);
  if (of.kind === 'refused') return of;
  if (of.kind === 'none')
    return rejected('The second argument of DATE_TRUNC must be a relative date.', EXAMPLE);
  const zone = takeMark(scanner, ',') ? takeText(scanner) : null;
  if (zone !== null && !isTimeZone(zone))
    return rejected(
      `Unknown time zone ${JSON.stringify(zone)}.`,
      "Use a name such as 'Europe/Amsterdam', 'UTC' or '-05:00'. In a URL, write a plus sign as %2B.",
    );
  if (!takeMark(scanner, ')'))
    return rejected('DATE_TRUNC takes a unit, a relative date and a time zone.', EXAMPLE);
  return { kind: 'moment', expression: { kind: 'truncated', unit, of: of.expression, zone } };
}

function toUnit(word: string): MomentUnit | null {
  const lower = word.toLowerCase();
  return MOMENT_UNITS.find((unit) => unit === lower || `${unit}s` === lower) ?? null;
}

function rejected(msg: string, hint: string): TakenMoment {
  return { kind: 'refused', msg, hint };
}
