import { isNameToken } from './read-context.js';
import { isNameUnit, skipName } from './scan-text.js';
import { invalidSql, positionAt } from './sql-fault.js';
import type { ScannedToken } from './lex-sql.js';
import type { SqlToken } from './types.js';

/** Servers only accept lower-case prefixes. `0X1F` is a name. */
const RADIX = /^(?:0x[0-9a-fA-F]+|0b[01]+)$/;
const DIGITS = /^[0-9]+$/;
const EXPONENT = /^[0-9]+[eE][0-9]+$/;
const EXPONENT_THEN_NAME = /^[0-9]+[eE][0-9]+./;
const DECIMAL = /(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?/y;

/**
 * Reads a number, or a name that begins with a digit. A number directly followed by a name (`1.e`, `1e5x`,
 * `t.5a`) is rejected. Servers split these in surprising ways (`1.e(` is `(` to MySQL), which has bypassed
 * filters.
 */
export function lexNumber(text: string, offset: number, previous: SqlToken | undefined): ScannedToken {
  if (text.charCodeAt(offset) === 0x2e && isNameToken(previous) && previous.end === offset) {
    throw invalidSql('A name that begins with a digit needs backquotes here.', positionAt(text, offset));
  }
  const runEnd = skipName(text, offset);
  const run = text.slice(offset, runEnd);
  if (RADIX.test(run)) return endNumber(text, offset, runEnd);
  const isExponentSign = /^[0-9]+[eE]$/.test(run) && /^[+-][0-9]/.test(text.slice(runEnd, runEnd + 2));
  if (run === '' || DIGITS.test(run) || EXPONENT.test(run) || isExponentSign) {
    DECIMAL.lastIndex = offset;
    DECIMAL.test(text);
    return endNumber(text, offset, DECIMAL.lastIndex);
  }
  if (EXPONENT_THEN_NAME.test(run)) throw ambiguous(text, offset);
  return { kind: 'word', value: run.toUpperCase(), end: runEnd, comment: null };
}

function endNumber(text: string, offset: number, end: number): ScannedToken {
  const following = text.charCodeAt(end);
  if (isNameUnit(following) || following === 0x2e || following === 0x60) throw ambiguous(text, offset);
  return { kind: 'number', value: text.slice(offset, end), end, comment: null };
}

function ambiguous(text: string, offset: number): Error {
  return invalidSql(
    'A number runs into a name.',
    positionAt(text, offset),
    'Put a blank between them, or backquotes around the name.',
  );
}
