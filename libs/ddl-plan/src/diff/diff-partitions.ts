import { skipQuoted, type Table } from '@rowhouse/schema-model';
import { alterStep } from './alter-step.js';
import { quoteName } from '../sql-text.js';
import { tableOptions } from '../structure-text.js';
import type { TableState } from './table-state.js';
import type { PlannedStep } from '../types.js';

/**
 * The text after the columns in a CREATE TABLE statement. It is split into the options and the partitions,
 * which begin at `PARTITION BY`.
 */
export interface OptionParts {
  readonly options: string;
  /**
   * The partitions, without the versioned comment in which MySQL writes them. Null for a table without
   * partitions.
   */
  readonly partitioning: string | null;
}

export function splitOptions(text: string): OptionParts {
  for (let index = 0; index < text.length; index += 1) {
    const char = text.charAt(index);
    if (char === "'" || char === '`' || char === '"') index = skipQuoted(text, index);
    else if (/^PARTITION BY /.test(text.slice(index, index + 13))) {
      return {
        options: text.slice(0, index).replace(/\s*(\/\*!\d+\s*)?$/, ''),
        partitioning: text.slice(index).replace(/\s*\*\/$/, ''),
      };
    }
  }
  return { options: text, partitioning: null };
}

export interface PartitionSteps {
  /**
   * The steps with REMOVE PARTITIONING. They run early, because later steps may add keys that a partitioned
   * table cannot have.
   */
  readonly remove: readonly PlannedStep[];
  /** The steps with PARTITION BY or ADD PARTITION. */
  readonly change: readonly PlannedStep[];
  readonly drop: readonly PlannedStep[];
}

/**
 * Returns the steps that change the partitions of a table. Rows move to other partitions. They are lost only
 * if their partition is dropped without a replacement.
 */
export function diffPartitions(from: Table, to: Table, state: TableState): PartitionSteps {
  const [old, next] = [from, to].map((table) => splitOptions(tableOptions(table)).partitioning);
  const none: PartitionSteps = { remove: [], change: [], drop: [] };
  if (old === next || old === undefined || next === undefined) return none;
  const copy = (spec: string): PlannedStep[] => alterStep(state, state, 'widen', [spec]);
  if (next === null) return { ...none, remove: copy('REMOVE PARTITIONING') };
  const lists = old === null ? null : pairLists(old, next);
  if (lists === null) return { ...none, change: copy(next) };
  const { removed, added } = lists;
  return {
    ...none,
    change: added.length === 0 ? [] : [inPlace(state, `ADD PARTITION (${added.join(', ')})`, [])],
    drop:
      removed.length === 0
        ? []
        : [inPlace(state, `DROP PARTITION ${removed.map(quoteName).join(', ')}`, removed)],
  };
}

/**
 * Returns a step that changes only the data dictionary and files, without reading rows. The statement has no
 * ALGORITHM clause, which MariaDB does not accept for partitions.
 */
function inPlace(state: TableState, spec: string, removed: readonly string[]): PlannedStep {
  const sql = `ALTER TABLE ${quoteName(state.name)} ${spec}`;
  const isDrop = removed.length > 0;
  return {
    kind: 'alter_table',
    table: state.name,
    sql,
    class: isDrop ? 'drop' : 'widen',
    reversible: !isDrop,
    loss: removed.map(
      (name) =>
        `partition ${name} of ${state.name} with all its rows, which are not moved to another partition`,
    ),
    beforePublish: isDrop ? null : sql,
    afterPublish: isDrop ? sql : null,
    rowChecks: [],
    intent: { kind: 'alter', rebuild: null },
  };
}

/**
 * Returns the partitions to drop and those to append. Returns null if this cannot result in the new list. The
 * table is then partitioned again with all of its rows.
 */
function pairLists(old: string, next: string): { removed: string[]; added: string[] } | null {
  const [before, after] = [readPartitions(old), readPartitions(next)];
  if (before === null || after === null || before.head !== after.head) return null;
  const existing = new Map(before.partitions.map(({ name, text }) => [name, text]));
  const added = after.partitions.filter(({ name }) => !existing.has(name));
  const common = after.partitions.filter(({ name }) => existing.has(name));
  const names = new Set(common.map(({ name }) => name));
  const removed = before.partitions.filter(({ name }) => !names.has(name));
  const areEqual = common.every(({ name, text }) => existing.get(name) === text);
  const isOrdered =
    after.partitions.slice(0, common.length).every(({ name }) => names.has(name)) &&
    before.partitions
      .filter(({ name }) => names.has(name))
      .every(({ name }, index) => common[index]?.name === name);
  const isLastReplaced = added.length > 0 && !names.has(before.partitions.at(-1)?.name ?? '');
  if (!areEqual || !isOrdered || isLastReplaced || common.length === 0) return null;
  return { removed: removed.map(({ name }) => name), added: added.map(({ text }) => text) };
}

interface PartitionList {
  /** The text before the list of partitions. */
  readonly head: string;
  readonly partitions: readonly { readonly name: string; readonly text: string }[];
}

/**
 * Parses a list of partitions. Returns null for HASH and KEY, for which only the number of partitions is
 * given.
 */
function readPartitions(text: string): PartitionList | null {
  const start = text.search(/\n\(PARTITION /);
  if (start < 0 || !/^PARTITION BY (RANGE|LIST)\b/.test(text)) return null;
  const partitions = splitList(text.slice(start + 2, text.lastIndexOf(')'))).map((part) => ({
    name: readName(part),
    text: part,
  }));
  return { head: text.slice(0, start), partitions };
}

function splitList(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index < text.length; index += 1) {
    const char = text.charAt(index);
    if (char === "'" || char === '`' || char === '"') index = skipQuoted(text, index);
    else if (char === '(') depth += 1;
    else if (char === ')') depth -= 1;
    else if (char === ',' && depth === 0) {
      parts.push(text.slice(start, index).trim());
      start = index + 1;
    }
  }
  return [...parts, text.slice(start).trim()];
}

/**
 * Returns the name of a partition. MariaDB puts every name in backquotes, and MySQL only those that need it.
 */
function readName(part: string): string {
  const [, quoted, plain] = /^PARTITION (?:`((?:[^`]|``)+)`|([^\s`]+))/.exec(part) ?? [];
  return quoted?.replaceAll('``', '`') ?? plain ?? '';
}
