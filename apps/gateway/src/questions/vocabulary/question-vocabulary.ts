import type { ColumnValues, Synonym } from '@rowhouse/nl-engine';
import {
  compileTablesSteps,
  mapTables,
  ownMember,
  type Table,
  type CompiledSnapshot,
  type CompiledTable,
  type Steps,
} from '@rowhouse/schema-model';

export type UnindexedColumns = Readonly<Record<string, readonly string[]>>;

/** The values and synonyms for questions to one database. Immutable, and replaced as a whole. */
export interface QuestionVocabulary {
  /** The version of the value index, or 0 without an index. */
  readonly version: number;
  readonly values: readonly ColumnValues[];
  readonly synonyms: readonly Synonym[];
  /** The estimated size in memory. */
  readonly bytes: number;
}

export const EMPTY_VOCABULARY: QuestionVocabulary = { version: 0, values: [], synonyms: [], bytes: 0 };

const BYTES_PER_VALUE = 60;

export function makeQuestionVocabulary(
  version: number,
  values: readonly ColumnValues[],
  synonyms: readonly Synonym[],
): QuestionVocabulary {
  const ofValues = values.reduce(
    (sum, column) =>
      sum + column.values.reduce((inner, value) => inner + 2 * value.length + BYTES_PER_VALUE, 0),
    0,
  );
  return { version, values, synonyms, bytes: 1_000 + ofValues + synonyms.length * 300 };
}

/**
 * Returns the indexed values of readable columns. It filters out columns that were just hidden or excluded,
 * which the index may still contain.
 */
export function listReadableValues(
  tables: readonly Table[],
  vocabulary: QuestionVocabulary,
  unindexed: UnindexedColumns,
): readonly ColumnValues[] {
  const columns = new Map(
    tables.map((table) => [table.name, new Set(table.columns.map((column) => column.name))]),
  );
  return vocabulary.values.filter(
    (entry) =>
      columns.get(entry.table)?.has(entry.column) === true &&
      ownMember(unindexed, entry.table)?.includes(entry.column) !== true,
  );
}

/**
 * Lists the tables and columns that the key may read, some hundred columns per step. Questions must not find
 * any other name, not even as the target of a foreign key.
 */
export function* listReadableSteps(compiled: CompiledSnapshot): Steps<Table[]> {
  const readable = (yield* compileTablesSteps(compiled)).filter((table) => table.verbs.includes('read'));
  return yield* mapTables(readable, (table) => maskTable(table, compiled));
}

function maskTable({ source: table, shown: columns }: CompiledTable, compiled: CompiledSnapshot): Table {
  const visible = new Set(columns.map((column) => column.name));
  const isShown = (names: readonly string[]): boolean => names.every((column) => visible.has(column));
  const isReachable = (name: string, names: readonly string[]): boolean => {
    const target = compiled.findByName(name);
    return (
      target !== null &&
      target.verbs.includes('read') &&
      names.every((column) => target.findColumn(column) !== null)
    );
  };
  return {
    ...table,
    columns: table.columns.filter((column) => visible.has(column.name)),
    primaryKey: table.primaryKey !== null && isShown(table.primaryKey) ? table.primaryKey : null,
    foreignKeys: table.foreignKeys.filter(
      (key) => isShown(key.columns) && isReachable(key.referencedTable, key.referencedColumns),
    ),
  };
}
