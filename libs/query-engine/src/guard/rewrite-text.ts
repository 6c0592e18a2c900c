import { type ReadContext } from './read-context.js';
import { foldName, nameOf } from '../lexer/names.js';
import type { SqlToken } from '../types.js';

/**
 * Returns the text from the first to the last token for the server. Comments become white space with the same
 * line breaks, and `:name` becomes `?`.
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

/** Replaces the comments between two tokens with white space that has the same number of line breaks. */
function blank(gap: string): string {
  return gap === '' || gap.trim() === '' ? gap : ` ${'\n'.repeat(gap.split('\n').length - 1)}`;
}

export interface Substitutions {
  /** The text that replaces each token for the server. */
  readonly byToken: ReadonlyMap<SqlToken, string>;
  /** The original name for each replacement. */
  readonly byName: ReadonlyMap<string, string>;
}

const NONE: Substitutions = { byToken: new Map(), byName: new Map() };

/**
 * Chooses replacements for names that the text defines and that equal the name of a hidden table. The text
 * then runs as if this table did not exist, and the server cannot confuse the name with the table.
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
