import type { ForeignKey, Index, Table } from '@rowhouse/schema-model';
import { alterStep } from './alter-step.js';
import { quoteName } from '../sql-text.js';
import { changeState, type TableState } from './table-state.js';
import type { PlannedStep } from '../types.js';

export interface RenamedIndex {
  readonly from: Index;
  readonly to: Index;
}

export interface IndexSets {
  /**
   * The indexes of which only the name changes. A foreign key may need such an index, so it cannot be dropped
   * and added again.
   */
  readonly renamed: readonly RenamedIndex[];
  readonly added: readonly Index[];
  readonly removed: readonly Index[];
  /** The primary key before and after the change. Null if it does not change. */
  readonly primary: { readonly from: Index | null; readonly to: Index | null } | null;
}

export function splitIndexes(from: Table, to: Table): IndexSets {
  const before = new Map(from.indexes.map((index) => [index.name, index]));
  const after = new Map(to.indexes.map((index) => [index.name, index]));
  const differs = (index: Index, others: ReadonlyMap<string, Index>): boolean =>
    others.get(index.name)?.definition !== index.definition;
  const [oldKey, newKey] = [before.get('PRIMARY') ?? null, after.get('PRIMARY') ?? null];
  const added = to.indexes.filter((index) => index.name !== 'PRIMARY' && differs(index, before));
  const removed = from.indexes.filter((index) => index.name !== 'PRIMARY' && differs(index, after));
  const renamed = pairRenamed(
    removed.filter((index) => !after.has(index.name)),
    added.filter((index) => !before.has(index.name)),
  );
  return {
    renamed,
    added: added.filter((index) => !renamed.some((pair) => pair.to === index)),
    removed: removed.filter((index) => !renamed.some((pair) => pair.from === index)),
    primary: oldKey?.definition === newKey?.definition ? null : { from: oldKey, to: newKey },
  };
}

function pairRenamed(removed: readonly Index[], added: readonly Index[]): RenamedIndex[] {
  const free = [...added];
  return removed.flatMap((from) => {
    const index = free.findIndex((to) => renamedDefinition(from, to.name) === to.definition);
    const [to] = index < 0 ? [] : free.splice(index, 1);
    return to === undefined ? [] : [{ from, to }];
  });
}

function renamedDefinition({ name, definition }: Index, to: string): string {
  return definition.replace(quoteName(name), () => quoteName(to));
}

export function renameKeySpec({ from, to }: RenamedIndex): string {
  return `RENAME INDEX ${quoteName(from.name)} TO ${quoteName(to.name)}`;
}

/**
 * Returns which of the removed keys are dropped before publishing, and which after it.
 * - Keys that are not unique remain until all new unique keys are added, because a foreign key may need them.
 * - A unique key on a removed column is dropped before publishing, because new rows then all have the
 *   column's default.
 * - The key of an AUTO_INCREMENT column is dropped together with the AUTO_INCREMENT attribute.
 */
export function splitRemoved(
  indexes: IndexSets,
  goneColumns: ReadonlySet<string>,
  losingCounters: ReadonlySet<string> = new Set(),
): { now: Index[]; later: Index[] } {
  const unique = indexes.added.filter((index) => index.unique);
  const replaced = new Set(unique.map((index) => index.name));
  const isNow = (index: Index): boolean => {
    if (index.unique && index.columns.some((part) => part.name !== null && goneColumns.has(part.name)))
      return true;
    if (losingCounters.has(index.columns[0]?.name ?? '')) return false;
    return !replaced.has(index.name) && (index.unique || unique.length === 0);
  };
  return { now: indexes.removed.filter(isNow), later: indexes.removed.filter((index) => !isNow(index)) };
}

/** The keys that one stage of a plan drops, and those that it adds. */
export interface KeyStage {
  readonly removed: readonly Index[];
  readonly added: readonly Index[];
}

/**
 * Returns temporary keys for foreign keys that would have no usable key in one of the stages. Servers do not
 * allow the last key that a foreign key can use to be dropped, even if a later stage adds another.
 *
 * @param keys the foreign keys that exist before and after the change
 * @param stages the keys that are dropped and added in each stage before the last, in order
 */
export function findTemporaryKeys(
  from: Table,
  to: Table,
  keys: readonly ForeignKey[],
  stages: readonly KeyStage[],
): Index[] {
  const temporary: Index[] = [];
  const taken = new Set([...from.indexes, ...to.indexes].map((index) => index.name.toLowerCase()));
  const served = keys.filter((key) => from.indexes.some((index) => servesKey(index, key)));
  let present: readonly Index[] = from.indexes;
  for (const { removed, added } of stages) {
    present = [...present.filter((index) => !removed.includes(index)), ...added];
    for (const key of served) {
      if ([...present, ...temporary].some((index) => servesKey(index, key))) continue;
      const name = temporaryName(key.name, taken);
      taken.add(name.toLowerCase());
      temporary.push({
        name,
        unique: false,
        kind: 'btree',
        columns: key.columns.map((column) => ({ name: column, prefixLength: null, descending: false })),
        definition: `KEY ${quoteName(name)} (${key.columns.map(quoteName).join(',')})`,
      });
    }
  }
  return temporary;
}

/**
 * Reports whether the foreign key can use the index. The index must begin with the foreign key's columns, in
 * the same order and without a prefix length.
 */
export function servesKey(index: Index, key: ForeignKey): boolean {
  return index.kind === 'btree' && startsWith(index, key.columns);
}

/** Reports whether the index begins with these columns, in the same order and without a prefix length. */
export function startsWith({ columns }: Index, names: readonly string[]): boolean {
  return names.every(
    (name, at) =>
      columns[at]?.name?.toLowerCase() === name.toLowerCase() && columns[at].prefixLength === null,
  );
}

function temporaryName(key: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const name = `${key.slice(0, 56)}_tmp${number}`;
    if (!taken.has(name.toLowerCase())) return name;
  }
}

/** Returns the steps that add indexes. A server builds at most one FULLTEXT key per statement in place. */
export function indexSteps(
  state: TableState,
  added: readonly Index[],
  removed: readonly Index[],
): { steps: PlannedStep[]; state: TableState } {
  const usual = added.filter((index) => index.kind === 'btree' || index.kind === 'hash');
  const special = added.filter((index) => !usual.includes(index));
  const replaced = new Set(special.map((index) => index.name));
  const goneNow = removed.filter((index) => !replaced.has(index.name));
  let after = changeState(state, { dropIndexes: goneNow, addIndexes: usual });
  const steps = alterStep(state, after, 'widen', [
    ...goneNow.map(dropKeySpec),
    ...usual.map((index) => `ADD ${index.definition}`),
  ]);
  for (const index of special) {
    const before = after;
    const dropped = removed.filter((entry) => entry.name === index.name);
    after = changeState(before, { dropIndexes: dropped, addIndexes: [index] });
    steps.push(
      ...alterStep(before, after, 'widen', [...dropped.map(dropKeySpec), `ADD ${index.definition}`]),
    );
  }
  return { steps, state: after };
}

export function dropKeySpec(index: Index): string {
  return `DROP KEY ${quoteName(index.name)}`;
}
