import { AppError } from '@rowhouse/errors';
import { quoteText, type AdminConnection } from '@rowhouse/mysql';
import type { WorkerServer } from '@rowhouse/platform-store';
import { changeClause, quoteAccount } from '../account-statements.js';

export interface PasswordChange {
  readonly userName: string;
  readonly password: string;
  readonly keepPrevious: boolean;
}

/** Matches a stored `mysql_native_password` in the form in which MariaDB prints it in SHOW CREATE USER. */
const STORED_HASH = /'(\*[0-9A-F]{40})'/g;

/**
 * Gives an account a new password. Open sessions stay open. With `keepPrevious`, the current password also
 * stays valid, and any older one becomes invalid. `isDone` means that an interrupted run has already set the
 * new password. Setting it again would make the server keep the new password as the previous one, so the
 * earlier password would be lost.
 */
export async function rotatePassword(
  provisioner: AdminConnection,
  server: WorkerServer,
  change: PasswordChange,
  isDone: () => Promise<boolean>,
): Promise<void> {
  const account = quoteAccount(change.userName);
  const secret = quoteText(change.password);
  const kind = server.capabilities?.twoPasswords ?? 'none';
  if (change.keepPrevious && kind === 'none') {
    throw new AppError('resource.conflict', {
      detail: 'This server supports only one password per account at a time.',
      hint: 'Rotate with overlap_seconds 0, or create a second connection and revoke this one later.',
    });
  }
  if (change.keepPrevious && (await isDone())) return;
  if (kind === 'retain') {
    await provisioner.run(
      `ALTER USER ${account} IDENTIFIED BY ${secret}${change.keepPrevious ? ' RETAIN CURRENT PASSWORD' : ''}${changeClause(server)}`,
    );
    if (!change.keepPrevious) await provisioner.run(`ALTER USER ${account} DISCARD OLD PASSWORD`);
    return;
  }
  const [previous] = change.keepPrevious ? await readStoredHashes(provisioner, account) : [];
  const alternative = previous === undefined ? '' : ` OR mysql_native_password USING ${quoteText(previous)}`;
  await provisioner.run(
    `ALTER USER ${account} IDENTIFIED VIA mysql_native_password USING PASSWORD(${secret})${alternative}`,
  );
}

/** Makes the password from before the last rotation invalid. The call can be repeated. */
export async function endPreviousPassword(
  provisioner: AdminConnection,
  server: WorkerServer,
  userName: string,
): Promise<void> {
  const account = quoteAccount(userName);
  if (server.capabilities?.twoPasswords === 'retain') {
    await provisioner.run(`ALTER USER IF EXISTS ${account} DISCARD OLD PASSWORD`);
    return;
  }
  const [newest, ...others] = await readStoredHashes(provisioner, account);
  if (newest !== undefined && others.length > 0)
    await provisioner.run(
      `ALTER USER ${account} IDENTIFIED VIA mysql_native_password USING ${quoteText(newest)}`,
    );
}

/** Returns the stored password hashes, newest first. The server prints them in this order. */
async function readStoredHashes(provisioner: AdminConnection, account: string): Promise<string[]> {
  const [row] = await provisioner.rows<Record<string, string>>(`SHOW CREATE USER ${account}`);
  return [
    ...Object.values(row ?? {})
      .join(' ')
      .matchAll(STORED_HASH),
  ].map((match) => match[1] ?? '');
}
