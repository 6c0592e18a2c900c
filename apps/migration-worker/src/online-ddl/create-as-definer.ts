import { AppError } from '@rowhouse/errors';
import { findForbiddenStatement, withoutInvoker } from '@rowhouse/query-engine';
import { replacesView, withViewDrop } from '../accounts/definer-account.js';
import type { Run } from './run-state.js';
import { sendDdl } from './send-ddl.js';

const CREATES_VIEW = /^(?:CREATE|ALTER)\b[^`'"(]*?\bVIEW\b/i;

/**
 * Creates or replaces a view, trigger or routine as the definer account. A draft of an older version may
 * contain a body that is rejected today.
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
