import { AppError, nearestNames } from '@rowhouse/errors';
import { foldName, nameOf } from '../lexer/names.js';
import { notAllowed } from '../lexer/sql-fault.js';
import type { TokenCursor } from '../lexer/token-cursor.js';
import type { SqlToken } from '../types.js';

/** The folded names of the common table expressions that are in scope. `outer` is the surrounding scope. */
export interface CteScope {
  readonly names: ReadonlySet<string>;
  readonly outer: CteScope | null;
}

/** A use of a column, with its qualifier. The guard checks the qualifier when all aliases are known. */
export interface ColumnReference {
  readonly qualifier: SqlToken | null;
  readonly name: SqlToken;
}

export interface ReadContext {
  readonly cursor: TokenCursor;
  readonly names: KnownNames;
  /** The names of the base tables and views that the text reads. */
  readonly tables: Set<string>;
  /** The folded names that may precede a dot: tables, aliases and common table expressions. */
  readonly qualifiers: Set<string>;
  /**
   * The folded names that the text itself defines: column aliases, windows, and columns of common table
   * expressions and derived tables.
   */
  readonly givenNames: Set<string>;
  readonly columns: ColumnReference[];
  /**
   * The unknown tables in the text. They are recorded only if `names.isOpen` is set, and rejected otherwise.
   */
  readonly unknownTables: SqlToken[];
  /**
   * Names that the text defines and that equal the name of a hidden table. They are replaced in the text for
   * the server.
   */
  readonly borrowed: Set<SqlToken>;
  /** All SELECTs in the text. */
  readonly selects: SelectNote[];
  readonly openSelects: SelectNote[];
}

export interface KnownNames {
  readonly tables: ReadonlySet<string>;
  /** The folded names of hidden tables. Errors about them are the same as for tables that do not exist. */
  readonly hidden: ReadonlySet<string>;
  readonly schemaName: string;
  /** For tables with hidden columns: the names of their visible columns. */
  readonly partial?: ReadonlyMap<string, readonly string[]>;
  /**
   * Whether the text is an INSERT, UPDATE or DELETE. In these, SET, RETURNING and ON DUPLICATE KEY end the
   * clause before them.
   */
  readonly isWrite?: boolean;
  /**
   * Whether unknown names are recorded instead of rejected. This is used to decide whether a text is SQL, and
   * never by the guard.
   */
  readonly isOpen: boolean;
}

/**
 * Resolves a name in the position of a table. It is a common table expression in scope, or a table that the
 * API key may read. Returns the table's name, or null for a common table expression. Throws for any other
 * name.
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

/** Resolves `schema.table`, which cannot be a common table expression. */
export function resolveQualifiedTable(ctx: ReadContext, schema: SqlToken, token: SqlToken): string | null {
  if (nameOf(schema) !== ctx.names.schemaName && !ctx.names.isOpen) throw foreignSchema(schema);
  return resolveTable(ctx, null, token);
}

/** Creates the error 403 `query.not_allowed` for a schema other than that of the API key. */
export function foreignSchema(schema: SqlToken): AppError {
  return notAllowed(
    `"${nameOf(schema)}" is not a schema that this key can read.`,
    schema,
    'Remove the schema before the name of the table.',
  );
}

/**
 * Creates the error 400 `query.unknown_table`. It suggests similar names of tables that the API key may read.
 */
export function unknownTable(names: KnownNames, name: string, token: SqlToken): AppError {
  const suggestions = nearestNames(name, [...names.tables]);
  return new AppError('query.unknown_table', {
    detail: `Unknown table "${name}" (line ${token.line}, column ${token.column}).`,
    extra: { line: token.line, column: token.column, suggestions },
    ...(suggestions.length === 0 ? {} : { hint: `Did you mean ${suggestions.join(', ')}?` }),
  });
}

/** Records a name that the text defines or uses as its own: an alias or a common table expression. */
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

/** An item in FROM that has a name. */
export interface TableFactor {
  /** The token with the table's alias or name. Null for the table of a RETURNING clause. */
  readonly token: SqlToken | null;
  readonly name: string;
  /** The name of the base table or view. Null if the item is a subquery. */
  readonly table: string | null;
}

/** A range of offsets in the text. `end` is exclusive. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** The text range of each clause of a SELECT. Null for a clause that the SELECT does not have. */
export type ClauseRanges = Record<'list' | 'from' | 'where' | 'group' | 'having' | 'order', TextRange | null>;

/** The stars in one SELECT or RETURNING clause, and the tables that it reads. */
export interface SelectNote {
  range: TextRange;
  readonly clauses: ClauseRanges;
  readonly stars: { readonly star: SqlToken; readonly qualifier: SqlToken | null }[];
  readonly factors: TableFactor[];
  /** Whether NATURAL or USING merges columns of two tables. */
  isMerged: boolean;
}

/** Calls `read`, and records what it parses as a separate SELECT. */
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

/** Returns the end offset of the last token that was read. */
export function endOfText({ cursor }: ReadContext): number {
  return cursor.following()?.end ?? 0;
}
