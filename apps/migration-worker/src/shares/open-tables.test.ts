import type { AdminConnection } from '@rowhouse/mysql';
import type { SharedUser } from '@rowhouse/platform-store';
import { expect, it } from 'vitest';
import type { DirectSession } from './judge-sessions.js';
import type { ListedSession } from './list-sessions.js';
import { createTableMemoryWatch, findTableHolder, type TableMemoryInput } from './open-tables.js';

const table = (schemaName: string, inUse: number, name = 't') => ({ schemaName, name, inUse });

it('the schema whose open tables use the most memory counts as the holder of table memory', () => {
  const open = [table('a', 60), table('b', 50), table('b', 20, 'u'), table('c', 0)];
  expect(findTableHolder(open, () => 1)).toBe('b');
  expect(findTableHolder(open, ({ schemaName }) => (schemaName === 'a' ? 3 : 1))).toBe('a');
  expect(findTableHolder([table('a', 9)], () => 1)).toBeNull();
});

/** Returns a session of the user that has been opening tables, or running, for one second. */
const late = (id: number, user: string, isOpeningTables = true): ListedSession =>
  ({ id, user, isOpeningTables, isIdle: false, stateMs: 1_000 }) as ListedSession;

it.each(['p'.padEnd(16, 'x') + 'q', 'p'.padEnd(16, 'x') + 'm', 'p'.padEnd(16, 'x') + 'd', 'x'.repeat(21)])(
  'a statement of %s that opens too many tables is ended even without a direct session',
  async (user) => {
    const log: string[] = [];
    const watch = createTableMemoryWatch();
    const check = (bytes: number, session: ListedSession) =>
      watch.check(fakeInput(log, { bytes, listed: [session] }));
    await check(10, late(7, user));
    await check(11, { ...late(7, user), stateMs: 400 });
    expect(log).toEqual([]);
    expect(watch.isUrgent()).toBe(true);
    await check(11, late(7, user));
    expect(log).toContain('KILL QUERY 7');
  },
);

it('the statements of a gateway are ended when its database holds the most table memory', async () => {
  const log: string[] = [];
  const holder = 'p'.padEnd(16, 'x');
  const listed = [late(7, `${holder}r`, false), late(8, `${holder}m`, false), late(9, `p${'y'.repeat(15)}r`)];
  const input = {
    listed: listed.slice(0, 2),
    open: [
      { Database: holder, Table: 'wide', In_use: 3 },
      { Database: 'c', Table: 't', In_use: 60 },
    ],
    weights: [{ owner: holder, name: 'wide', characters: 400_000 }],
  };
  await createTableMemoryWatch().check(fakeInput(log, { bytes: 11, ...input }));
  expect(log).toEqual(['KILL QUERY 7', `FLUSH LOCAL TABLES \`${holder}\`.\`wide\``]);
});

it('cached tables that use much memory are closed every two seconds, whoever used them', async () => {
  const log: string[] = [];
  let nowMs = 0;
  const holder = 'p'.padEnd(16, 'x');
  const input = fakeInput(log, {
    bytes: 11,
    open: [
      { Database: holder, Table: 'wide', In_use: 0 },
      { Database: 'p'.padEnd(16, 'y'), Table: 't', In_use: 0 },
    ],
    weights: [{ owner: holder, name: 'wide', characters: 40_000 }],
  });
  const watch = createTableMemoryWatch(() => nowMs);
  for (nowMs = 0; nowMs < 4_000; nowMs += 250) await watch.check(input);
  const closing = `FLUSH LOCAL TABLES \`${holder}\`.\`wide\``;
  expect(log).toEqual([closing, closing]);
});

it('checking open tables delays the watch by about a second, for any number of databases', async () => {
  const log: string[] = [];
  let nowMs = 0;
  const names = Array.from({ length: 20 }, (_, index) => `s${index}`);
  const input = fakeInput(log, {
    bytes: 11,
    open: names.map((name) => ({ Database: name, Table: 't', In_use: 1 })),
    direct: names.map((name) => ({ id: 1, userName: name }) as DirectSession),
    users: names.map((name) => [name, { userName: name, schemaName: name } as SharedUser] as const),
    onFlush: () => void (nowMs += 1_000),
  });
  const watch = createTableMemoryWatch(() => nowMs);
  await watch.check(input);
  expect(nowMs).toBe(2_000);
  for (let check = 0; check < 9; check += 1) await watch.check(input);
  expect(new Set(log.filter((sql) => sql.startsWith('FLUSH')))).toHaveProperty('size', 20);
});

interface Faked {
  readonly bytes: number;
  readonly listed?: readonly ListedSession[];
  readonly direct?: readonly DirectSession[];
  readonly users?: readonly (readonly [string, SharedUser])[];
  readonly open?: readonly { Database: string; Table: string; In_use: number }[];
  readonly weights?: readonly { owner: string; name: string; characters: number }[];
  readonly onFlush?: () => void;
}

/** Returns the input of a check on MySQL with a limit of 10 bytes. Statements are added to `log`. */
function fakeInput(log: string[], faked: Faked): TableMemoryInput {
  const { bytes, listed = [], direct = [], users = [], open = [], weights = [], onFlush } = faked;
  const provisioner = {
    rows: (sql: string) => Promise.resolve(sql === 'SHOW OPEN TABLES' ? open : weights),
    run: (sql: string) => {
      if (!sql.startsWith('SET')) log.push(sql);
      if (sql.startsWith('FLUSH')) onFlush?.();
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
  } as unknown as AdminConnection;
  return {
    engine: 'mysql',
    direct,
    listed,
    users: new Map(users),
    bytes,
    max: 10,
    openProvisioner: () => Promise.resolve(provisioner),
    end: async (verdicts) => {
      for (const { session, bound, reach, figure, max } of verdicts)
        log.push(`end ${session.id}: ${bound} of the ${reach}, ${figure} of ${max}`);
    },
  };
}

it('sessions of the schema that holds most table memory are ended before its tables are closed', async () => {
  const log: string[] = [];
  let nowMs = 0;
  const watch = createTableMemoryWatch(() => nowMs);
  const check = (bytes: number, ...opening: number[]) =>
    watch.check(
      fakeInput(log, {
        bytes,
        open: [
          { Database: 'a', Table: 't', In_use: 60 },
          { Database: 'b', Table: 'u`', In_use: 0 },
        ],
        direct: [
          { id: 1, userName: 'a' },
          { id: 2, userName: 'b' },
        ] as DirectSession[],
        users: ['a', 'b'].map((name) => [name, { userName: name, schemaName: name } as SharedUser] as const),
        listed: opening.map((id) => late(id, id > 8 ? `p${'x'.repeat(15)}q` : 'b')),
      }),
    );
  await check(10);
  expect(log).toEqual([]);
  await check(11);
  const end = (id: number): string => `end ${id}: memory of the database, 11 of 10`;
  expect(log).toEqual([end(1), 'FLUSH LOCAL TABLES `a`.`t`', 'FLUSH LOCAL TABLES `b`.`u```']);
  await check(11);
  expect(log.slice(3)).toEqual([end(1), 'FLUSH LOCAL TABLES `a`.`t`']);
  await check(11, 2);
  expect(log.slice(5)).toEqual([end(2), 'FLUSH LOCAL TABLES `b`.`u```']);
  await check(11, 9);
  expect(log.slice(7)).toEqual(['KILL QUERY 9']);
  nowMs = 60_000;
  await check(11);
  expect(log.slice(8)).toHaveLength(3);
});
