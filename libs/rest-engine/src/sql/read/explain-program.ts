import type { ExplainPlan } from '../../plan/plan.js';
import { aggregateProgram } from './aggregate-program.js';
import { listProgram } from './read-program.js';
import type { ResultShape, Statement, StatementProgram } from '../statement.js';

/**
 * Returns EXPLAIN statements for the first statements of a request. The statements of includes are not
 * explained, because they depend on results of the first statements. The columns of record versions are
 * omitted, because the API key may not see all of them.
 */
export function explainProgram({ explained }: ExplainPlan): StatementProgram {
  const shape = shapeOf(explained.table.schema.engine);
  const { first } =
    explained.kind === 'list' ? listProgram({ ...explained, hasEtag: false }) : aggregateProgram(explained);
  // Requests the plan as rows, whatever the server's default format is.
  const statements = first.statements.map((statement): Statement => ({
    ...statement,
    role: { kind: 'explain', of: statement },
    sql: `EXPLAIN FORMAT=TRADITIONAL ${statement.sql}`,
    shape,
  }));
  return { transaction: 'none', first: { statements, isOrdered: true }, next: () => null };
}

const MYSQL = [
  'id',
  'select_type',
  'table',
  'partitions',
  'type',
  'possible_keys',
  'key',
  'key_len',
  'ref',
  'rows',
  'filtered',
  'Extra',
] as const;

export type ExplainCell = (typeof MYSQL)[number];

const MARIADB = MYSQL.filter((name) => name !== 'partitions' && name !== 'filtered');

/** Returns the columns that EXPLAIN returns, in order. */
export function explainCells(engine: 'mariadb' | 'mysql'): readonly ExplainCell[] {
  return engine === 'mariadb' ? MARIADB : MYSQL;
}

function shapeOf(engine: 'mariadb' | 'mysql'): ResultShape {
  const columns = explainCells(engine).map(
    (name) => ({ name, kind: 'string', isOutput: false, column: null }) as const,
  );
  return { columns, keys: columns.map((_, index) => index) };
}
