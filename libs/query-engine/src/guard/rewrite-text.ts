import { type ReadContext } from './read-context.js';
import { foldName, nameOf } from '../lexer/names.js';
import type { SqlToken } from '../types.js';

/**
 * Returns the text from the first to the last token. Comments become blanks with their line breaks, and
 * `:name` becomes `?`.
 */
export function rewrite(
  text: string,
  tokens: readonly SqlToken[],
  substitutions?: ReadonlyMap<SqlToken, string>,
): string {
  let sql = '';
  let end = tokens[0]?.start ?? 0;
  for (const token of tokens) {
    sql +=
      blank(text.slice(end, token.start)) +
      (token.kind === 'parameter' ? '?' : (substitutions?.get(token) ?? token.text));
    end = token.end;
  }
  return sql;
}

/** Replaces comments between two tokens by white space with the same number of line breaks. */
function blank(gap: string): string {
  return gap === '' || gap.trim() === '' ? gap : ` ${'\n'.repeat(gap.split('\n').length - 1)}`;
}

export interface Substitutions {
  /** The text sent to the server instead of the token. */
  readonly byToken: ReadonlyMap<SqlToken, string>;
  /** Maps each replacement to the original name. */
  readonly byName: ReadonlyMap<string, string>;
}

const NONE: Substitutions = { byToken: new Map(), byName: new Map() };

/**
 * Chooses replacements for names defined by the text that equal a hidden table. The text runs as if that
 * table did not exist, and the name never reaches the server where it could refer to the table.
 */
export function findSubstitutions(ctx: ReadContext, text: string): Substitutions {
  if (ctx.borrowed.size === 0) return NONE;
  const isTaken = (prefix: string): boolean =>
    foldName(text).includes(prefix) ||
    [...ctx.names.tables, ...ctx.names.hidden].some((name) => foldName(name).startsWith(prefix));
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
  for (const { qualifier } of ctx.columns)
    if (
      qualifier !== null &&
      !ctx.names.tables.has(nameOf(qualifier)) &&
      names.has(foldName(nameOf(qualifier)))
    )
      use(qualifier);
  return { byToken, byName };
}
