import { sideSchemaName } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import { quoteName, quoteText } from '@rowhouse/mysql';
import { withWritableSchema } from '../accounts/read-only-schema.js';
import { withCopySession } from '../online-ddl/rebuild/copy-session.js';
import { hasTrigger } from '../online-ddl/rebuild/prepare-shadows.js';
import { runWithShortLocks } from '../online-ddl/short-locks.js';
import type { MoveDetails } from './move-details.js';
import { listMoveTriggers } from './capture-text.js';
import { CAPTURE_PREFIX, MOVE_LEDGER, nameOf } from './move-names.js';
import { assertMayMove, type SourceRun } from './move-run.js';

export function ledgerOf(run: Pick<SourceRun, 'database'>): string {
  return nameOf({ schema: sideSchemaName(run.database.schemaName), name: MOVE_LEDGER });
}

/** Creates an empty ledger under the move's name. */
export async function makeLedger(run: SourceRun): Promise<void> {
  await dropCaptures(run);
  await run.source.run(`CREATE TABLE ${ledgerOf(run)} (
    seq bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY, table_no smallint unsigned NOT NULL,
    key_text text CHARACTER SET ascii COLLATE ascii_bin NULL, referenced text CHARACTER SET ascii COLLATE ascii_bin NULL
  ) ENGINE=InnoDB COMMENT=${quoteText(run.move.id)}`);
}

/** Records all writes to a table from here on. Triggers that exist from an earlier run stay. */
export async function makeCaptures(run: SourceRun, details: MoveDetails): Promise<void> {
  await withCopySession({ connection: run.source, server: run.from }, async () => {
    for (const table of details.tables) {
      for (const trigger of listMoveTriggers(table, ledgerOf(run))) {
        if (!(await hasTrigger(run.source, table.schema, trigger.name)))
          await sendShort(run, trigger.sql, table);
      }
    }
  });
}

/** Drops triggers first, because a trigger without its ledger would reject every write. */
export async function dropCaptures(run: SourceRun): Promise<void> {
  const schemas = [run.database.schemaName, sideSchemaName(run.database.schemaName)];
  const found = await run.source.rows<{ schema: string; name: string; table: string }>(
    `SELECT TRIGGER_SCHEMA AS \`schema\`, TRIGGER_NAME AS name, EVENT_OBJECT_TABLE AS \`table\` FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA IN (?, ?) AND TRIGGER_NAME LIKE ?`,
    [...schemas, `${CAPTURE_PREFIX.replaceAll('_', '\\_')}%`],
  );
  for (const { schema, name, table } of found)
    await sendShort(
      run,
      `DROP TRIGGER IF EXISTS ${quoteName(schema)}.${quoteName(name)}`,
      { schema, name: table },
      { mayCancel: false },
    );
  await run.source.run(`DROP TABLE IF EXISTS ${ledgerOf(run)}`);
}

/**
 * Runs DDL that never blocks other users of the table: it gets its lock between
 * their statements or is retried.
 */
async function sendShort(
  run: SourceRun,
  sql: string,
  table: { readonly schema: string; readonly name: string },
  { mayCancel = true } = {},
): Promise<void> {
  const { ctx, from, source } = run;
  if (from.capabilities === null)
    throw new AppError('db.unavailable', { internal: `server ${from.id} was not probed` });
  const watcher = await ctx.access.openProvisioner(from);
  try {
    const { capabilities } = from;
    await withWritableSchema(watcher, table.schema, () =>
      runWithShortLocks(source, sql, {
        capabilities,
        schemaName: table.schema,
        tables: [table.name],
        endHoldersAfterMs: null,
        watcher: () => Promise.resolve(watcher),
        beforeRetry: () => (mayCancel ? assertMayMove(run) : ctx.moves.assertHeld(run.move)),
      }),
    );
  } finally {
    await watcher.close();
  }
}
