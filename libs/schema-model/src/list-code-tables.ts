import type { Snapshot } from './types.js';

/**
 * Built-in functions that have no side effects on the session. Any other function in a trigger may be a
 * function that a user defined.
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
/** Matches comments (which an engine may execute), variables, locks, and statements that call routines. */
const RISKY = /\/\*|--|#|@|lock|\bcall\b|\bexecute\b|\bprepare\b|\bimmediate\b/i;
/**
 * Matches the call of a stored function in a view. Both engines write it as a name in backquotes before a
 * parenthesis.
 */
const QUOTED_CALL = /`\s*\(/;

/**
 * Returns the tables and views for which a statement may run a user's code that changes the session, for
 * example by named locks, variables or settings. Returns an empty list if every trigger and view is harmless.
 *
 * If one of them is not harmless, statements on other tables may run it too, because a trigger may write to a
 * table with another trigger. In that case, all views and all tables with triggers are returned.
 */
export function listCodeTables({ tables }: Snapshot): readonly string[] {
  const tablesWithCode = tables.filter((table) => table.kind === 'view' || (table.triggers ?? []).length > 0);
  const isRisky = tablesWithCode.some((table) =>
    table.kind === 'view'
      ? isRiskyView(table.createSql)
      : (table.triggers ?? []).some(({ createSql }) => isRiskyTrigger(createSql)),
  );
  return isRisky ? tablesWithCode.map(({ name }) => name) : [];
}

function isRiskyView(createSql: string): boolean {
  const text = withoutTexts(createSql);
  return RISKY.test(text) || QUOTED_CALL.test(text);
}

function isRiskyTrigger(createSql: string): boolean {
  const text = withoutTexts(createSql.replace(/^[\s\S]*?\bFOR\s+EACH\s+ROW\b/i, ''));
  if (RISKY.test(text) || QUOTED_CALL.test(text)) return true;
  const calls = [...text.matchAll(/([\w$]+)\s*\(/g)].map(([, name = '']) => name.toLowerCase());
  return calls.some((name) => !HARMLESS_CALLS.has(name)) || text.split(';').some(assignsVariables);
}

/** Matches an UPDATE at the start of a statement in a trigger's body. The SET in it assigns columns. */
const UPDATE = /(?:^|\b(?:begin|then|else|do)\b)\s*update\s(?:(?!\b(?:begin|then|else|do)\b)[\s\S])*$/i;
const NEW_COLUMN = /^\s*`?new`?\s*\.\s*(?:`[^`]*`|[\w$]+)\s*=/i;

/** Reports whether a SET in the statement assigns a value to anything other than a column. */
function assignsVariables(statement: string): boolean {
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
 * Removes the contents of texts in single quotes, which are not code. Texts in double quotes are retained,
 * because they may be names.
 */
function withoutTexts(sql: string): string {
  return sql.replace(/'(?:[^'\\]|\\[\s\S]|'')*'/g, "''");
}
