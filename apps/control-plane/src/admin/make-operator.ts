import { runAccountChange } from './change-account.js';

/** Entry of `node dist/admin/make-operator.js --email <address> [--undo]`: an operator without mail. The account has to be there. */
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
