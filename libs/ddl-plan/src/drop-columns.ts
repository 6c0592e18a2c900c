import type { Column, EngineKind } from '@rowhouse/schema-model';
import { isRequired } from './column-specs.js';
import { findOutsideTexts } from './skip-text.js';
import { alterTable, quoteName } from './sql-text.js';
import type { TableState } from './table-state.js';
import { hasTemporaryDefault, temporaryDefault, withTemporaryDefault } from './temporary-default.js';
import type { PlannedStep } from './types.js';

/**
 * Columns go after publishing: requests on the new snapshot leave them out while they still stand, so a required one
 * gets a default first. Their values are kept under another name; what is computed is not worth keeping.
 */
export function dropColumnsStep(state: TableState, gone: readonly Column[], engine: EngineKind): PlannedStep[] {
  if (gone.length === 0) return [];
  const beforePublish = alterTable(state.name, gone.filter(isRequired).map((column) => giveDefault(column, engine)));
  const sql = alterTable(state.name, gone.map((column) => `DROP COLUMN ${quoteName(column.name)}`)) ?? '';
  const stored = gone.filter((column) => column.generated === null);
  const loss = stored.map((column) => `column ${state.name}.${column.name} with its values`);
  const columns = stored.map((column) => ({ name: column.name, definition: keptDefinition(column, engine) }));
  const dropSpecs = gone.filter((column) => column.generated !== null).map((column) => `DROP COLUMN ${quoteName(column.name)}`);
  return [{
    kind: 'alter_table', table: state.name, sql, class: 'drop', reversible: true, loss, beforePublish, afterPublish: sql, rowChecks: [],
    wish: stored.length === 0 ? { kind: 'alter', rebuild: null } : { kind: 'keep_columns', details: { columns, dropSpecs } },
  }];
}

/** A check at the column (MariaDB) might refuse the default, so it goes at once. */
export function giveDefault(column: Column, engine: EngineKind): string {
  const plain = withoutCheck(column.definition);
  const value = temporaryDefault(column, engine);
  // MySQL takes an expression as default of a new or a redefined column only.
  if (plain === column.definition && !value.startsWith('(')) return `ALTER COLUMN ${quoteName(column.name)} SET DEFAULT ${value}`;
  return `MODIFY COLUMN ${quoteName(column.name)} ${withTemporaryDefault({ ...column, definition: plain }, engine)}`;
}

/** Invisible, and never in the way of an INSERT that does not know it. */
export function keptDefinition(column: Column, engine: EngineKind): string {
  const plain = withoutCheck(column.definition).replace(/ ON UPDATE current_timestamp(\(\d*\))?/i, '').replace(/ AUTO_INCREMENT\b/i, '').replace(/ INVISIBLE\b|\/\*!80023 INVISIBLE \*\//i, '');
  const isBare = !column.nullable && (column.default.kind === 'none' || column.autoIncrement);
  if (!isBare) return `${plain} INVISIBLE`;
  const open = hasTemporaryDefault(column) ? withTemporaryDefault({ ...column, definition: plain }, engine) : plain.replace(/\bNOT NULL\b/, 'NULL');
  return `${open} INVISIBLE`;
}

/** A check at its column is the last thing of the definition. */
export function withoutCheck(definition: string): string {
  const at = findOutsideTexts(definition, ' CHECK (');
  return at < 0 ? definition : definition.slice(0, at).trimEnd();
}
