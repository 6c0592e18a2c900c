import { foldName, nameOf, type ReadContext } from './read-context.js';
import type { SqlToken } from './types.js';

/** The text from first to last token: comments become a blank each (their line breaks kept), `:name` becomes `?`. */
export function rewrite(text: string, tokens: readonly SqlToken[], standIns?: ReadonlyMap<SqlToken, string>): string {
  let sql = '';
  let end = tokens[0]?.start ?? 0;
  for (const token of tokens) {
    sql += blank(text.slice(end, token.start)) + (token.kind === 'parameter' ? '?' : (standIns?.get(token) ?? token.text));
    end = token.end;
  }
  return sql;
}

/** Between tokens stands only white space and comments. */
function blank(gap: string): string {
  return gap === '' || gap.trim() === '' ? gap : ` ${'\n'.repeat(gap.split('\n').length - 1)}`;
}

export interface StandIns {
  /** What the server is told in the place of the token. */
  readonly byToken: ReadonlyMap<SqlToken, string>;
  /** Stand-in -> the name as it was given. */
  readonly byName: ReadonlyMap<string, string>;
}

const NONE: StandIns = { byToken: new Map(), byName: new Map() };

/**
 * Names for what a text calls by the name of a table out of reach: an alias or an expression of WITH. So the text runs
 * as it would if there were no such table, and yet the name never reaches the server where a table could be meant.
 */
export function findStandIns(ctx: ReadContext, text: string): StandIns {
  if (ctx.borrowed.size === 0) return NONE;
  const isTaken = (prefix: string): boolean =>
    foldName(text).includes(prefix) || [...ctx.names.tables, ...ctx.names.hidden].some((name) => foldName(name).startsWith(prefix));
  let prefix = 'given';
  while (isTaken(prefix)) prefix += '_';
  const names = new Map<string, string>();
  const byToken = new Map<SqlToken, string>();
  const byName = new Map<string, string>();
  const use = (token: SqlToken): void => {
    const folded = foldName(nameOf(token));
    const name = names.get(folded) ?? `${prefix}${names.size}`;
    names.set(folded, name);
    byToken.set(token, `\`${name}\``);
    byName.set(name, nameOf(token));
  };
  for (const token of ctx.borrowed) use(token);
  for (const { qualifier } of ctx.columns) if (qualifier !== null && !ctx.names.tables.has(nameOf(qualifier)) && names.has(foldName(nameOf(qualifier)))) use(qualifier);
  return { byToken, byName };
}
