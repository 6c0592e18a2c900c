import type { Snapshot } from './types.js';

/**
 * Functions that change nothing beyond their statement.
 * Any other name in a trigger may be a tenant's own function.
 */
const HARMLESS_CALLS: ReadonlySet<string> = new Set([
  'abs',
  'char_length',
  'coalesce',
  'concat',
  'concat_ws',
  'count',
  'current_timestamp',
  'curdate',
  'curtime',
  'date',
  'date_add',
  'date_sub',
  'greatest',
  'if',
  'ifnull',
  'in',
  'json_array',
  'json_extract',
  'json_object',
  'json_unquote',
  'least',
  'left',
  'length',
  'lower',
  'max',
  'md5',
  'min',
  'now',
  'nullif',
  'replace',
  'right',
  'round',
  'sha1',
  'sha2',
  'substr',
  'substring',
  'sum',
  'sysdate',
  'trim',
  'unix_timestamp',
  'upper',
  'utc_timestamp',
  'uuid',
  'values',
  'year',
]);
/**
 * Matches comments, which an engine may run, variables, locks, and statements that call something by name.
 */
const RISKY = /\/\*|--|#|@|lock|\bcall\b|\bexecute\b|\bprepare\b|\bimmediate\b/i;
/**
 * Matches the call of a stored function in a view, which both engines print as a quoted
 * name before its parentheses.
 */
const QUOTED_CALL = /`\s*\(/;

/**
 * Returns the tables and views whose statements run code of their owner that may change the session: named
 * locks, variables, settings. Returns none when every trigger and view is harmless.
 *
 * If one is not, others may reach it: a trigger may write to a table with a trigger. All views and all tables
 * with triggers are then returned.
 */
export function listCodeTables({ tables }: Snapshot): readonly string[] {
  const carriers = tables.filter((table) => table.kind === 'view' || (table.triggers ?? []).length > 0);
  const isRisky = carriers.some((table) =>
    table.kind === 'view'
      ? isRiskyView(table.createSql)
      : (table.triggers ?? []).some(({ createSql }) => isRiskyTrigger(createSql)),
  );
  return isRisky ? carriers.map(({ name }) => name) : [];
}

function isRiskyView(createSql: string): boolean {
  const text = withoutTexts(createSql);
  return RISKY.test(text) || QUOTED_CALL.test(text);
}

function isRiskyTrigger(createSql: string): boolean {
  const text = withoutTexts(createSql.replace(/^[\s\S]*?\bFOR\s+EACH\s+ROW\b/i, ''));
  if (RISKY.test(text) || QUOTED_CALL.test(text)) return true;
  const calls = [...text.matchAll(/([\w$]+)\s*\(/g)].map(([, name = '']) => name.toLowerCase());
  return calls.some((name) => !HARMLESS_CALLS.has(name)) || text.split(';').some(setsMore);
}

/** Matches an UPDATE that starts a statement of a body. Its SET assigns to columns. */
const UPDATE = /(?:^|\b(?:begin|then|else|do)\b)\s*update\s(?:(?!\b(?:begin|then|else|do)\b)[\s\S])*$/i;
const NEW_COLUMN = /^\s*`?new`?\s*\.\s*(?:`[^`]*`|[\w$]+)\s*=/i;

/** Returns whether a statement assigns to anything but columns. */
function setsMore(statement: string): boolean {
  const found = /\bset\b/i.exec(statement);
  if (found === null) return false;
  const assigned = statement.slice(found.index + found[0].length);
  if (/\bset\b/i.test(assigned)) return true;
  if (UPDATE.test(statement.slice(0, found.index))) return false;
  return !withoutParentheses(assigned)
    .split(',')
    .every((part) => NEW_COLUMN.test(part));
}

function withoutParentheses(text: string): string {
  for (let before = '', left = text; ;) {
    before = left;
    left = left.replace(/\([^()]*\)/g, '');
    if (left === before) return left;
  }
}

/**
 * Removes the contents of single-quoted texts, which hold no code.
 * A double-quoted text may be a name, so it stays.
 */
function withoutTexts(sql: string): string {
  return sql.replace(/'(?:[^'\\]|\\[\s\S]|'')*'/g, "''");
}
