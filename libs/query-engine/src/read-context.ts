import { AppError, nearestNames } from '@rowhouse/errors';
import type { SelectNote } from './expand-stars.js';
import { notAllowed } from './sql-fault.js';
import type { TokenCursor } from './token-cursor.js';
import type { SqlToken } from './types.js';

/** Names of common table expressions that a place can see, folded; the innermost first. */
export interface CteScope {
  readonly names: ReadonlySet<string>;
  readonly outer: CteScope | null;
}

/** `qualifier.` in front of a column, to be checked once every alias is known. */
export interface ColumnReference {
  readonly qualifier: SqlToken | null;
  readonly name: SqlToken;
}

export interface ReadContext {
  readonly cursor: TokenCursor;
  readonly names: KnownNames;
  /** Base tables and views read, by exact name. */
  readonly tables: Set<string>;
  /** Folded names that may stand before a dot: tables, aliases, expressions of WITH. */
  readonly qualifiers: Set<string>;
  /** Folded names given by the text: aliases of columns, columns of WITH and of derived tables, windows. */
  readonly givenNames: Set<string>;
  readonly columns: ColumnReference[];
  /** Only where `names.isOpen`: tables that are not known. */
  readonly unknownTables: SqlToken[];
  /** Names that the text gives and that a table out of reach has too: another one goes to the server in their place. */
  readonly borrowed: Set<SqlToken>;
  /** Every SELECT of the text, and those that the cursor is in, the innermost last. */
  readonly selects: SelectNote[];
  readonly openSelects: SelectNote[];
}

export interface KnownNames {
  readonly tables: ReadonlySet<string>;
  /** Folded names of the tables out of reach. No answer tells them from tables that are not there. */
  readonly hidden: ReadonlySet<string>;
  readonly schemaName: string;
  /** Tables with columns that the key may not read, and the ones that it may. */
  readonly partial?: ReadonlyMap<string, readonly string[]>;
  /** INSERT, UPDATE or DELETE: SET, RETURNING and ON DUPLICATE KEY end what stands before them. */
  readonly isWrite?: boolean;
  /** To find out whether a text is SQL at all: names out of reach are noted and not refused. Never for the guard. */
  readonly isOpen: boolean;
}

/** Case-blind form. Both mappings, since U+017F and its like are equal to ASCII letters in one of them only. */
export function foldName(name: string): string {
  return name.toUpperCase().toLowerCase();
}

/** A word or backquoted name as it is written. */
export function nameOf(token: SqlToken): string {
  return token.kind === 'quoted' ? token.value : token.text;
}

export type NameToken = SqlToken & { readonly kind: 'word' | 'quoted' };

export function isNameToken(token: SqlToken | undefined): token is NameToken {
  return token !== undefined && (token.kind === 'word' || token.kind === 'quoted');
}

/**
 * A name in the place of a table: an expression of WITH in scope, or a table that the key may read; else an error.
 * The table's name; null for what is none.
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

/** `schema.table`: never an expression of WITH. */
export function resolveQualifiedTable(ctx: ReadContext, schema: SqlToken, token: SqlToken): string | null {
  if (nameOf(schema) !== ctx.names.schemaName && !ctx.names.isOpen) throw foreignSchema(schema);
  return resolveTable(ctx, null, token);
}

export function foreignSchema(schema: SqlToken): AppError {
  return notAllowed(
    `"${nameOf(schema)}" is no schema that this key can read.`,
    schema,
    'Name tables without a schema in front of them.',
  );
}

export function unknownTable(names: KnownNames, name: string, at: SqlToken): AppError {
  const suggestions = nearestNames(name, [...names.tables]);
  return new AppError('query.unknown_table', {
    detail: `There is no table "${name}" here (line ${at.line}, column ${at.column}).`,
    extra: { line: at.line, column: at.column, suggestions },
    ...(suggestions.length === 0 ? {} : { hint: `Did you mean ${suggestions.join(', ')}?` }),
  });
}

/** An alias, an expression of WITH, or a use of one. */
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
