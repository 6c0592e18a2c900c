import type { CompiledColumn, PATTERN_OPERATORS } from '@rowhouse/schema-model';
import { checkPattern } from './check-pattern.js';
import { rejected, type PlannedCondition } from './condition.js';
import { rejectCharset } from '../../values/coerce-string.js';

export type PatternOperator = (typeof PATTERN_OPERATORS)[number];

/**
 * The maximum length of a pattern, which exceeds any text that users search for. Each wildcard character in
 * it must be escaped.
 */
const TEXT_MAX = 65_536;

/** The kinds of columns whose values have no text form that a pattern could match. */
const PATTERNLESS = new Set(['binary', 'bit', 'boolean', 'float', 'double']);

/**
 * Plans the operator `regex`. It follows the column's collation, and accepts only the syntax that both
 * engines have in common.
 */
export function planRegex(column: CompiledColumn, pattern: string): PlannedCondition {
  if (PATTERNLESS.has(column.valueKind))
    return rejected(`A ${column.valueKind} column has no text to match.`, 'not_comparable');
  return findWrongPattern(pattern) ?? { kind: 'condition', condition: { kind: 'regex', column, pattern } };
}

/** Returns the fault of a regular expression. Returns null if it is valid. */
export function findWrongPattern(pattern: string): PlannedCondition | null {
  if (/[\ud800-\udfff]/u.test(pattern))
    return rejected(
      'The text contains half of a surrogate pair, which is not a character.',
      'lone_surrogate',
    );
  const fault = checkPattern(pattern);
  return fault === null
    ? null
    : rejected(
        `The pattern is invalid at character ${fault.position}: ${fault.msg}`,
        'regex_parsing',
        'For example, ^[A-Z]{2}[0-9]+$ matches two capital letters followed by digits.',
      );
}

/**
 * Plans `like` and similar operators. In the value of `like`, `%` and `_` are wildcards and `\` is the escape
 * character. The other operators use their text literally.
 */
export function planPattern(
  column: CompiledColumn,
  operator: PatternOperator,
  text: string,
): PlannedCondition {
  if (PATTERNLESS.has(column.valueKind))
    return rejected(`A ${column.valueKind} column has no text to match.`, 'not_comparable');
  if (text.length > TEXT_MAX)
    return rejected(`A pattern has at most ${TEXT_MAX.toLocaleString('en')} characters.`, 'too_long');
  if (/[\ud800-\udfff]/u.test(text))
    return rejected(
      'The text contains half of a surrogate pair, which is not a character.',
      'lone_surrogate',
    );
  const lacking = column.charset === 'utf8mb4' ? null : rejectCharset(column, text);
  if (lacking !== null) return lacking;
  const { pattern, mode, isNegated } = toPattern(operator, text);
  return { kind: 'condition', condition: { kind: 'like', column, isNegated, mode, pattern } };
}

export function toPattern(
  operator: PatternOperator,
  text: string,
): { pattern: string; mode: 'collation' | 'blind'; isNegated: boolean } {
  const literal = text.replace(/[\\%_]/g, '\\$&');
  switch (operator) {
    case 'like':
      return { pattern: text, mode: 'collation', isNegated: false };
    case 'not_like':
      return { pattern: text, mode: 'collation', isNegated: true };
    case 'ilike':
      return { pattern: text, mode: 'blind', isNegated: false };
    case 'contains':
      return { pattern: `%${literal}%`, mode: 'collation', isNegated: false };
    case 'icontains':
      return { pattern: `%${literal}%`, mode: 'blind', isNegated: false };
    case 'startswith':
      return { pattern: `${literal}%`, mode: 'collation', isNegated: false };
    case 'istartswith':
      return { pattern: `${literal}%`, mode: 'blind', isNegated: false };
    case 'endswith':
      return { pattern: `%${literal}`, mode: 'collation', isNegated: false };
    case 'iendswith':
      return { pattern: `%${literal}`, mode: 'blind', isNegated: false };
    case 'iexact':
      return { pattern: literal, mode: 'blind', isNegated: false };
  }
}
