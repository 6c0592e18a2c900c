import { runAccountChange } from './change-account.js';

/**
 * Entry point of `node dist/admin/make-operator.js --email <address> [--undo]`. Makes an existing account an
 * operator, without sending an email.
 */
runAccountChange({
  action: 'account.operator',
  failure: 'No operator was changed',
  flags: ['undo'],
  async change(manager, account, flags) {
    const isOperator = !flags.has('undo');
    await manager.query('UPDATE account SET is_operator = ? WHERE id = ?', [isOperator ? 1 : 0, account.id]);
    return { is_operator: isOperator };
  },
});
