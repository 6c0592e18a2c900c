import { expect, it } from 'vitest';
import type { AdminSession } from './admin-session.js';
import { reopenRenamed } from './reopen-renamed.js';

/** Fakes a session that fails for the first `faults` statements. ENABLE KEYS always succeeds. */
function open(
  faults: number,
  message = "Unknown column 'a' in 'CHECK'",
): { session: AdminSession; sent: string[] } {
  const sent: string[] = [];
  let remaining = faults;
  const run = (sql: string): Promise<{ affectedRows: number; insertId: number }> => {
    sent.push(sql);
    if (sql.endsWith('ENABLE KEYS') || remaining === 0)
      return Promise.resolve({ affectedRows: 0, insertId: 0 });
    remaining -= 1;
    return Promise.reject(
      Object.assign(new Error(message), {
        errno: 1054,
        code: 'ER_BAD_FIELD_ERROR',
        sqlState: '42S22',
        sqlMessage: message,
      }),
    );
  };
  return { session: reopenRenamed({ run, rows: () => Promise.resolve([]) }), sent };
}

it.each([
  ['ALTER TABLE `t``x` RENAME COLUMN `a` TO `b`', '`t``x`'],
  ['alter table if exists db.t change a b int', 'db.t'],
])('reopenRenamed repeats a statement after it has closed the table: %s', async (sql, table) => {
  const { session, sent } = open(2);
  await session.run(sql);
  expect(sent).toEqual([
    sql,
    `ALTER TABLE ${table} ENABLE KEYS`,
    sql,
    `ALTER TABLE ${table} ENABLE KEYS`,
    sql,
  ]);
});

it('reopenRenamed does not repeat a statement with an unknown column outside a CHECK', async () => {
  const where = open(1, "Unknown column 'a' in 'WHERE'");
  await expect(where.session.run('ALTER TABLE t RENAME COLUMN a TO b')).rejects.toThrow(/WHERE/);
  const create = open(1);
  await expect(create.session.run('CREATE TABLE t (b int CHECK (a > 0))')).rejects.toThrow(/CHECK/);
  expect([where.sent.length, create.sent.length]).toEqual([1, 1]);
});

it("reopenRenamed reports the server's error of an ALTER that never succeeds", async () => {
  const { session, sent } = open(1_000);
  await expect(session.run('ALTER TABLE t DROP COLUMN a')).rejects.toThrow(/CHECK/);
  expect(sent.length).toBeLessThan(50);
});
