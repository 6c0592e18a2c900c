import type { Column, EngineKind, Table } from '@rowhouse/schema-model';
import { alterStep } from './alter-step.js';
import { addSpecs, modifySpec, moveSpecs, optionSpecs, reshapeSpecs } from './column-specs.js';
import type { ColumnChange } from './column-change.js';
import { addCheckStep, addForeignKeyStep, dropKeysStep } from './diff-constraints.js';
import { diffPartitions } from './diff-partitions.js';
import { dropKeySpec, indexSteps, renameKeySpec } from './diff-indexes.js';
import { dropColumnsStep } from './drop-columns.js';
import { collisionChecks, incompatibleChecks } from './row-checks.js';
import { leads, losesCounter, sortChanges, type Changed, type SortedChanges } from './sort-changes.js';
import { alterTable, quoteName } from '../sql-text.js';
import { changeState, findRebuild, stateOf, type TableState } from './table-state.js';
import { withTemporaryDefault } from './temporary-default.js';
import type { PlannedStep, RebuildTable, RowCheck } from '../types.js';

/** The steps for one table, grouped by when they run among the steps of all tables. */
export interface TableSteps {
  readonly unbind: readonly PlannedStep[];
  readonly loosen: readonly PlannedStep[];
  readonly retype: readonly PlannedStep[];
  readonly required: readonly PlannedStep[];
  readonly indexes: readonly PlannedStep[];
  readonly tighten: readonly PlannedStep[];
  /**
   * Steps that run after all tables are tightened, because a foreign key may refer to columns that another
   * table tightens.
   */
  readonly constrain: readonly PlannedStep[];
  readonly drop: readonly PlannedStep[];
  /**
   * The changes that must be made together with those of other tables, because foreign keys join their
   * columns. Null if no such change is needed.
   */
  readonly family: FamilyPart | null;
}

export interface FamilyPart {
  readonly name: string;
  readonly specs: readonly string[];
  readonly rebuild: RebuildTable | null;
  readonly class: ColumnChange['class'];
  readonly loss: readonly string[];
  readonly rowChecks: readonly RowCheck[];
}

/**
 * Returns the steps that change one table. Both versions of it have the same name, because renames are
 * planned separately and run before.
 *
 * @param joined the columns whose types change together with those at the other end of a foreign key
 */
export function diffTable(
  from: Table,
  to: Table,
  engine: EngineKind,
  joined: ReadonlySet<string> = new Set(),
): TableSteps {
  const sorted = sortChanges(from, to, joined);
  const columnOrder: ColumnOrder = {
    order: to.columns.map((column) => column.name),
    present: from.columns.map((column) => column.name),
  };
  const loosen = loosenStep(stateOf(from), from, to, sorted, columnOrder);
  const family = sorted.family === null ? null : familyPart(loosen.state, sorted.family, sorted.primary);
  const retype = retypeStep(family?.state ?? loosen.state, sorted, columnOrder);
  const required = requiredStep(retype.state, sorted.required, columnOrder, engine);
  const computed = computedStep(required.state, sorted.computed, columnOrder);
  const indexes = indexSteps(computed.state, sorted.indexes.added, sorted.indexes.removed);
  const { steps: tighten, state } = tightenStep(indexes.state, sorted.tighten);
  const { constraints } = sorted;
  const partitions = diffPartitions(from, to, indexes.state);
  return {
    unbind: dropKeysStep(from.name, constraints.goneKeys),
    loosen: [...partitions.remove, ...loosen.steps],
    retype: retype.steps,
    required: [...required.steps, ...computed.steps],
    indexes: [...indexes.steps, ...partitions.change],
    tighten,
    constrain: [
      ...constraints.addedChecks.map((check) => addCheckStep(state, check)),
      ...constraints.addedKeys.map((key) => addForeignKeyStep(state, key)),
    ],
    drop: [
      ...partitions.drop,
      ...dropColumnsStep(
        state,
        sorted.drop.map((column) => state.columns.get(column.name) ?? column),
        engine,
      ),
    ],
    family: family === null ? null : family.part,
  };
}

interface Stage {
  readonly steps: PlannedStep[];
  readonly state: TableState;
}

/**
 * The order of the columns. `present` contains the columns that exist after each step, because the position
 * of a new column depends on them.
 */
interface ColumnOrder {
  readonly order: readonly string[];
  readonly present: string[];
}

function loosenStep(
  state: TableState,
  from: Table,
  to: Table,
  sorted: SortedChanges,
  { order, present }: ColumnOrder,
): Stage {
  const { changed, added, goneIndexes, renamedIndexes, temporaryIndexes, goneCounters } = sorted.loosen;
  const moved = moveSpecs(
    new Map([...from.columns, ...changed.map((entry) => entry.to)].map((column) => [column.name, column])),
    order,
    present,
  );
  // A dropped AUTO_INCREMENT column loses this attribute first. From then on, it has no key.
  const stopped = goneCounters.map((column) => ({
    ...column,
    autoIncrement: false,
    definition: column.definition.replace(/ AUTO_INCREMENT\b/i, ''),
  }));
  const specs = [
    ...optionSpecs(from, to),
    ...goneIndexes.map(dropKeySpec),
    ...renamedIndexes.map(renameKeySpec),
    ...temporaryIndexes.map((index) => `ADD ${index.definition}`),
    ...sorted.constraints.goneChecks.map((check) => `DROP CONSTRAINT ${quoteName(check.name)}`),
    ...moved.specs,
    ...changed.filter((entry) => !moved.names.has(entry.to.name)).map((entry) => modifySpec(entry.to)),
    ...addSpecs(added, order, present),
    ...stopped.map(modifySpec),
  ];
  const after = changeState(state, {
    set: [...changed.map((entry) => entry.to), ...stopped, ...added],
    order: [...present],
    dropIndexes: [...goneIndexes, ...renamedIndexes.map((pair) => pair.from)],
    addIndexes: [...renamedIndexes.map((pair) => pair.to), ...temporaryIndexes],
  });
  return { steps: alterStep(state, after, 'widen', specs), state: after };
}

function familyPart(
  state: TableState,
  changed: readonly Changed[],
  primary: SortedChanges['primary'],
): { part: FamilyPart; state: TableState } {
  const specs = changed.map((entry) => modifySpec(entry.to));
  const after = changeState(state, { set: changed.map((entry) => entry.to) });
  const classes = new Set(changed.map((entry) => entry.change.class));
  // The column loses AUTO_INCREMENT before the primary key that begins with it is dropped.
  const isUnkeyed = changed.some(
    (entry) => losesCounter(entry) && leads(primary?.from, entry.to) && !leads(primary?.to, entry.to),
  );
  const partClass =
    isUnkeyed || classes.has('retype') || (classes.has('widen') && classes.has('tighten'))
      ? 'retype'
      : classes.has('tighten')
        ? 'tighten'
        : 'widen';
  const { loss, rowChecks } = changeDetails(state, after, changed);
  return {
    part: {
      name: state.name,
      specs,
      rebuild: findRebuild(state, after, specs),
      class: partClass,
      loss,
      rowChecks,
    },
    state: after,
  };
}

function retypeStep(state: TableState, sorted: SortedChanges, { order, present }: ColumnOrder): Stage {
  const { changed, added, droppedFirst, addedIndexes, goneIndexes } = sorted.retype;
  const { from: oldKey, to: newKey } = sorted.primary ?? { from: null, to: null };
  const specs = [
    ...droppedFirst.map((column) => `DROP COLUMN ${quoteName(column.name)}`),
    ...changed.flatMap((entry) => reshapeSpecs(entry.from, entry.to, order, present)),
    ...addSpecs(added, order, present),
    ...(oldKey === null ? [] : ['DROP PRIMARY KEY']),
    ...(newKey === null ? [] : [`ADD ${newKey.definition}`]),
    ...goneIndexes.map(dropKeySpec),
    ...addedIndexes.map((index) => `ADD ${index.definition}`),
  ];
  const after = changeState(state, {
    set: [...changed.map((entry) => entry.to), ...added],
    drop: droppedFirst.map((column) => column.name),
    order: [...present],
    dropIndexes: [...(oldKey === null ? [] : [oldKey]), ...goneIndexes],
    addIndexes: [...(newKey === null ? [] : [newKey]), ...addedIndexes],
  });
  return {
    steps: alterStep(state, after, 'retype', specs, changeDetails(state, after, changed)),
    state: after,
  };
}

/** Returns the row checks and the losses of data for a change of columns and keys. */
function changeDetails(
  state: TableState,
  after: TableState,
  changed: readonly Changed[],
): { loss: string[]; reversible: boolean; rowChecks: RowCheck[] } {
  const loss = changed
    .filter((entry) => entry.change.loss !== '')
    .map((entry) => `${state.name}.${entry.to.name}: ${entry.change.loss}`);
  return {
    loss,
    reversible: loss.length === 0,
    rowChecks: [
      ...changed.flatMap((entry) => incompatibleChecks(state, entry.to, entry.change)),
      ...collisionChecks(state, after),
    ],
  };
}

function requiredStep(
  state: TableState,
  columns: readonly Column[],
  { order, present }: ColumnOrder,
  engine: EngineKind,
): Stage {
  if (columns.length === 0) return { steps: [], state };
  const plain = present.slice();
  const specs = addSpecs(columns, order, present, (column) => withTemporaryDefault(column, engine));
  const sql = alterTable(state.name, addSpecs(columns, order, plain)) ?? '';
  const afterPublish = alterTable(
    state.name,
    columns.map((column) => `ALTER COLUMN ${quoteName(column.name)} DROP DEFAULT`),
  );
  const after = changeState(state, { set: columns, order: [...present] });
  return {
    steps: alterStep(state, after, 'add_required', specs).map((step) => ({ ...step, sql, afterPublish })),
    state: after,
  };
}

function computedStep(state: TableState, columns: readonly Column[], { order, present }: ColumnOrder): Stage {
  const specs = addSpecs(columns, order, present);
  const after = changeState(state, { set: columns, order: [...present] });
  return { steps: alterStep(state, after, 'widen', specs), state: after };
}

function tightenStep(
  state: TableState,
  { changed, addedIndexes, goneIndexes }: SortedChanges['tighten'],
): Stage {
  const specs = [
    ...changed.map((entry) => modifySpec(entry.to)),
    ...goneIndexes.map(dropKeySpec),
    ...addedIndexes.map((index) => `ADD ${index.definition}`),
  ];
  const after = changeState(state, {
    set: changed.map((entry) => entry.to),
    dropIndexes: goneIndexes,
    addIndexes: addedIndexes,
  });
  return {
    steps: alterStep(state, after, 'tighten', specs, changeDetails(state, after, changed)),
    state: after,
  };
}
