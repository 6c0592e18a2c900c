import { AppError } from '@rowhouse/errors';
import { collectRows, runStatements } from '@rowhouse/mysql';
import type { TenantDatabase } from '../tenant/tenant.js';
import type { Gateway } from './gateway.js';

const OPTIONS = { mode: 'read', waitMs: 3_000, statementMsMax: 2_000 } as const;
/**
 * A session keeps the name of its schema after the schema is dropped, so the server is asked whether it
 * exists.
 */
const IS_THERE = 'SELECT COUNT(*) FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = ?';

/**
 * Checks that the database responds and exists.
 *
 * @throws AppError `db.*` (503) otherwise
 */
export async function pingDatabase(gateway: Gateway, database: TenantDatabase): Promise<void> {
  const { rowsAccount: account, server, record } = database;
  if (account === null) throw new AppError('db.provisioning', { retryAfterSeconds: 2 });
  const { rows } = await runStatements(gateway.pools, { server, account }, OPTIONS, (run) =>
    run(IS_THERE, [record.schemaName], collectRows({ bytesMax: 100 })),
  );
  if (Number(rows.rows[0]?.[0]) === 0) {
    throw new AppError('db.missing', {
      hint: "Make it again with CREATE DATABASE over an owner's connection string, then deploy its schema.",
    });
  }
}
