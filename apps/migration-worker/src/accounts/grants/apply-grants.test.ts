import type { AdminConnection } from '@rowhouse/mysql';
import { describe, expect, it } from 'vitest';
import { planGrants } from './apply-grants.js';

/**
 * Simulates a server that has granted SELECT on `tables` and on `columns`, which
 * are written as `table.column`.
 */
function serverWith({
  tables = [],
  columns = [],
  onSchema = false,
}: {
  tables?: readonly string[];
  columns?: readonly string[];
  onSchema?: boolean;
}): AdminConnection {
  const answers: Record<string, unknown[]> = {
    SCHEMA_PRIVILEGES: onSchema ? [{ TABLE_SCHEMA: 'shop' }] : [],
    TABLE_PRIVILEGES: tables.map((table) => ({ TABLE_NAME: table })),
    COLUMN_PRIVILEGES: columns.map((name) => ({
      TABLE_NAME: name.split('.')[0],
      COLUMN_NAME: name.split('.')[1],
    })),
  };
  return {
    rows: (sql: string) => Promise.resolve(answers[/information_schema\.(\w+)/.exec(sql)?.[1] ?? ''] ?? []),
  } as unknown as AdminConnection;
}

const plan = (present: Parameters<typeof serverWith>[0], expected: Parameters<typeof planGrants>[4]) =>
  planGrants(serverWith(present), 'shop', 'q1', 'SELECT', expected);

describe('the grants of an account', () => {
  it('applyGrants restores column grants immediately after it revokes their table grant', async () => {
    const { missing, extra } = await plan(
      { tables: ['orders'] },
      { kind: 'tables', tables: new Map([['orders', ['id', 'total']]]) },
    );
    expect(missing).toEqual(["GRANT SELECT (`id`, `total`) ON `shop`.`orders` TO 'q1'@'%'"]);
    expect(extra).toEqual([
      "REVOKE SELECT ON `shop`.`orders` FROM 'q1'@'%'",
      "GRANT SELECT (`id`, `total`) ON `shop`.`orders` TO 'q1'@'%'",
    ]);
  });

  it('applyGrants revokes single columns without affecting the others', async () => {
    const { missing, extra } = await plan(
      { columns: ['orders.id', 'orders.total'] },
      { kind: 'tables', tables: new Map([['orders', ['id']]]) },
    );
    expect([missing, extra]).toEqual([[], ["REVOKE SELECT (`total`) ON `shop`.`orders` FROM 'q1'@'%'"]]);
  });

  it('applyGrants reports a grant on the schema, because open sessions do not get it', async () => {
    const { missing, grantsSchema } = await plan({ columns: ['orders.id'] }, { kind: 'schema' });
    expect([missing, grantsSchema]).toEqual([["GRANT SELECT ON `shop`.* TO 'q1'@'%'"], true]);
    expect((await plan({ onSchema: true }, { kind: 'schema' })).grantsSchema).toBe(false);
  });
});
