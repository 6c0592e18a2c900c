import { describe, expect, it } from 'vitest';
import { toSessionSettings, toStatementBound, toStatementLimit } from './session-settings.js';

describe('statement time limit', () => {
  it('toStatementBound returns seconds for MariaDB, and milliseconds for MySQL', () => {
    expect(toStatementBound('mariadb', 9_876.4)).toEqual({ variable: 'max_statement_time', value: 9.877 });
    expect(toStatementBound('mysql', 9_876.4)).toEqual({ variable: 'max_execution_time', value: 9_877 });
    expect([toStatementLimit('mariadb', 60_000), toStatementLimit('mysql', 60_000)]).toEqual([
      'SET SESSION max_statement_time=60',
      'SET SESSION max_execution_time=60000',
    ]);
    expect(toSessionSettings('mysql', 10_000)).toContain('max_execution_time=10000');
  });
});
