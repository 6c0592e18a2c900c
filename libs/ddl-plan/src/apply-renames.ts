import type { ForeignKey, Snapshot, Table } from '@rowhouse/schema-model';
import { alterTable, quoteName } from './sql-text.js';
import type { PlannedStep, RenameHint } from './types.js';

/** The current snapshot as it reads once the asked-for renames are done, and the steps that do them. */
export function applyRenames(current: Snapshot, target: Snapshot, hints: readonly RenameHint[]): { renamed: Snapshot; steps: PlannedStep[]; made: RenameHint[] } {
  let renamed = current;
  const steps: PlannedStep[] = [];
  const made: RenameHint[] = [];
  for (const [at, hint] of hints.entries()) {
    const later = hints.slice(at + 1);
    if (hint.kind === 'table' && isTableRename(renamed, target, hint, later)) {
      steps.push(renameStep('rename_table', hint.from, [`RENAME TO ${quoteName(hint.to)}`]));
      renamed = renameTable(renamed, hint.from, hint.to);
      made.push(hint);
    } else if (hint.kind === 'column' && isColumnRename(renamed, target, hint, later)) {
      steps.push(renameStep('alter_table', hint.table, [`RENAME COLUMN ${quoteName(hint.from)} TO ${quoteName(hint.to)}`]));
      renamed = renameColumn(renamed, hint.table, hint.from, hint.to);
      made.push(hint);
    }
  }
  return { renamed, steps, made };
}

function renameStep(kind: 'rename_table' | 'alter_table', table: string, specs: readonly string[]): PlannedStep {
  const sql = alterTable(table, specs) ?? '';
  return { kind, table, sql, class: 'rename', reversible: true, loss: [], beforePublish: sql, afterPublish: null, rowChecks: [], wish: { kind: 'rename' } };
}

const findTable = (snapshot: Snapshot, name: string): Table | undefined => snapshot.tables.find((table) => table.name === name && table.kind === 'table');
const hasColumn = (table: Table | undefined, name: string): boolean => table?.columns.some((column) => column.name === name) ?? false;

/** A hint holds only while the old name is here alone and the new name is there alone. A later hint may give the old name away again. */
function isTableRename(current: Snapshot, target: Snapshot, hint: { from: string; to: string }, later: readonly RenameHint[]): boolean {
  const isHere = findTable(current, hint.from) !== undefined && findTable(current, hint.to) === undefined;
  // A later hint may rename once more, so the new name need not be in the target.
  return isHere && (findTable(target, hint.from) === undefined || later.some((other) => other.kind === 'table' && other.to === hint.from));
}

function isColumnRename(current: Snapshot, target: Snapshot, hint: { table: string; from: string; to: string }, later: readonly RenameHint[]): boolean {
  const here = findTable(current, hint.table);
  const isFree = !hasColumn(findTable(target, hint.table), hint.from) || later.some((other) => other.kind === 'column' && other.table === hint.table && other.to === hint.from);
  return hasColumn(here, hint.from) && !hasColumn(here, hint.to) && isFree;
}

function renameTable(snapshot: Snapshot, from: string, to: string): Snapshot {
  const tables = snapshot.tables.map((table) => {
    const foreignKeys = table.foreignKeys.map((key) => (key.referencedTable === from ? { ...key, referencedTable: to, definition: replaceReference(key, to) } : key));
    const kept = { ...table, foreignKeys };
    if (table.name !== from) return kept;
    return {
      ...kept,
      name: to,
      foreignKeys: foreignKeys.map((key) => followName(key, from, to)),
      checks: table.checks.map((check) => followName(check, from, to)),
      createSql: table.createSql.replace(quoteName(from), () => quoteName(to)),
      ...(table.triggers === undefined ? {} : { triggers: table.triggers.map((trigger) => ({ ...trigger, createSql: trigger.createSql.replace(` ON ${quoteName(from)} FOR EACH ROW`, () => ` ON ${quoteName(to)} FOR EACH ROW`) })) }),
    };
  });
  return { ...snapshot, tables };
}

/** Servers rename constraints that they named themselves after the table: `posts_ibfk_1`, on MySQL `posts_chk_1` too. */
function followName<T extends { readonly name: string; readonly definition: string }>(constraint: T, from: string, to: string): T {
  const rest = constraint.name.startsWith(from) ? constraint.name.slice(from.length) : '';
  if (!/^_(ibfk|chk)_\d+$/.test(rest)) return constraint;
  const name = `${to}${rest}`;
  return { ...constraint, name, definition: constraint.definition.replace(quoteName(constraint.name), () => quoteName(name)) };
}

function replaceReference(key: ForeignKey, to: string): string {
  return key.definition.replace(`REFERENCES ${quoteName(key.referencedTable)}`, () => `REFERENCES ${quoteName(to)}`);
}

function renameColumn(snapshot: Snapshot, tableName: string, from: string, to: string): Snapshot {
  const swap = (text: string): string => text.replaceAll(quoteName(from), () => quoteName(to));
  const swapName = (name: string): string => (name === from ? to : name);
  const tables = snapshot.tables.map((table) => {
    const foreignKeys = table.foreignKeys.map((key) => renameInKey(key, table.name === tableName, key.referencedTable === tableName, swap, swapName));
    if (table.name !== tableName) return { ...table, foreignKeys };
    return {
      ...table,
      foreignKeys,
      columns: table.columns.map((column) => ({ ...column, name: swapName(column.name), definition: swap(column.definition) })),
      primaryKey: table.primaryKey?.map(swapName) ?? null,
      rowKey: table.rowKey?.map(swapName) ?? null,
      indexes: table.indexes.map((index) => ({
        ...index,
        columns: index.columns.map((part) => ({ ...part, name: part.name === null ? null : swapName(part.name) })),
        definition: swapInColumns(index.definition, swap),
      })),
      checks: table.checks.map((check) => ({ ...check, clause: swap(check.clause), definition: swap(check.definition) })),
    };
  });
  return { ...snapshot, tables };
}

/** An index may bear the column's name, and keeps it: only the list in parentheses is renamed. */
function swapInColumns(definition: string, swap: (text: string) => string): string {
  const open = definition.indexOf('(');
  return open < 0 ? definition : definition.slice(0, open) + swap(definition.slice(open));
}

function renameInKey(key: ForeignKey, isNear: boolean, isFar: boolean, swap: (text: string) => string, swapName: (name: string) => string): ForeignKey {
  const at = key.definition.indexOf(' REFERENCES ');
  const near = key.definition.slice(0, at);
  const far = key.definition.slice(at);
  return {
    ...key,
    columns: isNear ? key.columns.map(swapName) : key.columns,
    referencedColumns: isFar ? key.referencedColumns.map(swapName) : key.referencedColumns,
    definition: (isNear ? swapInColumns(near, swap) : near) + (isFar ? swapInColumns(far, swap) : far),
  };
}
