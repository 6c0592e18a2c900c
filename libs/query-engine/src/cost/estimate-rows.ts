import type { ExplainStep } from './explain-step.js';

/** The estimated cost of a statement. */
export interface RowsEstimate {
  readonly rows: number;
  readonly steps: readonly CountedStep[];
  /**
   * The maximum number of rows that a join without an equality buffers for the next table. MySQL writes any
   * number of them to files, at some hundred megabytes a second.
   */
  readonly bufferedRowsMax: number;
}

export interface CountedStep extends ExplainStep {
  /** The total number of rows examined over all executions of the step. */
  readonly examined: number;
}

export interface EstimateOptions {
  /** Rows are sent as they are found, without groups, set operations or computations over many rows. */
  readonly isPlain: boolean;
  /** Returns the number of rows of the table with this alias, or null if unknown. */
  sizeOf(table: string): number | null;
}

/** A statement that reads fewer rows of each table is never expensive. The statement time limit suffices. */
const SCANNED_ROWS_FLOOR = 1_000;

const NOTHING_STRAIGHT = /Using (?:where|temporary|filesort|join buffer)/;
/** MariaDB reports more details, and keeps no more than its buffer holds. */
const SPILLING = /\(hash join\)/;
const DEPENDENT = /DEPENDENT|UNCACHEABLE|LATERAL/;
/**
 * The assumed selectivity of an equality without an index. For another comparison or none, it is at least a
 * third.
 */
const EQUALITY_RETAINED_MAX = 0.2;

/**
 * Returns whether the estimate of a step reflects a LIMIT while its condition may make the engine scan all
 * rows.
 */
export function isCutShort({ access, notes }: ExplainStep): boolean {
  return access === 'index' && notes.includes('Using where');
}

/**
 * Estimates the rows that the engine examines, based on its plan. Tables are read in step order, each once
 * per remaining row of the previous ones. A dependent SELECT is read once per row of its outer query. Rows
 * that are sent as they are found do not count, because the reader can stop them.
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
  /** The most rows examined by a SELECT before the current one, which a dependent one may repeat for each. */
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
      // An equality matches about one row for each other row.
      remaining = isHashed
        ? Math.max(remaining, step.rows)
        : Math.max(1, remaining * step.rows * step.retained);
      total += examined;
      counted.push({ ...step, examined });
    }
    outerMax = Math.max(outerMax, total);
  }
  return { counted, bufferedRowsMax };
}

/**
 * Matches a hash join with an equality, which reads both sides once. MySQL calls any join without an index
 * `hash join`.
 */
function isHashJoin({ notes, retained: retainedCount }: ExplainStep): boolean {
  return (
    notes.includes('BNLH join') || (notes.includes('hash join') && retainedCount < EQUALITY_RETAINED_MAX)
  );
}
