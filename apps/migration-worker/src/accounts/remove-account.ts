import { generatePassword } from '@rowhouse/credentials';
import { quoteText, type AdminConnection } from '@rowhouse/mysql';
import type { WorkerServer } from '@rowhouse/platform-store';
import { quoteAccount } from './account-statements.js';
import type { WorkerContext } from '../worker-context.js';
import { endSessionsEverywhere, type EndedSessions } from './end-sessions.js';

/**
 * Shuts an account out at once: locked, its password scrambled, its sessions ended. It is dropped only when no view,
 * trigger or routine names it as DEFINER, since those would fail without it (1449). Safe to run again. `ended`: what
 * `shutOut` has ended before. Throws `db.unavailable` while a node does not tell whether sessions go on there.
 */
export async function removeAccount(
  ctx: Pick<WorkerContext, 'access'>,
  provisioner: AdminConnection,
  server: WorkerServer,
  schemaName: string,
  userName: string,
  ended?: EndedSessions,
): Promise<{ sessionsKilled: number; isDropped: boolean }> {
  const account = quoteAccount(userName);
  await provisioner.run(`ALTER USER IF EXISTS ${account} ACCOUNT LOCK`);
  await provisioner.run(`ALTER USER IF EXISTS ${account} IDENTIFIED BY ${quoteText(generatePassword())}`);
  const sessionsKilled = await endSessionsEverywhere(ctx, provisioner, server, userName, { reach: 'all', ...(ended === undefined ? {} : { before: ended }) });
  const isDropped = !(await isDefiner(provisioner, schemaName, userName));
  if (isDropped) await provisioner.run(`DROP USER IF EXISTS ${account}`);
  return { sessionsKilled, isDropped };
}

/** An account can be the definer of something in its own schema only. Asked without the schema, MariaDB would open every table it has. */
async function isDefiner(provisioner: AdminConnection, schemaName: string, userName: string): Promise<boolean> {
  const definer = `${userName}@%`;
  const rows = await provisioner.rows(
    `SELECT 1 FROM information_schema.VIEWS WHERE TABLE_SCHEMA = ? AND DEFINER = ?
     UNION ALL SELECT 1 FROM information_schema.TRIGGERS WHERE EVENT_OBJECT_SCHEMA = ? AND DEFINER = ?
     UNION ALL SELECT 1 FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = ? AND DEFINER = ? LIMIT 1`,
    [schemaName, definer, schemaName, definer, schemaName, definer],
  );
  return rows.length > 0;
}
