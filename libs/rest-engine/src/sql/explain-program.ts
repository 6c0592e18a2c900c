import type { ExplainPlan } from '../plan/explain/explain-plan.js';
import { aggregateProgram } from './aggregate-program.js';
import { listProgram } from './read-program.js';
import type { ResultShape, Statement, StatementProgram } from './statement.js';

/**
 * The engine is asked how it would run the first statements; those of includes depend on what these give. The columns
 * that versions are made of are left out: the key may not see them all.
 */
export function explainProgram({ explained }: ExplainPlan): StatementProgram {
  const shape = shapeOf(explained.table.schema.engine);
  const { first } = explained.kind === 'list' ? listProgram({ ...explained, hasEtag: false }) : aggregateProgram(explained);
  // Rows in this form whatever the server's default is.
  const statements = first.statements.map((statement): Statement => ({ ...statement, role: { kind: 'explain', of: statement }, sql: `EXPLAIN FORMAT=TRADITIONAL ${statement.sql}`, shape }));
  return { transaction: 'none', first: { statements, isOrdered: true }, next: () => null };
}

export type ExplainCell = 'id' | 'select_type' | 'table' | 'partitions' | 'type' | 'possible_keys' | 'key' | 'key_len' | 'ref' | 'rows' | 'filtered' | 'Extra';

const MARIADB: readonly ExplainCell[] = ['id', 'select_type', 'table', 'type', 'possible_keys', 'key', 'key_len', 'ref', 'rows', 'Extra'];
const MYSQL: readonly ExplainCell[] = ['id', 'select_type', 'table', 'partitions', 'type', 'possible_keys', 'key', 'key_len', 'ref', 'rows', 'filtered', 'Extra'];

/** What the engine's rows hold, in order. */
export function explainCells(engine: 'mariadb' | 'mysql'): readonly ExplainCell[] {
  return engine === 'mariadb' ? MARIADB : MYSQL;
}

function shapeOf(engine: 'mariadb' | 'mysql'): ResultShape {
  const columns = explainCells(engine).map((name) => ({ name, kind: 'string', isOutput: false, column: null }) as const);
  return { columns, keys: columns.map((_, at) => at) };
}
