import { toKeyValue } from '../plan/plan-cursor.js';
import type { CursorPlan, ListPlan } from '../plan/plan.js';
import { isReadInParts, type StreamPlan } from '../plan/plan-stream.js';
import type { Cell } from '../response/result-set.js';
import { aggregateProgram } from './aggregate-program.js';
import { listProgram } from './read-program.js';
import type { BoundValue, ResultShape, Statement, StatementProgram } from './statement.js';

/** The position of a stream, given as the sort key values of the last record. Null at the start. */
export type StreamPlace = readonly BoundValue[] | null;

export interface StreamSource {
  /** Whether the rows are read in several parts. If not, one statement returns all rows. */
  readonly isInParts: boolean;
  readonly shape: ResultShape;
  /** Counts the records before the first one is read. Null if no count was requested. */
  readonly count: Statement | null;
  /** Returns the statement for the next `rowsMax` records after `place`. */
  part(place: StreamPlace, rowsMax: number): Statement;
  /** Returns the position of a record from its cells. */
  placeOf(cells: readonly Cell[]): StreamPlace;
}

/** Returns the statements of a streamed list. */
export function createStreamSource(plan: StreamPlan): StreamSource {
  const count = programOf(plan).first.statements.find((statement) => statement.role.kind === 'count') ?? null;
  const whole = (_place: StreamPlace, rowsMax: number): Statement => recordsOf(plan, rowsMax);
  if (!isReadInParts(plan)) return { isInParts: false, shape: shapeOf(whole(null, 1)), count, part: whole, placeOf: () => null };
  const part = (place: StreamPlace, rowsMax: number): Statement => partOf(plan, place, rowsMax);
  const shape = shapeOf(part(null, 1));
  const placeOf: StreamSource['placeOf'] = (cells) => plan.sort.map((key, at) => toKeyValue(cells[shape.keys[at] ?? -1] ?? null, key.column));
  return { isInParts: true, shape, count, part, placeOf };
}

/** Only the first part uses the offset. Later parts continue after the last record. */
function partOf(plan: ListPlan, place: StreamPlace, rowsMax: number): Statement {
  const cursor: CursorPlan = { direction: 'next', after: place ?? plan.cursor?.after ?? null, make: neverMade };
  return recordsOf({ ...plan, cursor, window: { ...plan.window, offset: place === null ? plan.window.offset : 0 } }, rowsMax);
}

/** Returns the statement of the records. A list reads one row beyond its limit. */
function recordsOf(plan: StreamPlan, rowsMax: number): Statement {
  const records = programOf({ ...plan, window: { ...plan.window, limit: rowsMax - 1 } }).first.statements.find((statement) => statement.role.kind === 'records');
  if (records === undefined) throw new Error('a list has a statement');
  return records;
}

function programOf(plan: StreamPlan): StatementProgram {
  return plan.kind === 'list' ? listProgram(plan) : aggregateProgram(plan);
}

function shapeOf(statement: Statement): ResultShape {
  return statement.shape ?? { columns: [], keys: [] };
}

function neverMade(): string {
  throw new Error('streams have no cursors to give');
}
