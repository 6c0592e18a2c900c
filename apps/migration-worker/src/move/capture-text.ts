import { quoteName, quoteText } from '@rowhouse/mysql';
import { formatKey } from './key-text.js';
import type { MoveDetails, MovedTable } from './move-run.js';
import { CAPTURE_PREFIX, captureName, MOVE_LEDGER, nameOf } from './move-names.js';
import { sideSchemaName } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import { withWritableSchema } from '../accounts/stored-objects.js';
import { withCopySession } from '../online-ddl/rebuild/copy-session.js';
import { hasTrigger } from '../online-ddl/rebuild/prepare-shadows.js';
import { runWithShortLocks } from '../online-ddl/locks/short-locks.js';
import { assertMayMove, type SourceRun } from './move-run.js';

/**
 * Returns triggers that record each written row in the change ledger, in the same transaction as the write.
 * The ledger stores only the row's key, because the current row is read later. `ledger` is the qualified and
 * quoted name of the ledger table.
 */
export function listMoveTriggers(table: MovedTable, ledger: string): { name: string; sql: string }[] {
  const make = (
    event: 'd' | 'u' | 'i',
    words: string,
    body: readonly string[],
  ): { name: string; sql: string } => {
    const name = captureName(table.no, event);
    return {
      name,
      sql: `CREATE TRIGGER ${quoteName(table.schema)}.${quoteName(name)} AFTER ${words} ON ${nameOf(table)} FOR EACH ROW\nBEGIN\n${body.map((line) => `  ${line}\n`).join('')}END`,
    };
  };
  const note = (side: 'OLD' | 'NEW', referenced: string): string =>
    `INSERT INTO ${ledger} (table_no, key_text, referenced) VALUES (${table.no}, ${table.key === null ? 'NULL' : formatKey(table.key, `${side}.`)}, ${referenced});`;
  const moved = [note('OLD', formatReferenced(table, 'OLD')), note('NEW', formatReferenced(table, 'NEW'))];
  return [
    make('d', 'DELETE', [note('OLD', formatReferenced(table, 'OLD'))]),
    make(
      'u',
      'UPDATE',
      table.key === null
        ? [note('NEW', 'NULL')]
        : [
            `IF ${hasOtherKeys(table)} THEN`,
            ...moved.map((line) => `  ${line}`),
            'ELSE',
            `  ${note('NEW', 'NULL')}`,
            'END IF;',
          ],
    ),
    make('i', 'INSERT', [note('NEW', 'NULL')]),
  ];
}

/**
 * Returns an SQL expression for the columns that cascading foreign keys reference. It writes their values,
 * from before or after the write, as one text for each set of columns.
 */
function formatReferenced({ referenced }: MovedTable, side: 'OLD' | 'NEW'): string {
  return referenced.length === 0
    ? 'NULL'
    : `CONCAT_WS('|', ${referenced.map((set) => formatKey(set.columns, `${side}.`)).join(', ')})`;
}

/**
 * Returns a condition that compares the key's bytes. Collations treat some different keys as equal, but
 * cascades do not.
 */
function hasOtherKeys(table: MovedTable): string {
  const names = new Set(
    [...(table.key ?? []), ...table.referenced.flatMap((set) => set.columns)].map((column) => column.from),
  );
  const equal = [...names].map(
    (name) => `CAST(NEW.${quoteName(name)} AS BINARY) <=> CAST(OLD.${quoteName(name)} AS BINARY)`,
  );
  return `NOT (${equal.join(' AND ')})`;
}

export function ledgerOf(run: Pick<SourceRun, 'database'>): string {
  return nameOf({ schema: sideSchemaName(run.database.schemaName), name: MOVE_LEDGER });
}

/** Creates the empty ledger table of the move. */
export async function makeLedger(run: SourceRun): Promise<void> {
  await dropCaptures(run);
  await run.source.run(`CREATE TABLE ${ledgerOf(run)} (
    seq bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY, table_no smallint unsigned NOT NULL,
    key_text text CHARACTER SET ascii COLLATE ascii_bin NULL, referenced text CHARACTER SET ascii COLLATE ascii_bin NULL
  ) ENGINE=InnoDB COMMENT=${quoteText(run.move.id)}`);
}

/**
 * Creates triggers that record all writes to a table. Triggers that an earlier run created are not replaced.
 */
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

/**
 * The triggers are dropped before the ledger table. Without that table, a trigger would reject all writes.
 */
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
 * Runs DDL that does not block other users of the table. It gets its lock between their statements; otherwise
 * it is tried again.
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
