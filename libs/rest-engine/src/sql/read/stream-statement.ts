import { defect } from '@rowhouse/errors';
import { toKeyValue } from '../../plan/list/plan-cursor.js';
import type { CursorPlan } from '../../plan/plan-parts.js';
import type { Authorized, ListPlan } from '../../plan/plan.js';
import { isReadInParts, type StreamPlan } from '../../plan/list/plan-window.js';
import { aggregateProgram } from './aggregate-program.js';
import { listProgram } from './read-program.js';
import type { BoundValue, Cell } from '../../values/cell.js';
import type { ResultShape, Statement, StatementProgram } from '../statement.js';

/** The position of a stream: the sort key values of the last record that was read. Null at the start. */
export type StreamPosition = readonly BoundValue[] | null;

export interface StreamSource {
  /**
   * Whether several statements read the rows, each a part of them. Otherwise, one statement reads all rows.
   */
  readonly isInParts: boolean;
  readonly shape: ResultShape;
  /**
   * The statement that counts the records before the first is read. Null if the client requested no count.
   */
  readonly count: Statement | null;
  /** Returns the statement for the next `rowsMax` records after `position`. */
  part(position: StreamPosition, rowsMax: number): Statement;
  /** Returns the position after a record, from the record's cells. */
  positionOf(cells: readonly Cell[]): StreamPosition;
}

/** Creates the statements that read a streamed list. */
export function createStreamSource(plan: Authorized<StreamPlan>): StreamSource {
  const count = programOf(plan).first.statements.find((statement) => statement.role.kind === 'count') ?? null;
  const whole = (_position: StreamPosition, rowsMax: number): Statement => recordsOf(plan, rowsMax);
  if (!isReadInParts(plan))
    return { isInParts: false, shape: shapeOf(whole(null, 1)), count, part: whole, positionOf: () => null };
  const part = (position: StreamPosition, rowsMax: number): Statement => partOf(plan, position, rowsMax);
  const shape = shapeOf(part(null, 1));
  const positionOf: StreamSource['positionOf'] = (cells) =>
    plan.sort.map((key, index) => toKeyValue(cells[shape.keys[index] ?? -1] ?? null, key.column));
  return { isInParts: true, shape, count, part, positionOf };
}

/**
 * Returns the statement for a part of a stream. Only the first part uses the offset, because later parts
 * continue after the last record.
 */
function partOf(plan: ListPlan, position: StreamPosition, rowsMax: number): Statement {
  const cursor: CursorPlan = {
    direction: 'next',
    after: position ?? plan.cursor?.after ?? null,
    make: neverCreated,
  };
  return recordsOf(
    { ...plan, cursor, window: { ...plan.window, offset: position === null ? plan.window.offset : 0 } },
    rowsMax,
  );
}

/** Returns the statement that reads the records. For a list, it reads one row more than the limit. */
function recordsOf(plan: StreamPlan, rowsMax: number): Statement {
  const records = programOf({
    ...plan,
    window: { ...plan.window, limit: rowsMax - 1 },
  }).first.statements.find((statement) => statement.role.kind === 'records');
  return records ?? defect('a list without a statement for its records');
}

function programOf(plan: StreamPlan): StatementProgram {
  return plan.kind === 'list' ? listProgram(plan) : aggregateProgram(plan);
}

function shapeOf(statement: Statement): ResultShape {
  return statement.shape ?? { columns: [], keys: [] };
}

function neverCreated(): string {
  return defect('a cursor was requested for a stream');
}
