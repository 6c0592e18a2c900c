import type { Column, Snapshot, Table } from '@rowhouse/schema-model';
import { isRequired } from './diff/column-specs.js';
import { placeColumn } from './diff/column-order.js';
import { createWithout } from './diff/create-order.js';
import { diffSnapshots } from './diff/diff-snapshots.js';
import { planStatement } from './diff/diff-triggers.js';
import { alterTable, quoteName } from './sql-text.js';
import { withTemporaryDefault } from './diff/temporary-default.js';
import { addReplaced, reverseLineage, type RevertInput } from './lineage/reverse-lineage.js';
import type { Lineage } from './lineage/lineage.js';
import { findImpact } from './api-impact.js';
import type { SoftDeletedObject, PlannedStep, SnapshotDiff } from './types.js';

export interface RevertPlan extends SnapshotDiff {
  /** Sentences about differences between the reverted schema and the original one. */
  readonly notes: readonly string[];
}

/**
 * Plans the steps from the result of a migration (`current`) back to its base schema (`base`). Retained
 * objects are restored with their rows. Objects that were dropped permanently are created again without rows.
 */
export function planRevert(current: Snapshot, base: Snapshot, input: RevertInput): RevertPlan {
  const lineage = reverseLineage(current, base, input);
  const restored = [...restoreTables(current, base, input), ...restoreColumns(current, base, input, lineage)];
  const existing = restored.reduce((snapshot, entry) => entry.apply(snapshot), current);
  const replaced = addReplaced(existing, base, input);
  const rest = diffSnapshots(replaced.snapshot, base, replaced.lineage, replaced.names);
  const steps = [...restored.map((entry) => entry.step), ...rest.steps];
  return {
    steps,
    hints: rest.hints,
    possibleRenames: [],
    loss: steps.flatMap((step) => [...step.loss]),
    impact: findImpact(current, base),
    notes: [...restored.flatMap((entry) => entry.notes), ...replaced.notes],
  };
}

interface Restored {
  readonly step: PlannedStep;
  readonly notes: readonly string[];
  /** Returns the schema that results from the step. */
  readonly apply: (snapshot: Snapshot) => Snapshot;
}

/**
 * Returns the steps that restore tables without foreign keys and triggers. Those have steps and row checks of
 * their own.
 */
function restoreTables(
  current: Snapshot,
  base: Snapshot,
  { retained: softDeleted }: RevertInput,
): Restored[] {
  return softDeleted
    .filter((object) => object.kind === 'table')
    .flatMap((object): Restored[] => {
      const target = base.tables.find((table) => table.name === object.table && table.kind === 'table');
      if (target === undefined || current.tables.some((table) => table.name === object.table)) return [];
      const sql = createWithout(target, new Set(target.foreignKeys.map((key) => key.name)));
      const { triggers: _triggers, ...unqualified } = { ...target, foreignKeys: [], createSql: sql };
      return [
        {
          step: planStatement('restore_table', object.table, sql, {
            kind: 'restore_table',
            details: { keptId: object.id, keptName: object.keptName },
          }),
          notes: [`${object.table} is restored with the rows that it had when it was dropped.`],
          apply: (snapshot) => ({
            ...snapshot,
            tables: [...snapshot.tables, unqualified].sort((a, b) => (a.name < b.name ? -1 : 1)),
          }),
        },
      ];
    });
}

function restoreColumns(
  current: Snapshot,
  base: Snapshot,
  { retained: softDeleted }: RevertInput,
  lineage: Lineage,
): Restored[] {
  const tables = [
    ...new Set(softDeleted.filter((object) => object.kind === 'column').map((object) => object.table)),
  ];
  return tables.flatMap((name): Restored[] => {
    const table = current.tables.find((entry) => entry.name === name && entry.kind === 'table');
    const target = base.tables.find(
      (entry) => lineage.tables.get(entry.name)?.name === name && entry.kind === 'table',
    );
    if (table === undefined || target === undefined) return [];
    const objects = softDeleted.filter(
      (object) =>
        object.kind === 'column' &&
        object.table === name &&
        !table.columns.some((column) => column.name === object.column),
    );
    const columns = objects.flatMap((object) => {
      const column = target.columns.find((entry) => entry.name === object.column);
      return column === undefined ? [] : [{ object, column }];
    });
    return columns.length === 0 ? [] : [restoreColumnsOf(table, target, columns, current.engine, lineage)];
  });
}

function restoreColumnsOf(
  table: Table,
  target: Table,
  entries: readonly { readonly object: SoftDeletedObject; readonly column: Column }[],
  engine: Snapshot['engine'],
  lineage: Lineage,
): Restored {
  const order = target.columns.map(
    (column) => lineage.tables.get(target.name)?.columns.get(column.name)?.name ?? column.name,
  );
  const present = table.columns.map((column) => column.name);
  const required = entries.map((entry) => entry.column).filter(isRequired);
  const define = (column: Column): string =>
    required.includes(column) ? withTemporaryDefault(column, engine) : column.definition;
  const columns = entries.map(({ object, column }) => ({
    keptId: object.id,
    keptName: object.keptName,
    name: column.name,
    definition: define(column) + placeColumn(present, order, column.name),
  }));
  const sql =
    alterTable(
      table.name,
      columns.map((column) => `ADD COLUMN ${quoteName(column.name)} ${column.definition}`),
    ) ?? '';
  const step = planStatement('restore_columns', table.name, sql, {
    kind: 'restore_columns',
    details: { columns },
  });
  const afterPublish = alterTable(
    table.name,
    required.map((column) => `ALTER COLUMN ${quoteName(column.name)} DROP DEFAULT`),
  );
  const added = new Map(entries.map(({ column }) => [column.name, column]));
  const known = new Map(table.columns.map((column) => [column.name, column]));
  return {
    step: afterPublish === null ? step : { ...step, class: 'add_required', afterPublish },
    notes: entries.map(
      ({ column }) =>
        `${table.name}.${column.name} is restored with its values. Rows written since then have its ` +
        'default.',
    ),
    apply: (snapshot) => ({
      ...snapshot,
      tables: snapshot.tables.map((entry) =>
        entry.name === table.name
          ? { ...entry, columns: present.flatMap((name) => known.get(name) ?? added.get(name) ?? []) }
          : entry,
      ),
    }),
  };
}
