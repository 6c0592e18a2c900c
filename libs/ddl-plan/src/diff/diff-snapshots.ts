import {
  doSteps,
  mapTables,
  type ForeignKey,
  type Snapshot,
  type Steps,
  type Table,
} from '@rowhouse/schema-model';
import { plainStep } from './alter-step.js';
import { findImpact } from '../api-impact.js';
import { createWithout, orderTables, orderViews } from './create-order.js';
import { addForeignKeyStep, dropKeysStep } from './diff-constraints.js';
import { diffRoutines } from './diff-routines.js';
import { diffTable, type TableSteps } from './diff-table.js';
import { compareColumn } from './compare-column.js';
import { familySteps, findJoined, isOtherType } from './families.js';
import { diffTriggers } from './diff-triggers.js';
import type { Lineage } from '../lineage/lineage.js';
import { predictChecks } from '../lineage/predict-checks.js';
import { pairObjects, type Pairing } from '../lineage/pair-objects.js';
import type { SoftDeletedNames, PlannedMoves } from '../lineage/rename-snapshot.js';
import { planMoves } from '../lineage/plan-moves.js';
import { alterTable, quoteName } from '../sql-text.js';
import { suggestRenames } from './suggest-renames.js';
import { stateOf } from './table-state.js';
import type { PlannedStep, SnapshotDiff, StepClass } from '../types.js';

const NOTHING_SOFT_DELETED: SoftDeletedNames = { tables: new Map(), columns: new Map() };

/**
 * Returns the steps that lead from one deployed structure to another, in order. The runner executes every
 * `beforePublish` statement in this order, publishes the new snapshot, and then executes every `afterPublish`
 * statement in this order.
 *
 * Objects are paired by their identity, which the lineage contains. Without a lineage, they are paired by
 * name.
 *
 * @param softDeletedNames objects of `current` that a drop has retained, by the name that they have until
 * they are purged
 */
export function diffSnapshots(
  current: Snapshot,
  target: Snapshot,
  lineage: Lineage | null = null,
  softDeletedNames: SoftDeletedNames = NOTHING_SOFT_DELETED,
): SnapshotDiff {
  return doSteps(diffSnapshotsSteps(current, target, lineage, softDeletedNames));
}

/** Returns the same steps as `diffSnapshots`, and yields after every few tables. */
export function* diffSnapshotsSteps(
  current: Snapshot,
  target: Snapshot,
  lineage: Lineage | null = null,
  softDeletedNames: SoftDeletedNames = NOTHING_SOFT_DELETED,
): Steps<SnapshotDiff> {
  const replacedViews = findReplacedViews(current, target);
  const moved = moveObjects(current, target, lineage, softDeletedNames);
  const { renamed, steps: renames, created: createdItem } = moved.moves;
  const pairs = pairTables(renamed, target);
  yield;
  const joined = findJoined(pairs.common, target.engine);
  yield;
  const sized = pairs.common.map(([from, to]) => ({ from, to, columns: to.columns }));
  const tableSteps = yield* mapTables(sized, ({ from, to }) =>
    diffTable(from, to, target.engine, joined.get(to.name)),
  );
  yield;
  const created = createTables(pairs.created, renamed, target);
  const triggers = target.tables
    .filter((table) => table.kind === 'table')
    .map((table) => diffTriggers(pairs.pairsByTarget.get(table.name)?.[0], table, target.engine));
  const routines = diffRoutines(renamed, target);
  yield;
  const steps = predictChecks(
    orderSteps({ renamed, target, replacedViews, renames, pairs, tableSteps, triggers, routines, created }),
    moved.pairing,
  );
  yield;
  const possibleRenames = suggestRenames(renamed, target);
  yield;
  return {
    steps,
    hints: createdItem,
    possibleRenames,
    loss: steps.flatMap((step) => [...step.loss]),
    impact: findImpact(current, target),
  };
}

interface DiffParts {
  readonly renamed: Snapshot;
  readonly target: Snapshot;
  readonly replacedViews: readonly Table[];
  readonly renames: readonly PlannedStep[];
  readonly pairs: ReturnType<typeof pairTables>;
  readonly tableSteps: readonly TableSteps[];
  readonly triggers: readonly ReturnType<typeof diffTriggers>[];
  readonly routines: ReturnType<typeof diffRoutines>;
  readonly created: ReturnType<typeof createTables>;
}

/** Returns the steps for all parts of the schema, in the order in which they run. */
function orderSteps(parts: DiffParts): PlannedStep[] {
  const { renamed, target, pairs, tableSteps, triggers, routines, created } = parts;
  const unbound = pairs.dropped.map((table) => unbindDropped(table, pairs.pairsByTarget));
  const unboundKeys = new Map(unbound.map(({ table, keys }) => [table, keys]));
  const pick = (part: Exclude<keyof TableSteps, 'family'>): PlannedStep[] =>
    tableSteps.flatMap((steps) => [...steps[part]]);
  return [
    ...triggers.flatMap((entry) => entry.drops),
    ...parts.replacedViews.map((view) => dropStep(view, 'retype')),
    ...parts.renames,
    ...pairs.swapped.map((table) => dropStep(table, 'retype')),
    ...pick('unbind'),
    ...unbound.flatMap((entry) => entry.steps),
    ...pick('loosen'),
    ...familySteps(
      pairs.common,
      tableSteps.flatMap((steps) => (steps.family === null ? [] : [steps.family])),
    ),
    ...pick('retype'),
    ...pick('required'),
    ...pick('indexes'),
    ...routines.creates,
    ...created.now,
    ...viewSteps(renamed, target),
    ...triggers.flatMap((entry) => entry.creates),
    ...pick('tighten'),
    ...pick('constrain'),
    ...created.late,
    ...droppedViews(renamed, target),
    ...pick('drop'),
    ...[...orderTables(pairs.dropped).tables]
      .reverse()
      .map((table) => dropStep(table, 'drop', unboundKeys.get(table.name))),
    ...routines.drops,
  ];
}

/**
 * Pairs the objects of two schemas and plans their renames. A view that has the name of a new table is
 * ignored.
 */
export function moveObjects(
  current: Snapshot,
  target: Snapshot,
  lineage: Lineage | null,
  softDeletedNames: SoftDeletedNames = NOTHING_SOFT_DELETED,
): { pairing: Pairing; moves: PlannedMoves } {
  const replaced = new Set(findReplacedViews(current, target));
  const existing = { ...current, tables: current.tables.filter((table) => !replaced.has(table)) };
  const pairing = pairObjects(existing, target, lineage);
  return { pairing, moves: planMoves(existing, target, pairing, softDeletedNames) };
}

/** Returns the views whose name a table gets. Such a view is dropped first. */
function findReplacedViews(current: Snapshot, target: Snapshot): Table[] {
  const tables = new Set(target.tables.filter((table) => table.kind === 'table').map((table) => table.name));
  return current.tables.filter((table) => table.kind === 'view' && tables.has(table.name));
}

/** A table before and after the change. */
type Pair = readonly [Table, Table];

interface TablePairs {
  readonly common: readonly Pair[];
  /** The tables that exist before and after the change, by the name that they have after it. */
  readonly pairsByTarget: ReadonlyMap<string, Pair>;
  readonly created: readonly Table[];
  readonly dropped: readonly Table[];
  /** Tables whose name a view gets. Such a table is dropped first. */
  readonly swapped: readonly Table[];
}

function pairTables(current: Snapshot, target: Snapshot): TablePairs {
  const [before, after] = [mapByName(current), mapByName(target)];
  const common = target.tables.flatMap((table): Pair[] => {
    const old = before.get(table.name);
    return table.kind === 'table' && old?.kind === 'table' ? [[old, table]] : [];
  });
  return {
    common,
    pairsByTarget: new Map(common.map((pair) => [pair[1].name, pair])),
    created: target.tables.filter(
      (table) => table.kind === 'table' && before.get(table.name)?.kind !== 'table',
    ),
    dropped: current.tables.filter((table) => table.kind === 'table' && !after.has(table.name)),
    swapped: current.tables.filter(
      (table) => after.has(table.name) && after.get(table.name)?.kind !== table.kind,
    ),
  };
}

function mapByName(snapshot: Snapshot): ReadonlyMap<string, Table> {
  return new Map(snapshot.tables.map((table) => [table.name, table]));
}

function createTables(
  tables: readonly Table[],
  current: Snapshot,
  target: Snapshot,
): { now: PlannedStep[]; late: PlannedStep[] } {
  const { tables: ordered, lateKeys } = orderTables(tables);
  const [before, after] = [mapByName(current), mapByName(target)];
  const now: PlannedStep[] = [];
  const late: PlannedStep[] = [];
  for (const table of ordered) {
    // If a foreign key refers to a unique key that does not exist yet, it is added after that key.
    const waiting = table.foreignKeys.filter(
      (key) => !isReferenceReady(key, before.get(key.referencedTable), after.get(key.referencedTable)),
    );
    const circular = lateKeys.filter((key) => key.table === table.name);
    const sql = createWithout(table, new Set([...waiting, ...circular].map((key) => key.name)));
    now.push(plainStep('create_table', table.name, 'widen', sql));
    late.push(...waiting.map((key) => addForeignKeyStep(stateOf(table), key)));
  }
  for (const key of lateKeys) {
    const sql = alterTable(key.table, [`ADD ${key.definition}`]);
    if (sql !== null && !late.some((step) => step.sql === sql))
      now.push(plainStep('alter_table', key.table, 'widen', sql));
  }
  return { now, late };
}

/**
 * Reports whether a foreign key can already be added. `old` and `next` are the referenced table before and
 * after the whole plan.
 */
function isReferenceReady(key: ForeignKey, old: Table | undefined, next: Table | undefined): boolean {
  if (old === undefined || old.kind !== 'table') return true;
  const covers = (columns: readonly { readonly name: string | null }[]): boolean =>
    key.referencedColumns.every((name, index) => columns[index]?.name === name);
  // If the type of a referenced column is tightened after publishing, the types are only equal from then on.
  const isTypeReady = key.referencedColumns.every((name) => {
    const [was, will] = [old, next].map((table) => table?.columns.find((column) => column.name === name));
    return (
      was === undefined ||
      will === undefined ||
      compareColumn(was, will)?.class !== 'tighten' ||
      !isOtherType(was, will)
    );
  });
  if (!isTypeReady) return false;
  const existing = new Set(old.indexes.map((index) => index.definition));
  return (next?.indexes ?? []).some(
    (index) =>
      covers(index.columns) && (!index.unique || existing.has(index.definition) || index.name === 'PRIMARY'),
  );
}

/**
 * Returns the foreign keys of a dropped table that must be dropped before the table. The table exists until
 * after publishing, but the columns to which its keys refer may change earlier.
 */
function unbindDropped(
  table: Table,
  pairsByTarget: TablePairs['pairsByTarget'],
): { table: string; keys: ReadonlySet<string>; steps: PlannedStep[] } {
  const keys = table.foreignKeys.filter((key) => {
    const pair = pairsByTarget.get(key.referencedTable);
    return pair !== undefined && !isSameTarget(key, pair[0], pair[1]);
  });
  return {
    table: table.name,
    keys: new Set(keys.map((key) => key.name)),
    steps: dropKeysStep(table.name, keys),
  };
}

/** Reports whether the columns to which the foreign key refers, and all indexes on them, remain unchanged. */
function isSameTarget(key: ForeignKey, from: Table, to: Table): boolean {
  const describe = (table: Table): string =>
    JSON.stringify([
      table.columns
        .filter((column) => key.referencedColumns.includes(column.name))
        .map((column) => column.definition),
      table.indexes
        .filter((index) => index.columns.some((part) => key.referencedColumns.includes(part.name ?? '')))
        .map((index) => index.definition),
    ]);
  return describe(from) === describe(to);
}

function dropStep(table: Table, stepClass: StepClass, unbound: ReadonlySet<string> = new Set()): PlannedStep {
  const isView = table.kind === 'view';
  const sql = `DROP ${isView ? 'VIEW' : 'TABLE'} ${quoteName(table.name)}`;
  const isEarly = stepClass === 'retype';
  return {
    kind: isView ? 'drop_view' : 'drop_table',
    table: table.name,
    sql,
    class: stepClass,
    reversible: true,
    loss: isView ? [] : [`table ${table.name} with all its rows`],
    beforePublish: isEarly ? sql : null,
    afterPublish: isEarly ? null : sql,
    rowChecks: [],
    intent: isView
      ? { kind: 'plain' }
      : {
          kind: 'keep_table',
          details: {
            triggers: (table.triggers ?? []).map((trigger) => trigger.name),
            foreignKeys: table.foreignKeys.map((key) => ({
              name: key.name,
              definition: key.definition,
              isStanding: !unbound.has(key.name),
            })),
          },
        },
  };
}

/**
 * Returns the steps for new and changed views. They run when the tables that the views read are ready. A view
 * that loses columns is changed after publishing.
 */
function viewSteps(current: Snapshot, target: Snapshot): PlannedStep[] {
  const before = new Map(
    current.tables.filter((table) => table.kind === 'view').map((view) => [view.name, view]),
  );
  const steps: PlannedStep[] = [];
  for (const view of orderViews(target.tables.filter((table) => table.kind === 'view'))) {
    const old = before.get(view.name);
    if (old?.createSql === view.createSql) continue;
    const sql = old === undefined ? view.createSql : view.createSql.replace(/^CREATE /, 'CREATE OR REPLACE ');
    const losesColumns =
      old?.columns.some((column) => !view.columns.some((newColumn) => newColumn.name === column.name)) ??
      false;
    const step = plainStep('create_view', view.name, losesColumns ? 'drop' : 'widen', sql);
    steps.push(losesColumns ? { ...step, beforePublish: null, afterPublish: sql } : step);
  }
  return steps;
}

function droppedViews(current: Snapshot, target: Snapshot): PlannedStep[] {
  const after = new Set(target.tables.map((table) => table.name));
  const removed = current.tables.filter((table) => table.kind === 'view' && !after.has(table.name));
  return orderViews(removed)
    .reverse()
    .map((view) => dropStep(view, 'drop'));
}
