import { expect, it } from 'vitest';
import type { AdminSession } from './admin-session.js';
import { adviseServer } from './advise-server.js';

interface ServerSettings {
  readonly variables: Readonly<Record<string, string>>;
  readonly engines: readonly string[];
  /** The largest sort buffer that the server allows, in bytes. Null without a maximum. */
  readonly maximum: number | null;
}

/** Fakes the variables and results that `adviseServer` reads from a server. */
function openReported({
  variables,
  engines,
  maximum,
}: ServerSettings): AdminSession & { readonly sent: string[] } {
  const sent: string[] = [];
  let bytes = 262_144;
  return {
    sent,
    rows: async <T>(sql: string): Promise<T[]> => {
      const rows = sql.startsWith('SHOW')
        ? Object.entries(variables).map(([name, value]) => ({ Variable_name: name, Value: value }))
        : sql.includes('ENGINES')
          ? engines.map((name) => ({ name }))
          : [{ bytes }];
      return rows as T[];
    },
    run: async (sql) => {
      sent.push(sql);
      const expected = Number(sql.split(' = ')[1]);
      if (!Number.isNaN(expected)) bytes = Math.min(expected, maximum ?? expected);
      return { affectedRows: 0, insertId: 0 };
    },
  };
}

it('adviseServer returns no advice for a server that the launcher started', async () => {
  expect(
    await adviseServer(
      openReported({
        variables: {
          enforce_storage_engine: 'InnoDB',
          innodb_file_per_table: 'ON',
          performance_schema: 'ON',
          performance_schema_users_size: '0',
          max_prepared_stmt_count: '1048576',
        },
        engines: ['InnoDB', 'MyISAM', 'Aria', 'SEQUENCE'],
        maximum: 2 ** 26,
      }),
    ),
  ).toEqual([]);
  expect(
    await adviseServer(
      openReported({
        variables: {
          disabled_storage_engines: 'MEMORY, MyISAM',
          innodb_file_per_table: 'ON',
          performance_schema: 'OFF',
          performance_schema_users_size: '-1',
        },
        engines: ['InnoDB', 'MyISAM', 'MEMORY', 'PERFORMANCE_SCHEMA'],
        maximum: 2 ** 26,
      }),
    ),
  ).toEqual([]);
});

it('adviseServer names each unsafe setting with its fix', async () => {
  const session = openReported({
    variables: {
      enforce_storage_engine: '',
      innodb_file_per_table: 'OFF',
      performance_schema: 'ON',
      performance_schema_users_size: '-1',
      xa_detach_on_prepare: 'ON',
      max_prepared_stmt_count: '16382',
    },
    engines: ['MyISAM', 'InnoDB', 'Aria'],
    maximum: null,
  });
  expect(await adviseServer(session)).toEqual([
    expect.stringMatching(/tables with Aria, MyISAM\. .*\. Set enforce_storage_engine=InnoDB\.$/),
    expect.stringContaining('Set innodb_file_per_table=ON'),
    expect.stringContaining('performance-schema settings of infra/mysql/rowhouse.cnf'),
    expect.stringContaining('Set xa_detach_on_prepare=OFF'),
    expect.stringContaining('Set max_prepared_stmt_count=1048576'),
    expect.stringContaining('maximum-sort-buffer-size=64M'),
  ]);
  expect(session.sent.at(-1)).toBe('SET SESSION sort_buffer_size = DEFAULT');
  const [first] = await adviseServer(
    openReported({
      variables: { disabled_storage_engines: '' },
      engines: ['InnoDB', 'MyISAM', 'CSV'],
      maximum: 1,
    }),
  );
  expect(first).toMatch(/Set disabled_storage_engines=CSV,MyISAM\.$/);
});
