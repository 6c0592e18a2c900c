import { AppError } from '@rowhouse/errors';
import { collectRows, runStatements } from '@rowhouse/mysql';
import type { TenantDatabase } from '../tenant/tenant.js';
import type { Gateway } from './gateway.js';

const OPTIONS = { mode: 'read', waitMs: 3_000, statementMsMax: 2_000 } as const;
/** A session keeps the name of its schema when that is dropped: whether it is there, the server says. */
const IS_THERE = 'SELECT COUNT(*) FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = ?';

/** Throws `db.*` (503) when the database does not answer, or is not there any more. */
export async function askDatabase(gateway: Gateway, database: TenantDatabase): Promise<void> {
  const { rowsAccount: account, server, record } = database;
  if (account === null) throw new AppError('db.provisioning', { retryAfterSeconds: 2 });
  const { rows } = await runStatements(gateway.pools, { server, account }, OPTIONS, (run) => run(IS_THERE, [record.schemaName], collectRows({ bytesMax: 100 })));
  if (Number(rows.rows[0]?.[0]) === 0) {
    throw new AppError('db.missing', { hint: 'Make it again with CREATE DATABASE over an owner\'s connection string, then deploy its schema.' });
  }
}
