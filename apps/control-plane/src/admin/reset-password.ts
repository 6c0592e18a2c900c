import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { createAuditChain } from '@rowhouse/credentials';
import { keyMaterial, readConfig, urlSecret } from '@rowhouse/runtime';
import { z } from 'zod';
import { appendAudit } from '../audit-chain/append-audit.js';
import { hashPassword } from '../modules/auth/password-hasher.js';
import { createGlobalDataSource } from '../platform-db/data-sources.js';

/**
 * Entry of `node dist/admin/reset-password.js --email <address>`: the way in again without mail. Who can run it can
 * read the platform database anyway. Gives the account a new password, prints it once and ends the account's sessions.
 */
const resetSchema = z.object({ PLATFORM_GLOBAL_URL: urlSecret(), ROWHOUSE_MASTER_KEY: keyMaterial() });

async function resetPassword(): Promise<{ email: string; password: string }> {
  const { values } = parseArgs({ options: { email: { type: 'string' } } });
  const email = values.email?.trim().toLowerCase();
  if (email === undefined || email === '') throw new Error('give the address of the account: --email <address>');
  const config = readConfig(resetSchema);
  const db = await (await createGlobalDataSource(config.PLATFORM_GLOBAL_URL.reveal())).initialize();
  const chain = createAuditChain(Buffer.from(config.ROWHOUSE_MASTER_KEY.reveal(), 'base64url'));
  try {
    const [account] = await db.query<{ id: string }[]>('SELECT id FROM account WHERE email = ?', [email]);
    if (account === undefined) throw new Error(`there is no account with the address ${email}`);
    const password = randomBytes(15).toString('base64url');
    const passwordHash = await hashPassword(password);
    await db.transaction(async (manager) => {
      await manager.query('UPDATE account SET password_hash = ? WHERE id = ?', [passwordHash, account.id]);
      await manager.query('UPDATE session SET revoked_at = UTC_TIMESTAMP(3) WHERE account_id = ? AND revoked_at IS NULL', [account.id]);
      await appendAudit(manager, chain, { at: new Date(), organizationId: null, projectId: null, accountId: account.id, action: 'auth.password_reset', target: account.id, detail: null, address: '', requestId: '' });
    });
    return { email, password };
  } finally {
    await db.destroy();
  }
}

resetPassword().then(
  (made) => process.stdout.write(`${JSON.stringify(made)}\n`),
  (error: unknown) => {
    process.stderr.write(`The password was not changed: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
