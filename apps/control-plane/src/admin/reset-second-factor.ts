import { runAccountChange } from './change-account.js';

/**
 * Entry point of `node dist/admin/reset-second-factor.js --email <address>`. Turns off two-factor
 * authentication for a member who lost the authenticator app and the recovery codes.
 */
runAccountChange({
  action: 'account.two_factor_off',
  failure: 'Two-factor authentication was not changed',
  async change(manager, account) {
    const [row] = await manager.query<{ two_factor_at: Date | null }[]>(
      'SELECT two_factor_at FROM account WHERE id = ?',
      [account.id],
    );
    await manager.query('UPDATE account SET two_factor_at = NULL WHERE id = ?', [account.id]);
    for (const table of ['totp_secret', 'recovery_code', 'sign_in_state'])
      await manager.query(`DELETE FROM ${table} WHERE account_id = ?`, [account.id]);
    return { was_on: (row?.two_factor_at ?? null) !== null };
  },
});
