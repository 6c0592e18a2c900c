import type { EngineKind } from '@rowhouse/schema-model';

/** One table of a statement in the engine's plan. */
export interface ExplainStep {
  /** The number of the SELECT to which the step belongs. Null for the result of a UNION. */
  readonly id: number | null;
  /** The kind of SELECT: `SIMPLE`, `DEPENDENT SUBQUERY`, … */
  readonly select: string;
  /**
   * The alias of the table in the statement, or a name such as `<derived2>`. Null when the step reads no
   * table.
   */
  readonly table: string | null;
  /** `ALL`, `index`, `ref`, … Empty when no table is read. */
  readonly access: string;
  /** The estimated rows examined per execution. */
  readonly rows: number;
  /** The estimated share of rows that are kept, from 0 to 1. */
  readonly retained: number;
  /** For example `Using where; Using filesort`. */
  readonly notes: string;
}

/**
 * Returns the prefix that makes a statement return its plan with one row per step. The columns have the same
 * names on both engines. MariaDB only reports `filtered` in this form.
 */
export function explainPrefix(engine: EngineKind): string {
  return engine === 'mariadb' ? 'EXPLAIN EXTENDED ' : 'EXPLAIN FORMAT=TRADITIONAL ';
}

/** Reads the rows of an EXPLAIN. Further columns of a version are ignored. */
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
      // For a range that is recomputed each time, MariaDB returns a text.
      rows: Number.parseInt(textOf('rows') ?? '0', 10) || 0,
      retained: filtered === null ? 1 : Math.min(1, Math.max(0, Number(filtered) / 100)),
      notes: textOf('extra') ?? '',
    };
  });
}
