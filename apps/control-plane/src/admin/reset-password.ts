import { randomBytes } from 'node:crypto';
import { hashPassword } from '../modules/auth/password-hasher.js';
import { runAccountChange } from './change-account.js';

/**
 * Entry point of `node dist/admin/reset-password.js --email <address>`. Sets a new password without sending
 * an email, prints it once, and ends the account's sessions, passkeys and personal access tokens.
 */
runAccountChange({
  action: 'auth.password_reset',
  failure: 'The password was not changed',
  async change(manager, account) {
    const password = randomBytes(15).toString('base64url');
    await manager.query('UPDATE account SET password_hash = ? WHERE id = ?', [
      await hashPassword(password),
      account.id,
    ]);
    await manager.query(
      'UPDATE session SET revoked_at = UTC_TIMESTAMP(3) WHERE account_id = ? AND revoked_at IS NULL',
      [account.id],
    );
    await manager.query(
      'UPDATE personal_access_token SET revoked_at = UTC_TIMESTAMP(3) WHERE account_id = ? AND revoked_at IS NULL',
      [account.id],
    );
    await manager.query('DELETE FROM passkey WHERE account_id = ?', [account.id]);
    return { password };
  },
});
