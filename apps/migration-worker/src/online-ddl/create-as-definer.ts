import { replacesView, withViewDrop } from '../accounts/definer-account.js';
import type { Run } from './run-state.js';
import { sendDdl } from './send-ddl.js';

/**
 * Creates or replaces a view, trigger or routine in the name of the definer account.
 *
 * @param name the view, or the table of the trigger
 */
export async function createAsDefiner(run: Run, sql: string, name: string): Promise<void> {
  const session = await run.definer.get();
  const send = (): Promise<void> => sendDdl(run, sql, [name], session);
  if (replacesView(sql)) await withViewDrop(await run.watcher.get(), run.database.schemaName, name, send);
  else await send();
}
