import type { EngineKind } from '@rowhouse/schema-model';

/** The access to one table in the engine's query plan. */
export interface ExplainStep {
  /**
   * The number of the SELECT to which the step belongs. Null for the step that reads the result of a UNION.
   */
  readonly id: number | null;
  /** The type of the SELECT, such as `SIMPLE` or `DEPENDENT SUBQUERY`. */
  readonly select: string;
  /**
   * The alias of the table in the statement, or a name such as `<derived2>`. Null if the step reads no table.
   */
  readonly table: string | null;
  /** The access type, such as `ALL`, `index` or `ref`. Empty if the step reads no table. */
  readonly access: string;
  /** The estimated number of rows that one execution of the step examines. */
  readonly rows: number;
  /** The estimated share of the examined rows that match the conditions, from 0 to 1. */
  readonly filteredShare: number;
  /** The notes in the column `Extra`, for example `Using where; Using filesort`. */
  readonly notes: string;
}

/**
 * Returns the prefix with which a statement returns its query plan, one row for each step. The columns have
 * the same names on both engines. MariaDB reports the column `filtered` only with this prefix.
 */
export function explainPrefix(engine: EngineKind): string {
  return engine === 'mariadb' ? 'EXPLAIN EXTENDED ' : 'EXPLAIN FORMAT=TRADITIONAL ';
}

/** Converts the rows of an EXPLAIN to steps. Columns that only some versions have are ignored. */
export function readExplain(
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
): ExplainStep[] {
  const locations = new Map(columns.map((name, position) => [name.toLowerCase(), position]));
  return rows.map((row) => {
    const textOf = (name: string): string | null => {
      const cell = row[locations.get(name) ?? -1];
      return typeof cell === 'string' || typeof cell === 'number' ? String(cell) : null;
    };
    const filtered = textOf('filtered');
    return {
      id: textOf('id') === null ? null : Number(textOf('id')),
      select: textOf('select_type') ?? '',
      table: textOf('table'),
      access: textOf('type') ?? '',
      // For a range that is computed again for each row, MariaDB returns a text instead of a number.
      rows: Number.parseInt(textOf('rows') ?? '0', 10) || 0,
      filteredShare: filtered === null ? 1 : Math.min(1, Math.max(0, Number(filtered) / 100)),
      notes: textOf('extra') ?? '',
    };
  });
}
