import type { Column, EngineKind, Index, Table } from '@rowhouse/schema-model';
import { findMoved, placeColumn } from './column-order.js';
import { compareColumn, type ColumnChange } from './compare-column.js';
import { diffConstraints } from './diff-constraints.js';
import { alterTable, quoteName } from './sql-text.js';
import { tableOptions } from './structure-text.js';
import { hasTemporaryDefault, temporaryDefault, withTemporaryDefault } from './temporary-default.js';
import type { PlannedStep, RowCheck, StepClass } from './types.js';

/** Steps of one table, by the place they take among the steps of all tables. */
export interface TableSteps {
  readonly loosen: readonly PlannedStep[];
  readonly retype: readonly PlannedStep[];
  readonly required: readonly PlannedStep[];
  readonly indexes: readonly PlannedStep[];
  readonly tighten: readonly PlannedStep[];
  readonly drop: readonly PlannedStep[];
}

interface ColumnSets {
  readonly added: readonly Column[];
  readonly gone: readonly Column[];
  readonly changed: readonly { readonly from: Column; readonly to: Column; readonly change: ColumnChange }[];
}

/** Both tables carry the same name; renames are behind us. */
export function diffTable(from: Table, to: Table, engine: EngineKind): TableSteps {
  const columns = splitColumns(from, to);
  const constraints = diffConstraints(from, to);
  const indexes = splitIndexes(from, to);
  const present = from.columns.map((column) => column.name);
  const loosenSpecs = [...optionSpecs(from, to), ...constraints.dropSpecs, ...moveSpecs(from, to, present)];
  const isKeyChanged = indexes.primary !== null;
  if (isKeyChanged || columns.changed.some((entry) => entry.change.class === 'retype')) {
    const now = columns.changed.filter((entry) => isKeyChanged || entry.change.class !== 'tighten');
    const specs = retypeSpecs(to, { ...columns, changed: now }, indexes, present, isKeyChanged);
    const rest = isKeyChanged ? { ...columns, added: [], gone: [], changed: [] } : { ...columns, changed: columns.changed.filter((entry) => entry.change.class === 'tighten') };
    const loss = [...now.filter((entry) => entry.change.loss !== '').map((entry) => describeLoss(to, entry)), ...(isKeyChanged ? columns.gone.map((column) => describeGone(to, column)) : [])];
    return {
      loosen: alterStep(to, 'widen', loosenSpecs),
      retype: alterStep(to, 'retype', specs, { loss, reversible: loss.length === 0 }),
      ...laterSteps(from, to, rest, isKeyChanged ? { ...indexes, added: [], gone: [] } : indexes, present, engine, constraints.addSteps),
    };
  }
  loosenSpecs.push(...columns.changed.filter((entry) => entry.change.class === 'widen').map((entry) => modifySpec(entry.to)));
  loosenSpecs.push(...addSpecs(columns.added.filter((column) => !isRequired(column)), to, present));
  return { loosen: alterStep(to, 'widen', loosenSpecs), retype: [], ...laterSteps(from, to, columns, indexes, present, engine, constraints.addSteps) };
}

function laterSteps(
  from: Table, to: Table, columns: ColumnSets, indexes: IndexSets, present: string[], engine: EngineKind, constraintSteps: readonly PlannedStep[],
): Omit<TableSteps, 'loosen' | 'retype'> {
  const required = requiredStep(to, columns.added.filter(isRequired), present, engine);
  const tightened = columns.changed.filter((entry) => entry.change.class === 'tighten');
  const unique = indexes.added.filter((index) => index.unique);
  const plain = indexes.added.filter((index) => !index.unique);
  const replaced = new Set(unique.map((index) => index.name));
  // While a unique key is on its way, plain keys stay until it stands: a foreign key may lean on them.
  const goneNow = indexes.gone.filter((index) => !replaced.has(index.name) && (index.unique || unique.length === 0));
  const goneLater = indexes.gone.filter((index) => !goneNow.includes(index));
  return {
    required,
    indexes: indexSteps(to, plain, goneNow),
    tighten: [...tightenStep(to, tightened, unique, goneLater), ...constraintSteps],
    drop: dropStep(from, to, columns.gone, engine),
  };
}

function splitColumns(from: Table, to: Table): ColumnSets {
  const before = new Map(from.columns.map((column) => [column.name, column]));
  const after = new Set(to.columns.map((column) => column.name));
  const changed: ColumnSets['changed'][number][] = [];
  for (const column of to.columns) {
    const old = before.get(column.name);
    const change = old === undefined ? null : compareColumn(old, column);
    if (old !== undefined && change !== null) changed.push({ from: old, to: column, change });
  }
  return {
    added: to.columns.filter((column) => !before.has(column.name)),
    gone: from.columns.filter((column) => !after.has(column.name)),
    changed,
  };
}

interface IndexSets {
  readonly added: readonly Index[];
  readonly gone: readonly Index[];
  /** Set when the primary key changes. */
  readonly primary: { readonly from: Index | null; readonly to: Index | null } | null;
}

function splitIndexes(from: Table, to: Table): IndexSets {
  const before = new Map(from.indexes.map((index) => [index.name, index]));
  const after = new Map(to.indexes.map((index) => [index.name, index]));
  const differs = (index: Index, others: ReadonlyMap<string, Index>): boolean => others.get(index.name)?.definition !== index.definition;
  const [oldKey, newKey] = [before.get('PRIMARY') ?? null, after.get('PRIMARY') ?? null];
  return {
    added: to.indexes.filter((index) => index.name !== 'PRIMARY' && differs(index, before)),
    gone: from.indexes.filter((index) => index.name !== 'PRIMARY' && differs(index, after)),
    primary: oldKey?.definition === newKey?.definition ? null : { from: oldKey, to: newKey },
  };
}

/** NOT NULL without a default: callers must send it. */
function isRequired(column: Column): boolean {
  return !column.nullable && column.default.kind === 'none' && !column.autoIncrement && column.generated === null && hasTemporaryDefault(column);
}

function optionSpecs(from: Table, to: Table): string[] {
  const [old, next] = [from, to].map(tableOptions);
  if (old === next || next === undefined) return [];
  // ENGINE=InnoDB again would rebuild the table; partitions are no option to be altered in passing.
  return [next.replace(/^ENGINE=\w+\s*/, '').replace(/\s*PARTITION BY[\s\S]*$/, '')].filter((text) => text !== '');
}

function moveSpecs(from: Table, to: Table, present: string[]): string[] {
  const order = to.columns.map((column) => column.name);
  const old = new Map(from.columns.map((column) => [column.name, column]));
  return findMoved(present, order).map((name) => `MODIFY COLUMN ${quoteName(name)} ${old.get(name)?.definition ?? ''}${placeColumn(present, order, name, quoteName)}`);
}

function modifySpec(column: Column): string {
  return `MODIFY COLUMN ${quoteName(column.name)} ${column.definition}`;
}

function addSpecs(columns: readonly Column[], to: Table, present: string[], define: (column: Column) => string = (column) => column.definition): string[] {
  const order = to.columns.map((column) => column.name);
  return columns.map((column) => `ADD COLUMN ${quoteName(column.name)} ${define(column)}${placeColumn(present, order, column.name, quoteName)}`);
}

/** With a changed primary key all column and key changes of the table go in one statement: parts alone may be refused. */
function retypeSpecs(to: Table, columns: ColumnSets, indexes: IndexSets, present: string[], isKeyChanged: boolean): string[] {
  const specs = columns.changed.flatMap((entry) => reshapeSpecs(entry.from, entry.to, present, to.columns.map((column) => column.name)));
  if (!isKeyChanged) return [...specs, ...addSpecs(columns.added.filter((column) => !isRequired(column)), to, present)];
  specs.push(...addSpecs(columns.added, to, present));
  const { from: oldKey, to: newKey } = indexes.primary ?? { from: null, to: null };
  if (oldKey !== null) specs.push('DROP PRIMARY KEY');
  if (newKey !== null) specs.push(`ADD ${newKey.definition}`);
  specs.push(...indexes.gone.map((index) => `DROP KEY ${quoteName(index.name)}`), ...indexes.added.map((index) => `ADD ${index.definition}`));
  specs.push(...columns.gone.map((column) => `DROP COLUMN ${quoteName(column.name)}`));
  return specs;
}

/** Whether a value is stored or computed cannot be modified in place: the column goes and comes again. */
function reshapeSpecs(from: Column, to: Column, present: string[], order: readonly string[]): string[] {
  if (from.generated === null && to.generated === null) return [modifySpec(to)];
  return [`DROP COLUMN ${quoteName(from.name)}`, `ADD COLUMN ${quoteName(to.name)} ${to.definition}${placeColumn(present, order, to.name, quoteName)}`];
}

function requiredStep(to: Table, columns: readonly Column[], present: string[], engine: EngineKind): PlannedStep[] {
  if (columns.length === 0) return [];
  const before = present.slice();
  const beforePublish = alterTable(to.name, addSpecs(columns, to, present, (column) => withTemporaryDefault(column, engine)));
  const sql = alterTable(to.name, addSpecs(columns, to, before)) ?? '';
  const afterPublish = alterTable(to.name, columns.map((column) => `ALTER COLUMN ${quoteName(column.name)} DROP DEFAULT`));
  return [{ kind: 'alter_table', table: to.name, sql, class: 'add_required', reversible: true, loss: [], beforePublish, afterPublish, rowChecks: [], wish: { kind: 'alter', rebuild: null } }];
}

/** Servers build one FULLTEXT key per statement in place. */
function indexSteps(to: Table, added: readonly Index[], gone: readonly Index[]): PlannedStep[] {
  const usual = added.filter((index) => index.kind === 'btree' || index.kind === 'hash');
  const special = added.filter((index) => !usual.includes(index));
  const replaced = new Set(special.map((index) => index.name));
  const goneSpecs = gone.filter((index) => !replaced.has(index.name)).map((index) => `DROP KEY ${quoteName(index.name)}`);
  const steps = alterStep(to, 'widen', [...goneSpecs, ...usual.map((index) => `ADD ${index.definition}`)]);
  for (const index of special) {
    const dropFirst = gone.some((entry) => entry.name === index.name) ? [`DROP KEY ${quoteName(index.name)}`] : [];
    steps.push(...alterStep(to, 'widen', [...dropFirst, `ADD ${index.definition}`]));
  }
  return steps;
}

function tightenStep(to: Table, changed: ColumnSets['changed'], unique: readonly Index[], gone: readonly Index[]): PlannedStep[] {
  const specs = [
    ...changed.map((entry) => modifySpec(entry.to)),
    ...gone.map((index) => `DROP KEY ${quoteName(index.name)}`),
    ...unique.map((index) => `ADD ${index.definition}`),
  ];
  const loss = changed.filter((entry) => entry.change.loss !== '').map((entry) => describeLoss(to, entry));
  const rowChecks = [...changed.flatMap((entry) => misfitChecks(to, entry)), ...unique.flatMap((index) => duplicateChecks(to, index))];
  return alterStep(to, 'tighten', specs, { loss, reversible: loss.length === 0, rowChecks });
}

function misfitChecks(to: Table, entry: ColumnSets['changed'][number]): RowCheck[] {
  const column = quoteName(entry.to.name);
  return entry.change.misfits.map((misfit) => ({
    problem: `${to.name}.${entry.to.name} ${misfit.problem}`,
    sql: `SELECT 1 FROM ${quoteName(to.name)} WHERE ${misfit.condition.replaceAll('{c}', () => column)} LIMIT 1`,
    shows: [],
  }));
}

function duplicateChecks(to: Table, index: Index): RowCheck[] {
  const names = index.columns.map((part) => part.name);
  if (names.some((name) => name === null) || index.columns.some((part) => part.prefixLength !== null)) return [];
  const list = names.map((name) => quoteName(name ?? '')).join(', ');
  const present = names.map((name) => `${quoteName(name ?? '')} IS NOT NULL`).join(' AND ');
  const sql = `SELECT 1 FROM ${quoteName(to.name)} WHERE ${present} GROUP BY ${list} HAVING COUNT(*) > 1 LIMIT 1`;
  return [{ problem: `${to.name} holds the same ${names.join(', ')} more than once`, sql, shows: [] }];
}

function dropStep(from: Table, to: Table, gone: readonly Column[], engine: EngineKind): PlannedStep[] {
  if (gone.length === 0) return [];
  // Requests on the new snapshot leave the column out while it is still there.
  const needy = gone.filter(isRequired);
  const beforePublish = alterTable(from.name, needy.map((column) => `ALTER COLUMN ${quoteName(column.name)} SET DEFAULT ${temporaryDefault(column, engine)}`));
  const sql = alterTable(to.name, gone.map((column) => `DROP COLUMN ${quoteName(column.name)}`)) ?? '';
  const loss = gone.filter((column) => column.generated === null).map((column) => describeGone(to, column));
  return [{ kind: 'alter_table', table: to.name, sql, class: 'drop', reversible: false, loss, beforePublish, afterPublish: sql, rowChecks: [], wish: { kind: 'alter', rebuild: null } }];
}

function describeGone(table: Table, column: Column): string {
  return `column ${table.name}.${column.name} with its values`;
}

function describeLoss(table: Table, entry: ColumnSets['changed'][number]): string {
  return `${table.name}.${entry.to.name}: ${entry.change.loss}`;
}

interface StepDetails {
  readonly loss?: readonly string[];
  readonly reversible?: boolean;
  readonly rowChecks?: readonly RowCheck[];
}

/** Tightening is sent after publishing, everything else before. */
function alterStep(to: Table, stepClass: StepClass, specs: readonly string[], details: StepDetails = {}): PlannedStep[] {
  const sql = alterTable(to.name, specs);
  if (sql === null) return [];
  const isLate = stepClass === 'tighten';
  return [{
    kind: 'alter_table', table: to.name, sql, class: stepClass, reversible: details.reversible ?? true, loss: details.loss ?? [],
    beforePublish: isLate ? null : sql, afterPublish: isLate ? sql : null, rowChecks: details.rowChecks ?? [], wish: { kind: 'alter', rebuild: null },
  }];
}
