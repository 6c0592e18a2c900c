import type { ExplainStep } from './explain-step.js';

/** The estimated cost of executing a statement. */
export interface RowsEstimate {
  readonly rows: number;
  readonly steps: readonly CountedStep[];
  /**
   * The maximum number of rows that a join without an equality condition buffers for the next table. MySQL
   * has no limit, and writes these rows to files at some hundred megabytes per second.
   */
  readonly bufferedRowsMax: number;
}

export interface CountedStep extends ExplainStep {
  /** The number of rows that the step examines in all of its executions together. */
  readonly examined: number;
}

export interface EstimateOptions {
  /**
   * Whether the statement sends rows as it finds them. This requires that it has no groups, set operations or
   * computations over many rows.
   */
  readonly isPlain: boolean;
  /** Returns the number of rows in the table with this alias. Returns null if it is unknown. */
  sizeOf(table: string): number | null;
}

/**
 * The number of rows per table below which a statement is never expensive. The statement time limit is then
 * sufficient.
 */
const SCANNED_ROWS_FLOOR = 1_000;

const NOTHING_STRAIGHT = /Using (?:where|temporary|filesort|join buffer)/;
/** MariaDB reports more details in this note, and retains only as many rows as its buffer holds. */
const SPILLING = /\(hash join\)/;
const DEPENDENT = /DEPENDENT|UNCACHEABLE|LATERAL/;
/**
 * The assumed selectivity of an equality condition without an index. For any other condition, or none, the
 * selectivity is at least a third.
 */
const EQUALITY_RETAINED_MAX = 0.2;

/**
 * Reports whether the estimate for a step assumes that LIMIT ends it early. If few rows match the condition,
 * the engine may have to scan all rows.
 */
export function isCutShort({ access, notes }: ExplainStep): boolean {
  return access === 'index' && notes.includes('Using where');
}

/**
 * Estimates the number of rows that the engine examines, from its query plan. Tables are read in the order of
 * the steps, each once for every remaining row of the previous ones. A dependent SELECT runs once for each
 * row of its outer query. Rows that are sent as they are found are not counted, because the client can stop
 * reading.
 */
export function estimateRows(provided: readonly ExplainStep[], options: EstimateOptions): RowsEstimate {
  const steps = provided.map((step) =>
    isCutShort(step) && step.table !== null
      ? { ...step, rows: Math.max(step.rows, options.sizeOf(step.table) ?? 0) }
      : step,
  );
  const isStraight =
    options.isPlain && steps.every((step) => step.id === steps[0]?.id && !NOTHING_STRAIGHT.test(step.notes));
  const isSmall = steps.every((step) => isNoTable(step) || step.rows < SCANNED_ROWS_FLOOR);
  const { counted, bufferedRowsMax } = countSteps(steps);
  const rows = isStraight || isSmall ? 0 : counted.reduce((sum, step) => sum + step.examined, 0);
  return { rows, steps: counted, bufferedRowsMax };
}

function isNoTable({ table }: ExplainStep): boolean {
  return table === null || table.startsWith('<');
}

function countSteps(steps: readonly ExplainStep[]): {
  readonly counted: CountedStep[];
  readonly bufferedRowsMax: number;
} {
  const counted: CountedStep[] = [];
  let bufferedRowsMax = 0;
  /**
   * The largest number of rows that an earlier SELECT examines. A dependent SELECT may run once for each of
   * them.
   */
  let outerMax = 1;
  let position = 0;
  while (position < steps.length) {
    const { id, select } = steps[position] as ExplainStep;
    const times = DEPENDENT.test(select) ? outerMax : 1;
    let remaining = 1;
    let total = 0;
    for (; position < steps.length && steps[position]?.id === id; position += 1) {
      const step = steps[position] as ExplainStep;
      const isHashed = isHashJoin(step);
      if (!isHashed && SPILLING.test(step.notes)) bufferedRowsMax = Math.max(bufferedRowsMax, remaining);
      const examined = (isHashed ? step.rows : remaining * step.rows) * times;
      // With an equality condition, a row matches about one row of the other table.
      remaining = isHashed
        ? Math.max(remaining, step.rows)
        : Math.max(1, remaining * step.rows * step.filteredShare);
      total += examined;
      counted.push({ ...step, examined });
    }
    outerMax = Math.max(outerMax, total);
  }
  return { counted, bufferedRowsMax };
}

/**
 * Recognizes a hash join with an equality condition, which reads both tables once. MySQL calls every join
 * without an index a `hash join`, so its selectivity is checked too.
 */
function isHashJoin({ notes, filteredShare }: ExplainStep): boolean {
  return (
    notes.includes('BNLH join') || (notes.includes('hash join') && filteredShare < EQUALITY_RETAINED_MAX)
  );
}
