import { quoteName } from '@rowhouse/schema-model';
import { foldName, nameOf } from '../lexer/names.js';
import { notAllowed } from '../lexer/sql-fault.js';
import type { SqlToken } from '../types.js';
import { type ClauseRanges, endOfText, type ReadContext, type TableFactor } from './read-context.js';

/** Calls `read`, which parses a clause, and records the clause's text range for the innermost SELECT. */
export function noteClause(ctx: ReadContext, name: keyof ClauseRanges, read: () => void): void {
  const start = ctx.cursor.peek()?.start ?? 0;
  const note = ctx.openSelects.at(-1);
  read();
  if (note !== undefined) note.clauses[name] = { start, end: endOfText(ctx) };
}

/** Records a `*` or `table.*` in the select list of the current SELECT. */
export function noteStar(ctx: ReadContext, star: SqlToken, qualifier: SqlToken | null): void {
  ctx.openSelects.at(-1)?.stars.push({ star, qualifier });
}

/** Records a table or subquery in the FROM clause of the current SELECT. */
export function noteFactor(ctx: ReadContext, factor: TableFactor): void {
  ctx.openSelects.at(-1)?.factors.push(factor);
}

/** Records that the current SELECT merges columns with NATURAL or USING. */
export function noteMerge(ctx: ReadContext): void {
  const note = ctx.openSelects.at(-1);
  if (note !== undefined) note.isMerged = true;
}

/**
 * The maximum number of characters that replace the stars of one text. Without this limit, a text of 4 KB
 * could expand to gigabytes, because the size is the product of stars, tables and columns.
 */
const EXPANDED_CHARACTERS_MAX = 262_144;

/**
 * Returns the visible column names that replace each `*` over a table with hidden columns. The server would
 * expand `*` to all columns, which the database account may not read. For nearly every text, the result is
 * empty.
 *
 * @param substitutions the names sent to the server instead of names in the text
 */
export function expandStars(
  ctx: ReadContext,
  substitutions: ReadonlyMap<SqlToken, string>,
): ReadonlyMap<SqlToken, string> {
  const texts = new Map<SqlToken, string>();
  const { partial } = ctx.names;
  if (partial === undefined || partial.size === 0) return texts;
  const columnsOf = ({ table }: TableFactor): readonly string[] | null =>
    table === null ? null : (partial.get(table) ?? null);
  let remaining = EXPANDED_CHARACTERS_MAX;
  const spend = (text: string, star: SqlToken): string => {
    remaining -= text.length;
    if (remaining < 0)
      throw notAllowed('The column lists that replace * are too long. Name the columns.', star);
    return text;
  };
  const written = (token: SqlToken): string => substitutions.get(token) ?? token.text;
  const listOf = (factor: TableFactor): string => {
    const name = factor.token === null ? quoteName(factor.name) : written(factor.token);
    return (
      columnsOf(factor)
        ?.map((column) => `${name}.${quoteName(column)}`)
        .join(', ') ?? `${name}.*`
    );
  };
  for (const { stars, factors, isMerged } of ctx.selects) {
    if (stars.length === 0 || factors.every((factor) => columnsOf(factor) === null)) continue;
    for (const { star, qualifier } of stars) {
      const meant =
        qualifier === null
          ? null
          : factors.find((factor) => foldName(factor.name) === foldName(nameOf(qualifier)));
      if (meant === null) {
        if (isMerged)
          throw notAllowed(
            'This key cannot read some columns of the joined tables. Name the columns instead of *.',
            star,
            'Or join the tables with ON.',
          );
        texts.set(star, factors.map((factor) => spend(listOf(factor), star)).join(', '));
        // The text already contains `q.` before the star, so the first column name needs no qualifier.
      } else if (meant !== undefined && qualifier !== null)
        texts.set(
          star,
          spend(
            columnsOf(meant)
              ?.map(quoteName)
              .join(`, ${written(qualifier)}.`) ?? '*',
            star,
          ),
        );
    }
  }
  return texts;
}
