import type { EngineKind } from '@rowhouse/schema-model';

/** One table of a statement as the engine would read it. */
export interface ExplainStep {
  /** Of the SELECT that it belongs to; null for what brings a UNION together. */
  readonly id: number | null;
  /** `SIMPLE`, `DEPENDENT SUBQUERY`, … */
  readonly select: string;
  /** As the statement calls it, `<derived2>` for what is no table; null where none is read. */
  readonly table: string | null;
  /** `ALL`, `index`, `ref`, …; '' where none is read. */
  readonly access: string;
  /** That are expected to be looked at each time. */
  readonly rows: number;
  /** Of them those that are expected to be kept, 0 to 1. */
  readonly kept: number;
  /** `Using where; Using filesort`. */
  readonly notes: string;
}

/** What stands before a statement to have its steps told, one row each. Both name their columns alike; MariaDB tells `filtered` only so. */
export function explainPrefix(engine: EngineKind): string {
  return engine === 'mariadb' ? 'EXPLAIN EXTENDED ' : 'EXPLAIN FORMAT=TRADITIONAL ';
}

/** The rows of an EXPLAIN, whatever further columns a version has. */
export function readExplain(columns: readonly string[], rows: readonly (readonly unknown[])[]): ExplainStep[] {
  const places = new Map(columns.map((name, at) => [name.toLowerCase(), at]));
  return rows.map((row) => {
    const textOf = (name: string): string | null => {
      const cell = row[places.get(name) ?? -1];
      return typeof cell === 'string' || typeof cell === 'number' ? String(cell) : null;
    };
    const filtered = textOf('filtered');
    return {
      id: textOf('id') === null ? null : Number(textOf('id')),
      select: textOf('select_type') ?? '',
      table: textOf('table'),
      access: textOf('type') ?? '',
      // Of a range whose rows are looked for anew each time, MariaDB tells a text.
      rows: Number.parseInt(textOf('rows') ?? '0', 10) || 0,
      kept: filtered === null ? 1 : Math.min(1, Math.max(0, Number(filtered) / 100)),
      notes: textOf('extra') ?? '',
    };
  });
}
