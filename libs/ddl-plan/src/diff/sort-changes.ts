import type { Column, Index, Table } from '@rowhouse/schema-model';
import { isRequired } from './column-specs.js';
import type { ColumnChange } from './column-change.js';
import { compareColumn } from './compare-column.js';
import { splitConstraints, type ConstraintSets } from './diff-constraints.js';
import {
  findTemporaryKeys,
  splitRemoved,
  splitIndexes,
  type IndexSets,
  type KeyStage,
  type RenamedIndex,
} from './diff-indexes.js';
import { quoteName } from '../sql-text.js';

export interface Changed {
  readonly from: Column;
  readonly to: Column;
  readonly change: ColumnChange;
}

/** All differences between two tables with the same name, grouped by the stage of the plan. */
export interface SortedChanges {
  readonly constraints: ConstraintSets;
  readonly primary: IndexSets['primary'];
  /**
   * Changes that run together with those of other tables, because foreign keys join the columns. Null if no
   * such change is needed.
   */
  readonly family: readonly Changed[] | null;
  readonly loosen: {
    readonly changed: readonly Changed[];
    readonly added: readonly Column[];
    readonly goneIndexes: readonly Index[];
    readonly renamedIndexes: readonly RenamedIndex[];
    /**
     * Indexes that foreign keys need until the stage `tighten` has added the keys that replace dropped ones.
     */
    readonly temporaryIndexes: readonly Index[];
    readonly goneCounters: readonly Column[];
  };
  /**
   * If the primary key changes or a column becomes AUTO_INCREMENT, all related changes are in one statement,
   * because servers do not allow them separately.
   */
  readonly retype: {
    readonly changed: readonly Changed[];
    readonly added: readonly Column[];
    readonly droppedFirst: readonly Column[];
    readonly addedIndexes: readonly Index[];
    readonly goneIndexes: readonly Index[];
  };
  readonly required: readonly Column[];
  /** Generated columns that depend on a column which is added or changed in a stage after `loosen`. */
  readonly computed: readonly Column[];
  readonly indexes: { readonly added: readonly Index[]; readonly removed: readonly Index[] };
  readonly tighten: {
    readonly changed: readonly Changed[];
    readonly addedIndexes: readonly Index[];
    readonly goneIndexes: readonly Index[];
  };
  readonly drop: readonly Column[];
}

export function sortChanges(from: Table, to: Table, joined: ReadonlySet<string>): SortedChanges {
  const { all, added, removed } = compareColumns(from, to);
  const indexes = splitIndexes(from, to);
  const isOfKey = (name: string): boolean =>
    [...listed(indexes.primary?.from), ...listed(indexes.primary?.to)].some((index) =>
      hasColumn(index, name),
    );
  const family = findFamily(all, joined, isOfKey);
  const changed = all.filter((entry) => family?.includes(entry) !== true);
  const retyped = changed.filter((entry) => isEarly(entry, added) || isOfKey(entry.to.name));
  const rest = changed.filter((entry) => !retyped.includes(entry));
  const tightened = rest.filter((entry) => entry.change.class === 'tighten');

  const counters = findCounters(from, to, indexes, [...added, ...retyped.map((entry) => entry.to)]);
  const counterKeys = findCounterKeys(indexes.added, counters, added);
  const { withKey, required, open, computed } = splitAdded(
    added,
    retyped,
    (name) => isOfKey(name) || counterKeys.some((index) => hasColumn(index, name)),
  );
  // On MariaDB, a column that is generated from a new AUTO_INCREMENT column is dropped first.
  const droppedFirst = removed.filter(
    (column) =>
      column.generated !== null &&
      retyped.some((entry) => entry.to.autoIncrement && isComputedFrom(column, entry.to)),
  );
  const keys = sortIndexes(indexes, {
    early: all.filter((entry) => !tightened.includes(entry)),
    tightened,
    removed,
    counterKeys,
    losing: findLosing(all),
  });
  const constraints = splitConstraints(from, to);
  const unchangedKeys = from.foreignKeys.filter((key) => !constraints.goneKeys.includes(key));
  const temporary = findTemporaryKeys(from, to, unchangedKeys, listKeyStages(indexes, keys));
  return {
    constraints,
    primary: indexes.primary,
    family,
    loosen: {
      changed: rest.filter((entry) => entry.change.class === 'widen'),
      added: open.filter((column) => !computed.includes(column)),
      goneIndexes: keys.overtaken,
      renamedIndexes: indexes.renamed,
      temporaryIndexes: temporary,
      goneCounters: removed.filter((column) => column.autoIncrement),
    },
    retype: {
      changed: retyped,
      added: withKey,
      droppedFirst,
      addedIndexes: keys.ofCounters,
      goneIndexes: keys.replacedByCounters,
    },
    required,
    computed,
    indexes: { added: keys.added, removed: keys.gone },
    tighten: {
      changed: tightened,
      addedIndexes: keys.addedLate,
      goneIndexes: [...keys.goneLate, ...temporary],
    },
    drop: removed.filter((column) => !droppedFirst.includes(column)),
  };
}

/**
 * Compares the columns of two tables. Returns those that change, those that are added and those that are
 * removed.
 */
function compareColumns(from: Table, to: Table): { all: Changed[]; added: Column[]; removed: Column[] } {
  const before = new Map(from.columns.map((column) => [column.name, column]));
  const after = new Set(to.columns.map((column) => column.name));
  const all = to.columns.flatMap((column): Changed[] => {
    const old = before.get(column.name);
    const change = old === undefined ? null : compareColumn(old, column);
    return old === undefined || change === null ? [] : [{ from: old, to: column, change }];
  });
  return {
    all,
    added: to.columns.filter((column) => !before.has(column.name)),
    removed: from.columns.filter((column) => !after.has(column.name)),
  };
}

/** Returns the names of columns that lose AUTO_INCREMENT after publishing. */
function findLosing(all: readonly Changed[]): ReadonlySet<string> {
  return new Set(
    all
      .filter((entry) => entry.change.class === 'tighten' && losesCounter(entry))
      .map((entry) => entry.to.name),
  );
}

/** Lists, in order, the keys that each stage before `tighten` drops and adds. */
function listKeyStages({ primary }: IndexSets, keys: ReturnType<typeof sortIndexes>): KeyStage[] {
  return [
    { removed: keys.overtaken, added: [] },
    { removed: listed(primary?.from), added: listed(primary?.to) },
    { removed: keys.replacedByCounters, added: keys.ofCounters },
    { removed: keys.gone, added: keys.added },
  ];
}

/**
 * Returns the changes that run together with those of other tables, because foreign keys join the columns.
 * Returns null if no such change is needed.
 */
function findFamily(
  all: readonly Changed[],
  joined: ReadonlySet<string>,
  isOfKey: (name: string) => boolean,
): Changed[] | null {
  if (!all.some((entry) => joined.has(entry.to.name))) return null;
  return all.filter(
    (entry) => joined.has(entry.to.name) || (entry.change.class === 'widen' && !isOfKey(entry.to.name)),
  );
}

/**
 * Splits the new columns into those that need a key in the same statement, those without a default, and
 * others. Among the others, `computed` contains columns that are generated from columns of a later stage.
 */
function splitAdded(
  added: readonly Column[],
  retyped: readonly Changed[],
  isOfKey: (name: string) => boolean,
): Record<'withKey' | 'required' | 'open' | 'computed', Column[]> {
  const isWithKey = (column: Column): boolean => isOfKey(column.name) || column.autoIncrement;
  const [withKey, others] = [added.filter(isWithKey), added.filter((column) => !isWithKey(column))];
  const [required, open] = [others.filter(isRequired), others.filter((column) => !isRequired(column))];
  const later = [...withKey, ...required, ...retyped.map((entry) => entry.to)];
  const computed = open.filter(
    (column) => column.generated !== null && later.some((base) => isComputedFrom(column, base)),
  );
  return { withKey, required, open, computed };
}

/**
 * Returns the names of the AUTO_INCREMENT columns that need another key in the same statement. A column needs
 * none if its key remains or becomes the primary key.
 */
function findCounters(
  from: Table,
  to: Table,
  { primary, added }: IndexSets,
  candidates: readonly Column[],
): ReadonlySet<string> {
  const isCounter = new Set(from.columns.filter((column) => column.autoIncrement).map(({ name }) => name));
  const started = candidates.filter((column) => column.autoIncrement && !isCounter.has(column.name));
  // An AUTO_INCREMENT column whose primary key is dropped also needs its next key in the same statement.
  const unkeyed = to.columns.filter(
    (column) => column.autoIncrement && leads(primary?.from, column) && !leads(primary?.to, column),
  );
  const isKeyed = (column: Column): boolean =>
    to.indexes.some((index) => leads(index, column) && !added.includes(index));
  return new Set([...started, ...unkeyed].filter((column) => !isKeyed(column)).map(({ name }) => name));
}

/**
 * Returns the new keys that begin with one of the AUTO_INCREMENT columns in `counters`. The statement that
 * sets AUTO_INCREMENT adds these keys. A key that also contains new columns is only returned if no other key
 * begins with the same AUTO_INCREMENT column.
 */
function findCounterKeys(
  indexes: readonly Index[],
  counters: ReadonlySet<string>,
  added: readonly Column[],
): Index[] {
  const leading = indexes.filter((index) => counters.has(index.columns[0]?.name ?? ''));
  const isComplete = (index: Index): boolean =>
    !added.some((column) => !column.autoIncrement && hasColumn(index, column.name));
  return leading.filter(
    (index) =>
      isComplete(index) ||
      !leading.some((other) => other.columns[0]?.name === index.columns[0]?.name && isComplete(other)),
  );
}

interface IndexContext {
  readonly early: readonly Changed[];
  readonly tightened: readonly Changed[];
  readonly removed: readonly Column[];
  readonly counterKeys: readonly Index[];
  /** The names of columns that lose AUTO_INCREMENT after publishing. */
  readonly losing: ReadonlySet<string>;
}

function sortIndexes(
  indexes: IndexSets,
  { early, tightened, removed, counterKeys: ofCounters, losing }: IndexContext,
) {
  const isReplaced = (index: Index): boolean => ofCounters.some((key) => key.name === index.name);
  const overtaken = indexes.removed.filter((index) => coversChanged(index, early) && !isReplaced(index));
  const isLeft = (index: Index): boolean => !overtaken.includes(index) && !isReplaced(index);
  const { now, later } = splitRemoved(indexes, new Set(removed.map((column) => column.name)), losing);
  const goneLate = later.filter(isLeft);
  const rest = indexes.added.filter((index) => !ofCounters.includes(index));
  // A key that is dropped in a later stage still has its name in this one.
  const isNameTaken = (index: Index): boolean =>
    goneLate.some((old) => old.name.toLowerCase() === index.name.toLowerCase());
  const isLate = (index: Index): boolean =>
    index.unique || coversChanged(index, tightened) || isNameTaken(index);
  return {
    ofCounters,
    overtaken,
    replacedByCounters: indexes.removed.filter(isReplaced),
    added: rest.filter((index) => !isLate(index)),
    gone: now.filter(isLeft),
    addedLate: rest.filter(isLate),
    goneLate,
  };
}

function hasColumn(index: Index, name: string): boolean {
  return index.columns.some((part) => part.name === name);
}

function listed(index: Index | null | undefined): Index[] {
  return index === null || index === undefined ? [] : [index];
}

/** Reports whether a column loses AUTO_INCREMENT. */
export function losesCounter({ from, to }: Pick<Changed, 'from' | 'to'>): boolean {
  return from.autoIncrement && !to.autoIncrement;
}

export function leads(index: Index | null | undefined, column: Column): boolean {
  return index?.columns[0]?.name === column.name;
}

/** Reports whether a column of the index gets another type, which the index may not support. */
function coversChanged(index: Index, changed: readonly Changed[]): boolean {
  return index.columns.some((part) =>
    changed.some((entry) => entry.to.name === part.name && entry.from.type !== entry.to.type),
  );
}

function isEarly(entry: Changed, added: readonly Column[]): boolean {
  if (entry.change.class === 'retype' || (entry.to.autoIncrement && !entry.from.autoIncrement)) return true;
  // On MariaDB, a column cannot be generated from an AUTO_INCREMENT column, so this attribute is removed
  // first.
  return (
    entry.from.autoIncrement &&
    added.some((column) => column.generated !== null && isComputedFrom(column, entry.from))
  );
}

function isComputedFrom(column: Column, base: Column): boolean {
  return column.definition.includes(quoteName(base.name));
}
