import type { ExplainStep } from './explain-step.js';

/** What a statement is expected to look at. */
export interface RowsEstimate {
  readonly rows: number;
  readonly steps: readonly CountedStep[];
  /**
   * The most rows that a join without an equality keeps aside to join them with the next table. MySQL does so whatever they
   * come to, in files, at some hundred megabytes a second.
   */
  readonly asideMax: number;
}

export interface CountedStep extends ExplainStep {
  /** All of it together, however often the step is taken. */
  readonly examined: number;
}

export interface EstimateOptions {
  /** Rows go out as they are found: no groups, no set operations, nothing computed over many of them. */
  readonly isPlain: boolean;
  /** How many rows the table has that the statement calls so; null: not known. */
  sizeOf(table: string): number | null;
}

/** A statement that reads each of its tables by fewer rows is never dear: the time limit of statements is enough for it. */
const SCANNED_ROWS_FLOOR = 1_000;

const NOTHING_STRAIGHT = /Using (?:where|temporary|filesort|join buffer)/;
/** MariaDB says more, and keeps no more than its buffer holds. */
const SPILLING = /\(hash join\)/;
const DEPENDENT = /DEPENDENT|UNCACHEABLE|LATERAL/;
/** What is guessed of an equality that no index serves. Of a comparison, or of none at all, it is a third and more. */
const EQUALITY_KEPT_MAX = 0.2;

/** Whether a step's rows are told as few as a LIMIT may need, while its condition may send the engine through all of them. */
export function isCutShort({ access, notes }: ExplainStep): boolean {
  return access === 'index' && notes.includes('Using where');
}

/**
 * The rows that the engine will look at, by its own plan. Tables are read in the order of the steps, each once for every
 * row that those before it leave; a dependent SELECT once for every row of what it depends on. What is sent as it is
 * found counts nothing: its reader stops it when there is enough.
 */
export function estimateRows(given: readonly ExplainStep[], options: EstimateOptions): RowsEstimate {
  const steps = given.map((step) => (isCutShort(step) && step.table !== null ? { ...step, rows: Math.max(step.rows, options.sizeOf(step.table) ?? 0) } : step));
  const isStraight = options.isPlain && steps.every((step) => step.id === steps[0]?.id && !NOTHING_STRAIGHT.test(step.notes));
  const isSmall = steps.every((step) => isNoTable(step) || step.rows < SCANNED_ROWS_FLOOR);
  const { counted, asideMax } = countSteps(steps);
  const rows = isStraight || isSmall ? 0 : counted.reduce((sum, step) => sum + step.examined, 0);
  return { rows, steps: counted, asideMax };
}

function isNoTable({ table }: ExplainStep): boolean {
  return table === null || table.startsWith('<');
}

function countSteps(steps: readonly ExplainStep[]): { readonly counted: CountedStep[]; readonly asideMax: number } {
  const counted: CountedStep[] = [];
  let asideMax = 0;
  /** The most rows that a SELECT before the current one looks at: a dependent one may be run for each. */
  let outerMax = 1;
  let at = 0;
  while (at < steps.length) {
    const { id, select } = steps[at] as ExplainStep;
    const times = DEPENDENT.test(select) ? outerMax : 1;
    let left = 1;
    let total = 0;
    for (; at < steps.length && steps[at]?.id === id; at += 1) {
      const step = steps[at] as ExplainStep;
      const isHashed = isHashJoin(step);
      if (!isHashed && SPILLING.test(step.notes)) asideMax = Math.max(asideMax, left);
      const examined = (isHashed ? step.rows : left * step.rows) * times;
      // An equality leads each row to about one other.
      left = isHashed ? Math.max(left, step.rows) : Math.max(1, left * step.rows * step.kept);
      total += examined;
      counted.push({ ...step, examined });
    }
    outerMax = Math.max(outerMax, total);
  }
  return { counted, asideMax };
}

/** Both sides are read once and meet by a hash of what has to be equal. MySQL says `hash join` of any join without an index. */
function isHashJoin({ notes, kept }: ExplainStep): boolean {
  return notes.includes('BNLH join') || (notes.includes('hash join') && kept < EQUALITY_KEPT_MAX);
}
