import type { ReplaceDetails } from '@rowhouse/contracts';
import { introspectSchema, quoteName } from '@rowhouse/mysql';
import type { JournalStep } from '@rowhouse/platform-store';
import { fingerprintNow, type Run } from './run-state.js';
import { sendDdl } from './send-ddl.js';
import { toStepError } from './step-error.js';

/**
 * Replaces a trigger on a server without CREATE OR REPLACE TRIGGER. The table is locked, so that no row is
 * written in between. The current state determines what remains to be done, so it is safe to run again.
 */
export async function replaceTrigger(run: Run, step: JournalStep, details: ReplaceDetails): Promise<void> {
  await run.ctx.steps.start(run.migration, step.ordinal, await fingerprintNow(run, step.table));
  try {
    const existing = await readTrigger(run, step.table, details.name);
    if (existing !== details.create)
      await swap(run, step.table, existing === null ? [details.create] : [details.drop, details.create]);
  } catch (error) {
    throw toStepError(run, step.table, step.statement, error);
  }
  await run.ctx.steps.finish(run.migration, step.ordinal, 'done', {
    strategy: 'replace',
    fingerprintAfter: await fingerprintNow(run, step.table),
  });
}

async function readTrigger(run: Run, table: string, name: string): Promise<string | null> {
  const [found] = await introspectSchema(run.connection, run.database.schemaName, run.server.engine, table);
  return found?.triggers?.find((trigger) => trigger.name === name)?.createSql ?? null;
}

async function swap(run: Run, table: string, statements: readonly string[]): Promise<void> {
  const session = await run.definer.get();
  await sendDdl(run, `LOCK TABLES ${quoteName(table)} WRITE`, [table], session);
  try {
    for (const statement of statements) {
      await session.run(statement);
      run.ctx.failPoint('in-replace-trigger');
    }
  } finally {
    if (!session.isLost()) await session.run('UNLOCK TABLES');
  }
}
