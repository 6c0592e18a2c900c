import type { Column, EngineKind, Table } from '@rowhouse/schema-model';
import { alterStep } from './alter-step.js';
import { addSpecs, isRequired, modifySpec, moveSpecs, optionSpecs, reshapeSpecs } from './column-specs.js';
import { compareColumn, type ColumnChange } from './compare-column.js';
import { addCheckStep, addForeignKeyStep, dropKeysStep, splitConstraints } from './diff-constraints.js';
import { dropKeySpec, indexSteps, splitGone, splitIndexes, type IndexSets } from './diff-indexes.js';
import { dropColumnsStep } from './drop-columns.js';
import { duplicateChecks, misfitChecks } from './row-checks.js';
import { alterTable, quoteName } from './sql-text.js';
import { changeState, findRebuild, stateOf, type TableState } from './table-state.js';
import { withTemporaryDefault } from './temporary-default.js';
import type { PlannedStep, RebuildTable, RowCheck } from './types.js';

/** Steps of one table, by the place they take among the steps of all tables. */
export interface TableSteps {
  readonly unbind: readonly PlannedStep[];
  readonly loosen: readonly PlannedStep[];
  readonly retype: readonly PlannedStep[];
  readonly required: readonly PlannedStep[];
  readonly indexes: readonly PlannedStep[];
  readonly tighten: readonly PlannedStep[];
  readonly drop: readonly PlannedStep[];
  /** What this table changes together with the tables that its keys join it to; null when it has no part in that. */
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

interface Changed {
  readonly from: Column;
  readonly to: Column;
  readonly change: ColumnChange;
}

/**
 * Both tables carry the same name; renames are behind us.
 *
 * @param joined columns that change their type together with those that a foreign key joins them to
 */
export function diffTable(from: Table, to: Table, engine: EngineKind, joined: ReadonlySet<string> = new Set()): TableSteps {
  const order = to.columns.map((column) => column.name);
  const old = new Map(from.columns.map((column) => [column.name, column]));
  const added = to.columns.filter((column) => !old.has(column.name));
  const gone = from.columns.filter((column) => !order.includes(column.name));
  const constraints = splitConstraints(from, to);
  const indexes = splitIndexes(from, to);
  const all = listChanged(from, to);
  const isFamily = all.some((entry) => joined.has(entry.to.name));
  const inFamily = isFamily ? all.filter((entry) => joined.has(entry.to.name) || (entry.change.class === 'widen' && !touchesKey(indexes, entry.to.name))) : [];
  const changed = all.filter((entry) => !inFamily.includes(entry));
  const present = from.columns.map((column) => column.name);
  const isWithKey = (column: Column): boolean => touchesKey(indexes, column.name) || column.autoIncrement;
  const isEarly = (entry: Changed): boolean => entry.change.class === 'retype' || touchesKey(indexes, entry.to.name) || (entry.to.autoIncrement && !entry.from.autoIncrement);
  const retyped = changed.filter(isEarly);
  // A counter comes together with the key that it must have.
  const counters = new Set([...added, ...retyped.map((entry) => entry.to)].filter((column) => column.autoIncrement && isNewCounter(old.get(column.name))).map((column) => column.name));
  const counterKeys = indexes.added.filter((index) => counters.has(index.columns[0]?.name ?? ''));

  let state = stateOf(from);
  const loosen = loosenStep(state, from, to, { widened: changed.filter((entry) => entry.change.class === 'widen' && !isEarly(entry)), added: added.filter((column) => !isRequired(column) && !isWithKey(column)), present, order, gone: gone.filter((column) => column.autoIncrement) });
  state = loosen.state;
  const family = isFamily ? familyPart(state, inFamily) : null;
  if (family !== null) state = family.state;
  const retype = retypeStep(state, { retyped, added: added.filter(isWithKey), indexes, present, order, counterKeys });
  state = retype.state;
  const required = requiredStep(state, added.filter((column) => isRequired(column) && !isWithKey(column)), present, order, engine);
  state = required.state;
  const losing = changed.filter((entry) => entry.from.autoIncrement && !entry.to.autoIncrement && !isEarly(entry)).map((entry) => entry.to.name);
  const goneIndexes = splitGone(indexes, new Set(gone.map((column) => column.name)), new Set(losing));
  const rest = indexes.added.filter((index) => !counterKeys.includes(index));
  const unique = rest.filter((index) => index.unique);
  const plain = indexSteps(state, rest.filter((index) => !index.unique), goneIndexes.now.filter((index) => !counterKeys.some((key) => key.name === index.name)));
  state = plain.state;
  const tighten = tightenStep(state, changed.filter((entry) => entry.change.class === 'tighten' && !isEarly(entry)), unique, goneIndexes.later);
  state = tighten.state;
  return {
    unbind: dropKeysStep(from.name, constraints.goneKeys),
    loosen: loosen.steps,
    retype: retype.steps,
    required: required.steps,
    indexes: plain.steps,
    tighten: [...tighten.steps, ...constraints.addedChecks.map((check) => addCheckStep(state, check)), ...constraints.addedKeys.map((key) => addForeignKeyStep(state, key))],
    drop: dropColumnsStep(state, gone.map((column) => state.columns.get(column.name) ?? column), engine),
    family: family === null ? null : family.part,
  };
}

function isNewCounter(before: Column | undefined): boolean {
  return before === undefined || !before.autoIncrement;
}

interface Stage {
  readonly steps: PlannedStep[];
  readonly state: TableState;
}

function listChanged(from: Table, to: Table): Changed[] {
  const old = new Map(from.columns.map((column) => [column.name, column]));
  const changed: Changed[] = [];
  for (const column of to.columns) {
    const before = old.get(column.name);
    const change = before === undefined ? null : compareColumn(before, column);
    if (before !== undefined && change !== null) changed.push({ from: before, to: column, change });
  }
  return changed;
}

function touchesKey(indexes: IndexSets, name: string): boolean {
  if (indexes.primary === null) return false;
  return [indexes.primary.from, indexes.primary.to].some((index) => index?.columns.some((part) => part.name === name) ?? false);
}

function loosenStep(state: TableState, from: Table, to: Table, what: { readonly widened: readonly Changed[]; readonly added: readonly Column[]; readonly gone: readonly Column[]; readonly present: string[]; readonly order: readonly string[] }): Stage {
  const { goneChecks } = splitConstraints(from, to);
  const moved = moveSpecs(new Map([...from.columns, ...what.widened.map((entry) => entry.to)].map((column) => [column.name, column])), what.order, what.present);
  const specs = [
    ...optionSpecs(from, to),
    ...goneChecks.map((check) => `DROP CONSTRAINT ${quoteName(check.name)}`),
    ...moved.specs,
  ];
  specs.push(...what.widened.filter((entry) => !moved.names.has(entry.to.name)).map((entry) => modifySpec(entry.to)), ...addSpecs(what.added, what.order, what.present));
  // A counter that is dropped later stands without its key from now on.
  const stopped = what.gone.map((column) => ({ ...column, autoIncrement: false, definition: column.definition.replace(/ AUTO_INCREMENT\b/i, '') }));
  specs.push(...stopped.map(modifySpec));
  const after = changeState(state, { set: [...what.widened.map((entry) => entry.to), ...stopped, ...what.added], order: [...what.present] });
  return { steps: alterStep(state, after, 'widen', specs), state: after };
}

function familyPart(state: TableState, entries: readonly Changed[]): { part: FamilyPart; state: TableState } {
  const specs = entries.map((entry) => modifySpec(entry.to));
  const after = changeState(state, { set: entries.map((entry) => entry.to) });
  const classes = new Set(entries.map((entry) => entry.change.class));
  return {
    part: {
      name: state.name, specs, rebuild: findRebuild(state, after, specs),
      class: classes.has('retype') || (classes.has('widen') && classes.has('tighten')) ? 'retype' : classes.has('tighten') ? 'tighten' : 'widen',
      loss: entries.filter((entry) => entry.change.loss !== '').map((entry) => describeLoss(state.name, entry)),
      rowChecks: entries.flatMap((entry) => misfitChecks(state, entry.to, entry.change)),
    },
    state: after,
  };
}

interface RetypeParts {
  readonly retyped: readonly Changed[];
  readonly added: readonly Column[];
  readonly indexes: IndexSets;
  readonly present: string[];
  readonly order: readonly string[];
  readonly counterKeys: IndexSets['added'];
}

/** With a changed primary key its columns come and change in the same statement: parts alone may be refused. */
function retypeStep(state: TableState, { retyped, added, indexes, present, order, counterKeys }: RetypeParts): Stage {
  const specs = retyped.flatMap((entry) => reshapeSpecs(entry.from, entry.to, order, present));
  const set = [...retyped.map((entry) => entry.to), ...added];
  const { from: oldKey, to: newKey } = indexes.primary ?? { from: null, to: null };
  specs.push(...addSpecs(added, order, present));
  if (oldKey !== null) specs.push('DROP PRIMARY KEY');
  if (newKey !== null) specs.push(`ADD ${newKey.definition}`);
  const replaced = indexes.gone.filter((index) => counterKeys.some((key) => key.name === index.name));
  specs.push(...replaced.map(dropKeySpec), ...counterKeys.map((index) => `ADD ${index.definition}`));
  const after = changeState(state, { set, order: [...present], dropIndexes: [...(oldKey === null ? [] : [oldKey]), ...replaced], addIndexes: [...(newKey === null ? [] : [newKey]), ...counterKeys] });
  const rowChecks = [...retyped.flatMap((entry) => misfitChecks(state, entry.to, entry.change)), ...(newKey === null ? [] : duplicateChecks(state, newKey))];
  const loss = retyped.filter((entry) => entry.change.loss !== '').map((entry) => describeLoss(state.name, entry));
  return { steps: alterStep(state, after, 'retype', specs, { loss, reversible: loss.length === 0, rowChecks }), state: after };
}

function requiredStep(state: TableState, columns: readonly Column[], present: string[], order: readonly string[], engine: EngineKind): Stage {
  if (columns.length === 0) return { steps: [], state };
  const plain = present.slice();
  const specs = addSpecs(columns, order, present, (column) => withTemporaryDefault(column, engine));
  const sql = alterTable(state.name, addSpecs(columns, order, plain)) ?? '';
  const afterPublish = alterTable(state.name, columns.map((column) => `ALTER COLUMN ${quoteName(column.name)} DROP DEFAULT`));
  const after = changeState(state, { set: columns, order: [...present] });
  const [step] = alterStep(state, after, 'add_required', specs);
  return { steps: step === undefined ? [] : [{ ...step, sql, afterPublish }], state: after };
}

function tightenStep(state: TableState, changed: readonly Changed[], unique: IndexSets['added'], gone: IndexSets['gone']): Stage {
  const specs = [...changed.map((entry) => modifySpec(entry.to)), ...gone.map(dropKeySpec), ...unique.map((index) => `ADD ${index.definition}`)];
  const after = changeState(state, { set: changed.map((entry) => entry.to), dropIndexes: gone, addIndexes: unique });
  const loss = changed.filter((entry) => entry.change.loss !== '').map((entry) => describeLoss(state.name, entry));
  const rowChecks = [...changed.flatMap((entry) => misfitChecks(state, entry.to, entry.change)), ...unique.flatMap((index) => duplicateChecks(state, index))];
  return { steps: alterStep(state, after, 'tighten', specs, { loss, reversible: loss.length === 0, rowChecks }), state: after };
}

function describeLoss(table: string, entry: Changed): string {
  return `${table}.${entry.to.name}: ${entry.change.loss}`;
}
