import type { StepStrategy } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import { readServerFault } from '@rowhouse/mysql';
import { withChecksOff } from '../scratch/try-steps.js';
import { countTable } from '../tasks/plan-database.js';
import { COPY_ROWS_MAX, COPY_RUNG, isConstraintAdd, isRefusal, listRungs } from './ladder.js';
import type { Run } from './run-state.js';
import { sendDdl } from './send-ddl.js';

/** Sends an ALTER by the mildest rung that the server takes; a small table may be copied in the end. Gives what it came to. */
export async function climb(run: Run, sql: string, table: string): Promise<StepStrategy> {
  const isConstraint = isConstraintAdd(sql);
  return withChecksOff(run.connection, run.capabilities, isConstraint, async () => {
    for (const rung of listRungs(run.capabilities)) {
      if (await takes(run, table, `${sql}, ${rung.clause}`)) return isConstraint ? (/ADD CONSTRAINT `(?:[^`]|``)+` CHECK/.test(sql) ? 'add_check' : 'add_foreign_key') : rung.strategy;
    }
    const rows = await countTable(run.connection, run.database.schemaName, table);
    if (rows >= COPY_ROWS_MAX) throw new AppError('schema.needs_rebuild', { extra: { table, rows } });
    await sendDdl(run, `${sql}, ${COPY_RUNG.clause}`, [table]);
    return COPY_RUNG.strategy;
  });
}

/** False when the server refuses this rung; it refuses before it does anything. */
async function takes(run: Run, table: string, sql: string): Promise<boolean> {
  try {
    await sendDdl(run, sql, [table]);
    return true;
  } catch (error) {
    if (isRefusal(readServerFault(error)?.errno ?? 0)) return false;
    throw error;
  }
}
