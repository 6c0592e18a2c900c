import type { Column, EngineKind } from '@rowhouse/schema-model';
import { isRequired } from './column-specs.js';
import { alterTable, quoteName, findOutsideTexts } from '../sql-text.js';
import type { TableState } from './table-state.js';
import { hasTemporaryDefault, temporaryDefault, withTemporaryDefault } from './temporary-default.js';
import type { PlannedStep } from '../types.js';

/**
 * Returns the step that drops columns. They are dropped after publishing. Between publishing and the drop,
 * requests no longer write them, so a required column gets a default first. The values are retained in a
 * column with another name, except for generated columns.
 */
export function dropColumnsStep(
  state: TableState,
  removed: readonly Column[],
  engine: EngineKind,
): PlannedStep[] {
  if (removed.length === 0) return [];
  const beforePublish = alterTable(
    state.name,
    removed.filter(isRequired).map((column) => giveDefault(column, engine)),
  );
  const sql =
    alterTable(
      state.name,
      removed.map((column) => `DROP COLUMN ${quoteName(column.name)}`),
    ) ?? '';
  const stored = removed.filter((column) => column.generated === null);
  const loss = stored.map((column) => `column ${state.name}.${column.name} with its values`);
  const columns = stored.map((column) => ({
    name: column.name,
    definition: softDeletedDefinition(column, engine),
  }));
  const dropSpecs = removed
    .filter((column) => column.generated !== null)
    .map((column) => `DROP COLUMN ${quoteName(column.name)}`);
  return [
    {
      kind: 'alter_table',
      table: state.name,
      sql,
      class: 'drop',
      reversible: true,
      loss,
      beforePublish,
      afterPublish: sql,
      rowChecks: [],
      intent:
        stored.length === 0
          ? { kind: 'alter', rebuild: null }
          : { kind: 'keep_columns', details: { columns, dropSpecs } },
    },
  ];
}

/**
 * Returns the clause that gives a column a default. On MariaDB, the column's definition may contain a check
 * that would reject the default, so the check is removed too.
 */
export function giveDefault(column: Column, engine: EngineKind): string {
  const plain = withoutCheck(column.definition);
  const value = temporaryDefault(column, engine);
  // MySQL accepts an expression as a default only in the definition of a column, not in SET DEFAULT.
  if (plain === column.definition && !value.startsWith('('))
    return `ALTER COLUMN ${quoteName(column.name)} SET DEFAULT ${value}`;
  return `MODIFY COLUMN ${quoteName(column.name)} ${withTemporaryDefault({ ...column, definition: plain }, engine)}`;
}

/**
 * Returns the definition of a retained column. It is invisible. If an INSERT without the column would fail,
 * it also has a default.
 */
export function softDeletedDefinition(column: Column, engine: EngineKind): string {
  const plain = withoutCheck(column.definition)
    .replace(/ ON UPDATE current_timestamp(\(\d*\))?/i, '')
    .replace(/ AUTO_INCREMENT\b/i, '')
    .replace(/ INVISIBLE\b|\/\*!80023 INVISIBLE \*\//i, '');
  const isBare = !column.nullable && (column.default.kind === 'none' || column.autoIncrement);
  if (!isBare) return `${plain} INVISIBLE`;
  const open = hasTemporaryDefault(column)
    ? withTemporaryDefault({ ...column, definition: plain }, engine)
    : plain.replace(/\bNOT NULL\b/, 'NULL');
  return `${open} INVISIBLE`;
}

/** Removes the check from a column's definition. The check is always the last part. */
export function withoutCheck(definition: string): string {
  const index = findOutsideTexts(definition, ' CHECK (');
  return index < 0 ? definition : definition.slice(0, index).trimEnd();
}
