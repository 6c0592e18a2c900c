import { quoteName } from '@rowhouse/schema-model';
import { foldName, nameOf, type ReadContext } from './read-context.js';
import { notAllowed } from './sql-fault.js';
import type { SqlToken } from './types.js';

/** What stands in FROM under a name of its own. */
export interface TableFactor {
  /** Its alias, or its name; null for the table of a RETURNING. */
  readonly token: SqlToken | null;
  readonly name: string;
  /** A base table or view; null for a query of the text. */
  readonly table: string | null;
}

/** Offsets in the text; `end` is exclusive. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Where the parts of a SELECT stand; null: it has none. */
export type ClauseRanges = Record<'list' | 'from' | 'where' | 'group' | 'having' | 'order', TextRange | null>;

/** What one SELECT or RETURNING asks for by `*`, and what it reads. */
export interface SelectNote {
  range: TextRange;
  readonly clauses: ClauseRanges;
  readonly stars: { readonly star: SqlToken; readonly qualifier: SqlToken | null }[];
  readonly factors: TableFactor[];
  /** NATURAL or USING: two columns become one. */
  isMerged: boolean;
}

/** Notes what `read` meets as one SELECT of its own. */
export function noteSelect(ctx: ReadContext, read: () => void): void {
  const clauses: ClauseRanges = { list: null, from: null, where: null, group: null, having: null, order: null };
  const start = ctx.cursor.peek()?.start ?? 0;
  const note: SelectNote = { range: { start, end: start }, clauses, stars: [], factors: [], isMerged: false };
  ctx.selects.push(note);
  ctx.openSelects.push(note);
  read();
  note.range = { start, end: endOfText(ctx) };
  ctx.openSelects.pop();
}

/** Notes where a part of the innermost SELECT stands, which `read` reads. */
export function noteClause(ctx: ReadContext, name: keyof ClauseRanges, read: () => void): void {
  const start = ctx.cursor.peek()?.start ?? 0;
  const note = ctx.openSelects.at(-1);
  read();
  if (note !== undefined) note.clauses[name] = { start, end: endOfText(ctx) };
}

/** Where the token before the next one ends. */
function endOfText({ cursor }: ReadContext): number {
  return cursor.behind()?.end ?? 0;
}

export function noteStar(ctx: ReadContext, star: SqlToken, qualifier: SqlToken | null): void {
  ctx.openSelects.at(-1)?.stars.push({ star, qualifier });
}

export function noteFactor(ctx: ReadContext, factor: TableFactor): void {
  ctx.openSelects.at(-1)?.factors.push(factor);
}

export function noteMerge(ctx: ReadContext): void {
  const note = ctx.openSelects.at(-1);
  if (note !== undefined) note.isMerged = true;
}

/** Of all that stands in place of `*` in one text: stars times tables times columns would be gigabytes from a text of 4 KB. */
const EXPANDED_CHARACTERS_MAX = 262_144;

/**
 * For each `*` over a table with columns that the key may not read: the names of those that it may. To the server `*`
 * would be all of them, which the account has no right to. Empty for nearly every text.
 *
 * @param standIns what the server is told in the place of a name
 */
export function expandStars(ctx: ReadContext, standIns: ReadonlyMap<SqlToken, string>): ReadonlyMap<SqlToken, string> {
  const texts = new Map<SqlToken, string>();
  const { partial } = ctx.names;
  if (partial === undefined || partial.size === 0) return texts;
  const columnsOf = ({ table }: TableFactor): readonly string[] | null => (table === null ? null : (partial.get(table) ?? null));
  let left = EXPANDED_CHARACTERS_MAX;
  const spend = (text: string, star: SqlToken): string => {
    left -= text.length;
    if (left < 0) throw notAllowed('Written out for what this key can read, the * of this text are too long: name the columns.', star);
    return text;
  };
  const written = (token: SqlToken): string => standIns.get(token) ?? token.text;
  const listOf = (factor: TableFactor): string => {
    const name = factor.token === null ? quoteName(factor.name) : written(factor.token);
    return columnsOf(factor)?.map((column) => `${name}.${quoteName(column)}`).join(', ') ?? `${name}.*`;
  };
  for (const { stars, factors, isMerged } of ctx.selects) {
    if (stars.length === 0 || factors.every((factor) => columnsOf(factor) === null)) continue;
    for (const { star, qualifier } of stars) {
      const meant = qualifier === null ? null : factors.find((factor) => foldName(factor.name) === foldName(nameOf(qualifier)));
      if (meant === null) {
        if (isMerged) throw notAllowed('Of tables joined with NATURAL or USING some have columns that this key cannot read: name the columns instead of *.', star, 'Joined with ON, * stands for those that it can read.');
        texts.set(star, factors.map((factor) => spend(listOf(factor), star)).join(', '));
        // `q.` stands before the star already.
      } else if (meant !== undefined && qualifier !== null) texts.set(star, spend(columnsOf(meant)?.map(quoteName).join(`, ${written(qualifier)}.`) ?? '*', star));
    }
  }
  return texts;
}
