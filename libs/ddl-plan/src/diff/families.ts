import type { Column, EngineKind, ForeignKey, Table } from '@rowhouse/schema-model';
import type { FamilyPart } from './diff-table.js';
import { alterTable, quoteName } from '../sql-text.js';
import type { FamilyDetails, FamilyKey, PlannedStep, RebuildTable, StepIntent } from '../types.js';

type Pair = readonly [Table, Table];

const BYTES_OF_CHARACTER_MAX = 4;

/**
 * Returns, for each table, the columns whose types change while a foreign key joins them to another column.
 * Servers do not allow a change of only one end, so all of these columns change in one step. Foreign keys
 * that the plan drops or adds are ignored.
 */
export function findJoined(
  pairs: readonly Pair[],
  engine: EngineKind,
): ReadonlyMap<string, ReadonlySet<string>> {
  const joined = new Map<string, Set<string>>();
  const changes = new Map(pairs.map(([from, to]) => [to.name, listBoundChanges(from, to, engine)]));
  const note = (table: string, column: string): void => {
    if (!changes.get(table)?.has(column)) return;
    joined.set(table, (joined.get(table) ?? new Set()).add(column));
  };
  for (const [from, to] of pairs) {
    for (const key of retainedKeys(from, to)) {
      key.columns.forEach((name, index) => {
        note(to.name, name);
        note(key.referencedTable, key.referencedColumns[index] ?? '');
      });
    }
  }
  return joined;
}

function retainedKeys(from: Table, to: Table): ForeignKey[] {
  return to.foreignKeys.filter((key) =>
    from.foreignKeys.some((old) => old.name === key.name && old.definition === key.definition),
  );
}

function listBoundChanges(from: Table, to: Table, engine: EngineKind): Set<string> {
  const old = new Map(from.columns.map((column) => [column.name, column]));
  return new Set(
    to.columns
      .filter((column) => isBoundChange(old.get(column.name), column, engine))
      .map((column) => column.name),
  );
}

/**
 * Reports whether the server does not allow this change of a column while a foreign key uses it. MySQL allows
 * some changes of length, and MariaDB allows none.
 */
function isBoundChange(from: Column | undefined, to: Column, engine: EngineKind): boolean {
  if (from === undefined) return false;
  return (
    isOtherType(from, to) ||
    (from.sqlType !== to.sqlType && !(engine === 'mysql' && growsInPlace(from.sqlType, to.sqlType)))
  );
}

/**
 * Reports whether a VARCHAR gets longer without a change in the size of its length prefix, whatever its
 * character set.
 */
function growsInPlace(from: string, to: string): boolean {
  const [before, after] = [from, to].map((type) =>
    Number(/^varchar\((\d+)\)$/i.exec(type)?.[1] ?? Number.NaN),
  ) as [number, number];
  return after > before && (after * BYTES_OF_CHARACTER_MAX < 256 || before >= 256);
}

/**
 * Reports whether a foreign key cannot join columns of these two types. Texts may have different lengths. All
 * other types must be equal.
 */
export function isOtherType(from: Column | undefined, to: Column): boolean {
  if (from === undefined) return false;
  // MySQL does not allow a referenced column to lose AUTO_INCREMENT.
  if (from.autoIncrement !== to.autoIncrement) return true;
  const isText = from.valueKind === 'string' && to.valueKind === 'string';
  return (
    (isText ? from.charset !== to.charset || from.collation !== to.collation : from.sqlType !== to.sqlType) ||
    from.valueKind !== to.valueKind
  );
}

/** Returns one step for each group of tables that foreign keys join. */
export function familySteps(pairs: readonly Pair[], parts: readonly FamilyPart[]): PlannedStep[] {
  const waiting = new Set(parts.map((part) => part.name));
  const steps: PlannedStep[] = [];
  for (const part of parts) {
    if (!waiting.has(part.name)) continue;
    const names = collectGroup(part.name, pairs, waiting);
    for (const name of names) waiting.delete(name);
    steps.push(
      familyStep(
        pairs,
        orderByReference(
          pairs,
          parts.filter((entry) => names.has(entry.name)),
        ),
      ),
    );
  }
  return steps;
}

function collectGroup(start: string, pairs: readonly Pair[], members: ReadonlySet<string>): Set<string> {
  const group = new Set([start]);
  for (let size = 0; size !== group.size;) {
    size = group.size;
    for (const [from, to] of pairs) {
      for (const key of retainedKeys(from, to)) {
        if (!members.has(to.name) || !members.has(key.referencedTable)) continue;
        if (group.has(to.name)) group.add(key.referencedTable);
        else if (group.has(key.referencedTable)) group.add(to.name);
      }
    }
  }
  return group;
}

function orderByReference(pairs: readonly Pair[], parts: readonly FamilyPart[]): FamilyPart[] {
  const tables = new Map(pairs.map(([, to]) => [to.name, to]));
  const ordered: FamilyPart[] = [];
  const waiting = [...parts];
  while (waiting.length > 0) {
    const index = waiting.findIndex(
      (part) =>
        !(tables.get(part.name)?.foreignKeys ?? []).some(
          (key) =>
            key.referencedTable !== part.name && waiting.some((other) => other.name === key.referencedTable),
        ),
    );
    ordered.push(...waiting.splice(Math.max(index, 0), 1));
  }
  return ordered;
}

function familyStep(pairs: readonly Pair[], parts: readonly FamilyPart[]): PlannedStep {
  const foreignKeys = listKeys(pairs, new Set(parts.map((part) => part.name)));
  const script = [
    ...foreignKeys.map(
      (key) => `ALTER TABLE ${quoteName(key.table)} DROP FOREIGN KEY ${quoteName(key.name)}`,
    ),
    ...parts.map((part) => alterTable(part.name, part.specs)).filter((sql) => sql !== null),
    ...foreignKeys.map((key) => `ALTER TABLE ${quoteName(key.table)} ADD ${key.definition}`),
  ];
  const classes = new Set(parts.map((part) => part.class));
  const stepClass =
    classes.size > 1 || classes.has('retype') ? 'retype' : classes.has('tighten') ? 'tighten' : 'widen';
  const sql = parts.map((part) => `${alterTable(part.name, part.specs) ?? ''};\n`).join('');
  const isLate = stepClass === 'tighten';
  const loss = parts.flatMap((part) => [...part.loss]);
  return {
    kind: 'alter_family',
    table: parts[0]?.name ?? '',
    sql,
    class: stepClass,
    reversible: loss.length === 0,
    loss,
    beforePublish: isLate ? null : sql,
    afterPublish: isLate ? sql : null,
    rowChecks: parts.flatMap((part) => [...part.rowChecks]),
    intent: intentOf(parts, foreignKeys, script),
  };
}

function intentOf(
  parts: readonly FamilyPart[],
  foreignKeys: readonly FamilyKey[],
  script: readonly string[],
): StepIntent {
  const tables = parts
    .map((part) => part.rebuild)
    .filter((rebuild): rebuild is RebuildTable => rebuild !== null);
  const keyless = parts.filter((part) => part.rebuild === null).map((part) => part.name);
  const details: FamilyDetails = { tables, foreignKeys, script, keyless };
  return { kind: 'family', details };
}

/**
 * Lists all foreign keys that belong to a table of the group or refer to one, including those whose types do
 * not change. All of them are recreated when the tables are swapped.
 */
function listKeys(pairs: readonly Pair[], members: ReadonlySet<string>): FamilyKey[] {
  return pairs.flatMap(([from, to]) =>
    retainedKeys(from, to)
      .filter((key) => members.has(to.name) || members.has(key.referencedTable))
      .map((key) => ({
        table: to.name,
        name: key.name,
        definition: key.definition,
        isMember: members.has(to.name),
      })),
  );
}
