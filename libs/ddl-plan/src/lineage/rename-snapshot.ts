import type { ForeignKey, Snapshot, Table } from '@rowhouse/schema-model';
import { quoteName } from '../sql-text.js';
import { RESERVED_PREFIX } from '../retained-name.js';
import type { PlannedStep, RenameHint } from '../types.js';

/** A rename of a table or a column. */
export interface Move {
  readonly from: string;
  readonly to: string;
}

/**
 * Returns the snapshot in the form in which servers describe it after a table is renamed. No object may have
 * the new name.
 */
export function renameTable(snapshot: Snapshot, from: string, to: string): Snapshot {
  const tables = snapshot.tables.map((table) => {
    const foreignKeys = table.foreignKeys.map((key) =>
      key.referencedTable === from
        ? { ...key, referencedTable: to, definition: replaceReference(key, to) }
        : key,
    );
    const repointed = { ...table, foreignKeys };
    if (table.name !== from || table.kind === 'view') return repointed;
    return {
      ...repointed,
      name: to,
      foreignKeys: foreignKeys.map((key) => followName(key, from, to)),
      checks: table.checks.map((check) => followName(check, from, to)),
      createSql: table.createSql.replace(quoteName(from), () => quoteName(to)),
      ...(table.triggers === undefined
        ? {}
        : {
            triggers: table.triggers.map((trigger) => ({
              ...trigger,
              createSql: trigger.createSql.replace(
                ` ON ${quoteName(from)} FOR EACH ROW`,
                () => ` ON ${quoteName(to)} FOR EACH ROW`,
              ),
            })),
          }),
    };
  });
  return { ...snapshot, tables };
}

/** Renames several tables at once, so that tables can exchange their names. */
export function renameTables(snapshot: Snapshot, moves: readonly Move[]): Snapshot {
  // The temporary names contain a NUL character, so no object can have them.
  const aside = moves.reduce(
    (existing, move, index) => renameTable(existing, move.from, `\0${index}`),
    snapshot,
  );
  return moves.reduce((existing, move, index) => renameTable(existing, `\0${index}`, move.to), aside);
}

/**
 * Renames a constraint that the server named after the table, such as `posts_ibfk_1` and, on MySQL,
 * `posts_chk_1`. Servers do the same.
 */
function followName<T extends { readonly name: string; readonly definition: string }>(
  constraint: T,
  from: string,
  to: string,
): T {
  const rest = constraint.name.startsWith(from) ? constraint.name.slice(from.length) : '';
  if (!/^_(ibfk|chk)_\d+$/.test(rest)) return constraint;
  const name = `${to}${rest}`;
  return {
    ...constraint,
    name,
    definition: constraint.definition.replace(quoteName(constraint.name), () => quoteName(name)),
  };
}

function replaceReference(key: ForeignKey, to: string): string {
  return key.definition.replace(
    `REFERENCES ${quoteName(key.referencedTable)}`,
    () => `REFERENCES ${quoteName(to)}`,
  );
}

/**
 * Renames several columns of one table at once. Keys, checks and generated columns that use them are adapted.
 */
export function renameColumns(snapshot: Snapshot, tableName: string, moves: readonly Move[]): Snapshot {
  const names = new Map(moves.map((move) => [move.from.toLowerCase(), move.to]));
  const swapName = (name: string): string => names.get(name.toLowerCase()) ?? name;
  const swap = (text: string): string =>
    text.replace(/'(?:[^'\\]|''|\\[\s\S])*'|`((?:[^`]|``)+)`/g, (chunk, quoted: string | undefined) =>
      quoted === undefined ? chunk : quoteName(swapName(quoted.replaceAll('``', '`'))),
    );
  const tables = snapshot.tables.map((table) => {
    const foreignKeys = table.foreignKeys.map((key) =>
      renameInKey(key, table.name === tableName, key.referencedTable === tableName, swap, swapName),
    );
    return table.name === tableName
      ? { ...renameInTable(table, swap, swapName), foreignKeys }
      : { ...table, foreignKeys };
  });
  return { ...snapshot, tables };
}

function renameInTable(
  table: Table,
  swap: (text: string) => string,
  swapName: (name: string) => string,
): Table {
  return {
    ...table,
    columns: table.columns.map((column) => ({
      ...column,
      name: swapName(column.name),
      definition: swap(column.definition),
    })),
    primaryKey: table.primaryKey?.map(swapName) ?? null,
    rowKey: table.rowKey?.map(swapName) ?? null,
    indexes: table.indexes.map((index) => ({
      ...index,
      columns: index.columns.map((part) => ({
        ...part,
        name: part.name === null ? null : swapName(part.name),
      })),
      definition: swapInColumns(index.definition, swap),
    })),
    checks: table.checks.map((check) => ({
      ...check,
      clause: swap(check.clause),
      definition: swapInColumns(check.definition, swap),
    })),
  };
}

/**
 * Renames columns inside the parentheses of a definition. Outside the parentheses, a constraint or index may
 * have the same name as the column, and keeps it.
 */
function swapInColumns(definition: string, swap: (text: string) => string): string {
  const open = definition.indexOf('(');
  return open < 0 ? definition : definition.slice(0, open) + swap(definition.slice(open));
}

function renameInKey(
  key: ForeignKey,
  isSource: boolean,
  isTarget: boolean,
  swap: (text: string) => string,
  swapName: (name: string) => string,
): ForeignKey {
  const index = key.definition.indexOf(' REFERENCES ');
  const source = key.definition.slice(0, index);
  const target = key.definition.slice(index);
  return {
    ...key,
    columns: isSource ? key.columns.map(swapName) : key.columns,
    referencedColumns: isTarget ? key.referencedColumns.map(swapName) : key.referencedColumns,
    definition:
      (isSource ? swapInColumns(source, swap) : source) + (isTarget ? swapInColumns(target, swap) : target),
  };
}

/**
 * Orders renames so that they can run one after the other. If they form a cycle, one of them uses a temporary
 * name that no object can have.
 */
export function orderMoves(moves: readonly Move[]): Move[] {
  const waiting = [...moves];
  const ordered: Move[] = [];
  for (let asides = 0; waiting.length > 0;) {
    const free = waiting.findIndex((move) => !waiting.some((other) => other.from === move.to));
    if (free >= 0) ordered.push(...waiting.splice(free, 1));
    else {
      const [first] = waiting.splice(0, 1) as [Move];
      const aside = `${RESERVED_PREFIX}aside_${asides}`;
      asides += 1;
      ordered.push({ from: first.from, to: aside });
      waiting.push({ from: aside, to: first.to });
    }
  }
  return ordered;
}

/** The retained names of objects that a revert restores. See `planRevert`. */
export interface SoftDeletedNames {
  /** The id of each retained table by its retained name. */
  readonly tables: ReadonlyMap<string, string>;
  /** The id of each retained column by its retained name. */
  readonly columns: ReadonlyMap<string, string>;
}

export interface PlannedMoves {
  readonly steps: readonly PlannedStep[];
  /** The schema after the renames. All remaining changes are between objects with the same name. */
  readonly renamed: Snapshot;
  readonly created: readonly RenameHint[];
}
