import { generatePassword } from '@rowhouse/credentials';
import { quoteText, type AdminConnection } from '@rowhouse/mysql';
import type { WorkerServer } from '@rowhouse/platform-store';
import { quoteAccount } from './account-statements.js';
import { endSessions } from './end-sessions.js';

/**
 * Shuts an account out at once: locked, its password scrambled, its sessions ended. It is dropped only when no view,
 * trigger or routine names it as DEFINER, since those would fail without it (1449). Safe to run again.
 */
export async function removeAccount(provisioner: AdminConnection, server: WorkerServer, userName: string): Promise<{ sessionsKilled: number; isDropped: boolean }> {
  const account = quoteAccount(userName);
  await provisioner.run(`ALTER USER IF EXISTS ${account} ACCOUNT LOCK`);
  await provisioner.run(`ALTER USER IF EXISTS ${account} IDENTIFIED BY ${quoteText(generatePassword())}`);
  const sessionsKilled = await endSessions(provisioner, server, userName);
  const isDropped = !(await isDefiner(provisioner, userName));
  if (isDropped) await provisioner.run(`DROP USER IF EXISTS ${account}`);
  return { sessionsKilled, isDropped };
}

async function isDefiner(provisioner: AdminConnection, userName: string): Promise<boolean> {
  const definer = `${userName}@%`;
  const rows = await provisioner.rows(
    `SELECT 1 FROM information_schema.VIEWS WHERE DEFINER = ?
     UNION ALL SELECT 1 FROM information_schema.TRIGGERS WHERE DEFINER = ?
     UNION ALL SELECT 1 FROM information_schema.ROUTINES WHERE DEFINER = ? LIMIT 1`,
    [definer, definer, definer],
  );
  return rows.length > 0;
}
