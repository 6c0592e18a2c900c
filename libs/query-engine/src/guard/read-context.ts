import { AppError, nearestNames } from '@rowhouse/errors';
import { foldName, nameOf } from '../lexer/names.js';
import { notAllowed } from '../lexer/sql-fault.js';
import type { TokenCursor } from '../lexer/token-cursor.js';
import type { SqlToken } from '../types.js';

/** The folded names of common table expressions in scope, innermost first. */
export interface CteScope {
  readonly names: ReadonlySet<string>;
  readonly outer: CteScope | null;
}

/** The `qualifier.` of a column. The guard checks the qualifier once every alias is known. */
export interface ColumnReference {
  readonly qualifier: SqlToken | null;
  readonly name: SqlToken;
}

export interface ReadContext {
  readonly cursor: TokenCursor;
  readonly names: KnownNames;
  /** The base tables and views that are read, by exact name. */
  readonly tables: Set<string>;
  /** Folded names that may precede a dot: tables, aliases and common table expressions. */
  readonly qualifiers: Set<string>;
  /**
   * Folded names defined by the text: column aliases, columns of common table expressions and derived tables,
   * and windows.
   */
  readonly givenNames: Set<string>;
  readonly columns: ColumnReference[];
  /** The unknown tables of the text. They are only recorded if `names.isOpen` is set. */
  readonly unknownTables: SqlToken[];
  /** Names defined by the text that equal a hidden table. The server receives other names instead. */
  readonly borrowed: Set<SqlToken>;
  /** All SELECTs of the text. */
  readonly selects: SelectNote[];
  readonly openSelects: SelectNote[];
}

export interface KnownNames {
  readonly tables: ReadonlySet<string>;
  /** The folded names of hidden tables. Errors do not distinguish them from missing tables. */
  readonly hidden: ReadonlySet<string>;
  readonly schemaName: string;
  /** The visible columns of tables with hidden columns. */
  readonly partial?: ReadonlyMap<string, readonly string[]>;
  /** For INSERT, UPDATE or DELETE: SET, RETURNING and ON DUPLICATE KEY end the preceding clause. */
  readonly isWrite?: boolean;
  /**
   * Records unknown names instead of rejecting them, to find out whether a text is SQL. Never used by the
   * guard.
   */
  readonly isOpen: boolean;
}

/**
 * Resolves a name in the position of a table: a common table expression in scope, or a table that the key may
 * read. Returns the table's name, or null for an expression. Throws for anything else.
 */
export function resolveTable(ctx: ReadContext, scope: CteScope | null, token: SqlToken): string | null {
  const name = nameOf(token);
  const isKnown = ctx.names.tables.has(name);
  ctx.qualifiers.add(foldName(name));
  if (isKnown) ctx.tables.add(name);
  if (isInScope(scope, name)) {
    noteGivenName(ctx, token);
    return null;
  }
  if (isKnown) return name;
  if (!ctx.names.isOpen) throw unknownTable(ctx.names, name, token);
  ctx.unknownTables.push(token);
  return null;
}

/** Resolves `schema.table`, which is never a common table expression. */
export function resolveQualifiedTable(ctx: ReadContext, schema: SqlToken, token: SqlToken): string | null {
  if (nameOf(schema) !== ctx.names.schemaName && !ctx.names.isOpen) throw foreignSchema(schema);
  return resolveTable(ctx, null, token);
}

/** Creates 403 `query.not_allowed` for a schema other than that of the key. */
export function foreignSchema(schema: SqlToken): AppError {
  return notAllowed(
    `"${nameOf(schema)}" is not a schema that this key can read.`,
    schema,
    'Remove the schema before the name of the table.',
  );
}

/** Creates 400 `query.unknown_table`, with similar names that the key may read. */
export function unknownTable(names: KnownNames, name: string, token: SqlToken): AppError {
  const suggestions = nearestNames(name, [...names.tables]);
  return new AppError('query.unknown_table', {
    detail: `Unknown table "${name}" (line ${token.line}, column ${token.column}).`,
    extra: { line: token.line, column: token.column, suggestions },
    ...(suggestions.length === 0 ? {} : { hint: `Did you mean ${suggestions.join(', ')}?` }),
  });
}

/** Records an alias, a common table expression, or a use of one. */
export function noteGivenName(ctx: ReadContext, token: SqlToken): void {
  const name = nameOf(token);
  if (ctx.names.hidden.has(foldName(name)) && !ctx.names.tables.has(name)) ctx.borrowed.add(token);
}

function isInScope(scope: CteScope | null, name: string): boolean {
  const folded = foldName(name);
  for (let current = scope; current !== null; current = current.outer) {
    if (current.names.has(folded)) return true;
  }
  return false;
}

/** A named item in FROM. */
export interface TableFactor {
  /** The token of the table's alias or name. Null for the table of a RETURNING. */
  readonly token: SqlToken | null;
  readonly name: string;
  /** The name of the base table or view. Null for a subquery. */
  readonly table: string | null;
}

/** Offsets in the text. `end` is exclusive. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** The ranges of a SELECT's clauses. Null for a missing clause. */
export type ClauseRanges = Record<'list' | 'from' | 'where' | 'group' | 'having' | 'order', TextRange | null>;

/** The stars of one SELECT or RETURNING, and the tables it reads. */
export interface SelectNote {
  range: TextRange;
  readonly clauses: ClauseRanges;
  readonly stars: { readonly star: SqlToken; readonly qualifier: SqlToken | null }[];
  readonly factors: TableFactor[];
  /** Whether NATURAL or USING merges two columns. */
  isMerged: boolean;
}

/** Records what `read` parses as a separate SELECT. */
export function noteSelect(ctx: ReadContext, read: () => void): void {
  const clauses: ClauseRanges = {
    list: null,
    from: null,
    where: null,
    group: null,
    having: null,
    order: null,
  };
  const start = ctx.cursor.peek()?.start ?? 0;
  const note: SelectNote = { range: { start, end: start }, clauses, stars: [], factors: [], isMerged: false };
  ctx.selects.push(note);
  ctx.openSelects.push(note);
  read();
  note.range = { start, end: endOfText(ctx) };
  ctx.openSelects.pop();
}

/** Returns the end of the token before the next one. */
export function endOfText({ cursor }: ReadContext): number {
  return cursor.following()?.end ?? 0;
}
