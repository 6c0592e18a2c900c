import { skipQuoted } from '../sql-text.js';
import type { Trigger } from '../types.js';

/**
 * Returns the names of columns to which BEFORE INSERT triggers assign a value, as in `SET NEW.column` or
 * `INTO NEW.column`. The names are in lower case. If a trigger does not assign the value for some records,
 * the engine rejects these records.
 */
export function findTriggerFilled(triggers: readonly Trigger[]): ReadonlySet<string> {
  const filled = new Set<string>();
  for (const trigger of triggers) {
    if (trigger.timing === 'BEFORE' && trigger.event === 'INSERT')
      collectTargets(splitTokens(trigger.createSql), filled);
  }
  return filled;
}

function collectTargets(tokens: readonly string[], filled: Set<string>): void {
  for (let index = 1; index + 2 < tokens.length; index += 1) {
    if (tokens[index]?.toUpperCase() !== 'NEW' || tokens[index + 1] !== '.') continue;
    const before = tokens[index - 1]?.toUpperCase();
    const isAssigned =
      (before === 'SET' || before === ',') && (tokens[index + 3] === '=' || tokens[index + 3] === ':');
    if (isAssigned || isInto(tokens, index - 1)) filled.add(unquote(tokens[index + 2] ?? '').toLowerCase());
  }
}

/**
 * Reports whether the token at `index` is INTO, or a comma in the list after INTO, as in `INTO a, b, NEW.c`.
 */
function isInto(tokens: readonly string[], index: number): boolean {
  let before = index;
  while (tokens[before] === ',')
    before -= tokens[before - 2] === '.' ? 4 : tokens[before - 2] === '@' ? 3 : 2;
  return tokens[before]?.toUpperCase() === 'INTO';
}

function unquote(name: string): string {
  return name.startsWith('`') ? name.slice(1, -1).replaceAll('``', '`') : name;
}

/** Splits valid SQL into words, quoted names and symbols. String literals and comments are omitted. */
function splitTokens(sql: string): string[] {
  const tokens: string[] = [];
  for (let index = 0; index < sql.length;) {
    const end = endOfToken(sql, index);
    const token = sql.slice(index, end);
    if (!/^(?:\s|'|"|#|--|\/\*)/.test(token)) tokens.push(token);
    index = end;
  }
  return tokens;
}

function endOfToken(sql: string, start: number): number {
  const sign = sql.charAt(start);
  if (sign === "'" || sign === '"' || sign === '`') return skipQuoted(sql, start) + 1;
  if (sign === '#' || (sql.startsWith('--', start) && /[\s]/.test(sql.charAt(start + 2))))
    return endAfter(sql, '\n', start);
  if (sql.startsWith('/*', start)) return endAfter(sql, '*/', start + 2);
  let end = start;
  while (end < sql.length && /[\w$\u0080-\uffff]/.test(sql.charAt(end))) end += 1;
  return Math.max(end, start + 1);
}

function endAfter(sql: string, mark: string, from: number): number {
  const found = sql.indexOf(mark, from);
  return found < 0 ? sql.length : found + mark.length;
}
