import { skipQuoted, type Table } from '@rowhouse/schema-model';
import { alterStep } from './alter-step.js';
import { quoteName } from './sql-text.js';
import { tableOptions } from './structure-text.js';
import type { TableState } from './table-state.js';
import type { PlannedStep } from './types.js';

/** The text behind the columns of a table, apart: its options, and its partitions from `PARTITION BY` on. */
export interface OptionParts {
  readonly options: string;
  /** Null for a table without partitions. Without the versioned comment around it that MySQL writes. */
  readonly partitioning: string | null;
}

export function splitOptions(text: string): OptionParts {
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === "'" || char === '`' || char === '"') at = skipQuoted(text, at);
    else if (/^PARTITION BY /.test(text.slice(at, at + 13))) {
      return { options: text.slice(0, at).replace(/\s*(\/\*!\d+\s*)?$/, ''), partitioning: text.slice(at).replace(/\s*\*\/$/, '') };
    }
  }
  return { options: text, partitioning: null };
}

export interface PartitionSteps {
  /** REMOVE PARTITIONING: keys may come that no table with partitions takes. */
  readonly remove: readonly PlannedStep[];
  /** PARTITION BY and ADD PARTITION. */
  readonly change: readonly PlannedStep[];
  readonly drop: readonly PlannedStep[];
}

/** How the partitions of a table change. Rows move to other partitions unless theirs goes and no partition replaces it. */
export function diffPartitions(from: Table, to: Table, state: TableState): PartitionSteps {
  const [old, next] = [from, to].map((table) => splitOptions(tableOptions(table)).partitioning);
  const none: PartitionSteps = { remove: [], change: [], drop: [] };
  if (old === next || old === undefined || next === undefined) return none;
  const copy = (spec: string): PlannedStep[] => alterStep(state, state, 'widen', [spec]);
  if (next === null) return { ...none, remove: copy('REMOVE PARTITIONING') };
  const lists = old === null ? null : pairLists(old, next);
  if (lists === null) return { ...none, change: copy(next) };
  const { gone, added } = lists;
  return {
    ...none,
    change: added.length === 0 ? [] : [inPlace(state, `ADD PARTITION (${added.join(', ')})`, [])],
    drop: gone.length === 0 ? [] : [inPlace(state, `DROP PARTITION ${gone.map(quoteName).join(', ')}`, gone)],
  };
}

/** Only catalog entries and files change, so no algorithm is named: MariaDB takes none here. */
function inPlace(state: TableState, spec: string, gone: readonly string[]): PlannedStep {
  const sql = `ALTER TABLE ${quoteName(state.name)} ${spec}`;
  const isDrop = gone.length > 0;
  return {
    kind: 'alter_table', table: state.name, sql, class: isDrop ? 'drop' : 'widen', reversible: !isDrop,
    loss: gone.map((name) => `partition ${name} of ${state.name} with all its rows, which move to no other partition`),
    beforePublish: isDrop ? null : sql, afterPublish: isDrop ? sql : null, rowChecks: [], wish: { kind: 'alter', rebuild: null },
  };
}

/** Null where partitions cannot just come at the end and go: then the table is partitioned anew, with all its rows. */
function pairLists(old: string, next: string): { gone: string[]; added: string[] } | null {
  const [before, after] = [readPartitions(old), readPartitions(next)];
  if (before === null || after === null || before.head !== after.head) return null;
  const standing = new Map(before.partitions.map(({ name, text }) => [name, text]));
  const added = after.partitions.filter(({ name }) => !standing.has(name));
  const kept = after.partitions.filter(({ name }) => standing.has(name));
  const names = new Set(kept.map(({ name }) => name));
  const gone = before.partitions.filter(({ name }) => !names.has(name));
  const areEqual = kept.every(({ name, text }) => standing.get(name) === text);
  const isOrdered = after.partitions.slice(0, kept.length).every(({ name }) => names.has(name)) && before.partitions.filter(({ name }) => names.has(name)).every(({ name }, at) => kept[at]?.name === name);
  const isLastReplaced = added.length > 0 && !names.has(before.partitions.at(-1)?.name ?? '');
  if (!areEqual || !isOrdered || isLastReplaced || kept.length === 0) return null;
  return { gone: gone.map(({ name }) => name), added: added.map(({ text }) => text) };
}

interface PartitionList {
  /** Up to the list. */
  readonly head: string;
  readonly partitions: readonly { readonly name: string; readonly text: string }[];
}

/** Null for HASH and KEY, whose partitions are only counted. */
function readPartitions(text: string): PartitionList | null {
  const start = text.search(/\n\(PARTITION /);
  if (start < 0 || !/^PARTITION BY (RANGE|LIST)\b/.test(text)) return null;
  const partitions = splitList(text.slice(start + 2, text.lastIndexOf(')'))).map((part) => ({ name: readName(part), text: part }));
  return { head: text.slice(0, start), partitions };
}

function splitList(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === "'" || char === '`' || char === '"') at = skipQuoted(text, at);
    else if (char === '(') depth += 1;
    else if (char === ')') depth -= 1;
    else if (char === ',' && depth === 0) {
      parts.push(text.slice(start, at).trim());
      start = at + 1;
    }
  }
  return [...parts, text.slice(start).trim()];
}

/** MariaDB quotes every name, MySQL those that need it. */
function readName(part: string): string {
  const [, quoted, plain] = /^PARTITION (?:`((?:[^`]|``)+)`|([^\s`]+))/.exec(part) ?? [];
  return quoted?.replaceAll('``', '`') ?? plain ?? '';
}
