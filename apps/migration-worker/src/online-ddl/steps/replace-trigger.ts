import type { ReplaceDetails } from '@rowhouse/contracts';
import { introspectSchema, quoteName } from '@rowhouse/mysql';
import type { JournalStep } from '@rowhouse/platform-store';
import { fingerprintNow, type Run } from '../run-state.js';
import { sendDdl } from '../locks/send-ddl.js';
import { toStepError } from './run-create-step.js';
import { AppError } from '@rowhouse/errors';
import { findForbiddenStatement, withoutInvoker } from '@rowhouse/query-engine';
import { replacesView, withViewDrop } from '../../accounts/definer-account.js';

const CREATES_VIEW = /^(?:CREATE|ALTER)\b[^`'"(]*?\bVIEW\b/i;

/**
 * Replaces a trigger on a server without CREATE OR REPLACE TRIGGER. The table is locked, so that no row is
 * written while the trigger is missing. The current state of the table decides which statements remain, so
 * the function can run again.
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

/**
 * Creates or replaces a view, trigger or routine as the definer account. Rejects a body that is no longer
 * allowed, because a draft of an older version may contain one.
 *
 * @param name the view, or the table of the trigger
 * @throws AppError `schema.statement_not_allowed`
 */
export async function createAsDefiner(run: Run, sql: string, name: string): Promise<void> {
  const forbidden = CREATES_VIEW.test(sql) ? null : findForbiddenStatement(sql);
  if (forbidden !== null)
    throw new AppError('schema.statement_not_allowed', { detail: forbidden, extra: { table: name } });
  const session = await run.definer.get();
  const send = (): Promise<void> => sendDdl(run, withoutInvoker(sql), [name], session);
  if (replacesView(sql)) await withViewDrop(await run.watcher.get(), run.database.schemaName, name, send);
  else await send();
}
