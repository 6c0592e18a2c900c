import { expect, it } from 'vitest';
import type { AdminConnection } from '../admin/admin-connection.js';
import { readSchemaRows } from './introspect-rows.js';

it('readSchemaRows stops at the maximum number of tables without reading further rows', async () => {
  const requests: string[] = [];
  const connection = {
    rows(sql: string) {
      requests.push(sql);
      return Promise.resolve(Array.from({ length: Number(/LIMIT (\d+)$/.exec(sql)?.[1]) }, () => ({})));
    },
  } as unknown as AdminConnection;
  await expect(readSchemaRows(connection, 'p', 'mariadb')).rejects.toMatchObject({
    code: 'schema.too_large',
  });
  expect(requests).toEqual([expect.stringMatching(/FROM information_schema\.TABLES [\s\S]* LIMIT 10001$/)]);
});
