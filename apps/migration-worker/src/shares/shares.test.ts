import type { SharedUser } from '@rowhouse/platform-store';
import { expect, it } from 'vitest';
import { IDLE_SESSION } from '../testing/idle-session.js';
import { createStatementsWatch } from './at-work.js';
import { createEndedSessions } from './ended-sessions.js';
import { createHeavyOwners } from './suspect-sessions.js';
import type { DirectSession } from './judge-sessions.js';
import { countProcessors } from './list-sessions.js';
import { createRestrictedOwners, allotSessions } from './watch-shares.js';
import { createThreadPriority, LOWERED } from './thread-priority.js';
import { findOrphans } from './find-orphans.js';
import { LINUX, toServerName, type ServerProcess, type ThreadSystem } from './thread-system.js';

const makeUsers = (count: number, isLimited = false): SharedUser[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `con_${index}`,
    databaseId: 'db',
    schemaName: 'p',
    ownerId: 'acc',
    userName: `u${index}`,
    sessionsMax: null,
    isLimited,
    isMoving: false,
  }));
const allot = (users: readonly SharedUser[]): number[] => [
  ...new Set(allotSessions(users, () => 200, 20).values()),
];

it('all users of one organization together never get more sessions than its share', () => {
  expect([10, 11, 60, 200].map((count) => allot(makeUsers(count)))).toEqual([[20], [15], [3], [1]]);
  for (const count of [1, 7, 13, 60, 99, 150, 200])
    expect(count * (allot(makeUsers(count))[0] ?? 0)).toBeLessThanOrEqual(200);
});

it('a user whose sessions were just ended gets half the session limit', () => {
  expect(allot(makeUsers(20, true))).toEqual([5]);
  expect(allot(makeUsers(201, true))).toEqual([0]);
  expect(allot(makeUsers(201))).toEqual([1]);
});

const session = (id: number, more: object = {}): DirectSession & { stateMs: number } => ({
  ...IDLE_SESSION,
  id,
  isIdle: false,
  isAtWork: true,
  stateMs: 0,
  ...more,
});

it('sessions of an organization with several active ones get a lower priority until they are idle', () => {
  let nowMs = 0;
  const heavy = createHeavyOwners(() => nowMs);
  expect(heavy.find([session(1), session(2)])).toEqual(new Set());
  expect(
    heavy.find([
      session(1),
      session(2),
      session(3),
      session(4, { isIdle: true, isAtWork: false }),
      session(5, { ownerId: 'other' }),
    ]),
  ).toEqual(new Set([1, 2, 3, 4]));
  nowMs = 9_000;
  expect([heavy.find([session(1)]), heavy.any()]).toEqual([new Set([1]), true]);
  nowMs = 10_001;
  expect([heavy.find([session(1), session(2, { stateMs: 1_500 })]), heavy.any()]).toEqual([
    new Set([2]),
    false,
  ]);
});

/** Fakes a system with four processors and records the calls. */
function makeSystem(
  all: readonly number[],
  more: Partial<ThreadSystem & ServerProcess> = {},
): { system: ThreadSystem; asked: unknown[] } {
  const requests: unknown[] = [];
  return {
    asked: requests,
    system: {
      findServer: () => ({
        name: more.name ?? 'mariadbd',
        threads: more.threads ?? new Set(all),
        processors: more.processors ?? [0, 1, 2, 3],
      }),
      setNiceness: (tid, niceness) => void requests.push([tid, niceness]),
      setProcessors: (tids, processors) =>
        Promise.resolve(requests.push([tids, processors])).then(() => true),
      ...more,
    },
  };
}
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('busy threads get a lower priority once, until their session is idle or gone', async () => {
  const threads = {
    bySession: new Map([
      [1, 101],
      [2, 102],
    ]),
    all: [100, 101, 102],
  };
  const { system, asked: requests } = makeSystem([...threads.all, 103]);
  const priority = createThreadPriority(system);
  for (const changed of [true, false]) {
    priority.apply(threads, new Set([1, 2]), true);
    await settle();
    expect([priority.isInForce(), priority.hasChanged()]).toEqual([true, changed]);
  }
  expect(requests.splice(0)).toEqual([
    [101, LOWERED],
    [102, LOWERED],
    [
      [101, 102],
      [2, 3],
    ],
  ]);
  priority.apply(
    {
      ...threads,
      bySession: new Map([
        [1, 101],
        [3, 102],
      ]),
    },
    new Set([1]),
    true,
  );
  await settle();
  expect(requests.splice(0)).toEqual([
    [102, 0],
    [[102], [0, 1, 2, 3]],
  ]);
  // The server's own thread 103 was started by a thread that is limited to some processors, and it inherits
  // this limit.
  priority.apply({ ...threads, all: [...threads.all, 103] }, new Set(), true);
  await settle();
  expect(requests).toEqual([
    [101, 0],
    [
      [103, 101],
      [0, 1, 2, 3],
    ],
  ]);
});

it.each([
  ['the server may use one processor', { processors: [3] }, true],
  ['the organization has the server to itself', {}, false],
])('busy threads get a lower priority but keep all processors when %s', async (_when, more, isConfined) => {
  const { system, asked: requests } = makeSystem([101], more);
  createThreadPriority(system).apply(
    { bySession: new Map([[1, 101]]), all: [101] },
    new Set([1]),
    isConfined,
  );
  await settle();
  expect(requests).toEqual([[101, LOWERED]]);
});

it('busy threads only get a lower priority when the machine cannot confine them to processors', async () => {
  let calls = 0;
  const { system, asked: requests } = makeSystem([101, 102], {
    setProcessors: () => Promise.resolve((calls += 1)).then(() => false),
  });
  const priority = createThreadPriority(system);
  for (const id of [1, 2]) {
    priority.apply({ bySession: new Map([[id, 100 + id]]), all: [101, 102] }, new Set([id]), true);
    await settle();
  }
  expect([requests, calls, priority.isInForce()]).toEqual([
    [
      [101, LOWERED],
      [101, 0],
      [102, LOWERED],
    ],
    1,
    true,
  ]);
});

it.each<[string, Partial<ThreadSystem & ServerProcess>]>([
  ['another machine', { findServer: () => null }],
  ['another program', { name: 'node' }],
  ['another server', { name: 'mysqld', threads: new Set([7]) }],
])('createThreadPriority changes no thread priority of %s', async (_whose, more) => {
  const { system, asked: requests } = makeSystem([101], more);
  const priority = createThreadPriority(system);
  priority.apply({ bySession: new Map([[1, 101]]), all: [101] }, new Set([1]), true);
  await settle();
  expect([requests, priority.isInForce()]).toEqual([[], false]);
});

it('a server process that was started by its own loader is recognized by its command line', () => {
  const line = (...args: string[]): string => args.map((arg) => `${arg}\0`).join('');
  expect(
    toServerName(
      'ld-linux-x86-64',
      line(
        '/x/ld-linux-x86-64.so.2',
        '--library-path',
        '/x',
        '--argv0',
        'mysqld',
        '/x/usr/sbin/mysqld',
        '--port=1',
      ),
    ),
  ).toBe('mysqld');
  expect(toServerName('ld-linux-x86-64', line('/x/ld-linux-x86-64.so.2', '/usr/bin/vi'))).toBe(
    'ld-linux-x86-64',
  );
  expect(toServerName('node', line('node', 'mysqld'))).toBe('node');
});

it('statements that continue after their caller got an error get a lower priority', () => {
  const session = {
    id: 1,
    user: 'pabcdefghijklmnoq',
    client: '',
    isIdle: false,
    isKilled: false,
    isWaiting: false,
    isOpeningTables: false,
    isBuildingIndexes: false,
    stateMs: 12_000,
    stateKey: null,
    memoryBytes: 0,
    keptBytes: 0,
  };
  const revoked = { ...session, id: 2, user: `u${'a'.repeat(20)}` };
  const ofWorkers = [
    { ...session, id: 3, user: 'pabcdefghijklmnor' },
    { ...session, id: 4, user: 'pabcdefghijklmnod' },
    { ...session, id: 5, user: `x${'a'.repeat(20)}` },
    { ...session, id: 6, user: 'pabcdefghijklmnom', stateMs: 60_000 },
  ];
  const others = [
    { ...session, stateMs: 11_000 },
    { ...session, isIdle: true },
    { ...session, isWaiting: true },
    { ...session, user: 'pabcdefghijklmnom' },
    { ...session, user: `u${'b'.repeat(20)}` },
  ];
  const found = findOrphans(
    [session, revoked, ...ofWorkers, ...others],
    (user) => user === `u${'b'.repeat(20)}`,
  );
  expect(found).toEqual([1, 2, 3, 4, 5, 6]);
});

it('isInForce() returns false when the system rejects a change of priority', () => {
  const { system } = makeSystem([101], {
    setNiceness: () => {
      throw new Error('EACCES');
    },
  });
  const priority = createThreadPriority(system);
  priority.apply({ bySession: new Map([[1, 101]]), all: [101] }, new Set([1]), true);
  expect(priority.isInForce()).toBe(false);
});

it.runIf(process.platform === 'linux')(
  'the system calls confine a thread of this process to one processor and release it again',
  async () => {
    const ownTid = process.pid;
    const read = (): readonly number[] => LINUX.findServer([ownTid])?.processors ?? [];
    const all = read();
    expect(LINUX.findServer([ownTid])?.threads.has(ownTid)).toBe(true);
    if (!(await LINUX.setProcessors([ownTid], all.slice(-1)))) return;
    expect(read()).toEqual(all.slice(-1));
    await LINUX.setProcessors([ownTid, 2 ** 22], all);
    expect(read()).toEqual(all);
  },
);

it('a user whose sessions are ended repeatedly is recorded once a minute with the number', () => {
  let nowMs = 0;
  const ended = createEndedSessions(() => nowMs);
  const verdicts = [1, 2].map((id) => ({
    session: session(id),
    bound: 'memory' as const,
    reach: 'session' as const,
    figure: 7,
    max: 5,
  }));
  expect(ended.add(verdicts, 'n:1')).toMatchObject([
    {
      connectionId: 'con',
      bound: 'memory',
      detail: {
        reach: 'session',
        figure: 7,
        max: 5,
        unit: 'bytes',
        sessions: 2,
        user_name: 'u',
        node: 'n:1',
      },
    },
  ]);
  nowMs = 59_000;
  expect(ended.add(verdicts, 'n:1')).toEqual([]);
  nowMs = 60_000;
  expect(ended.add(verdicts, 'n:1')).toMatchObject([{ detail: { sessions: 4 } }]);
});

it('an organization with too many running statements for seconds keeps only its oldest sessions', () => {
  let nowMs = 0;
  const watch = createStatementsWatch(() => nowMs);
  const six = [1, 2, 3, 4, 5, 6].map((id) => session(id));
  const check = (restricted = false): number[] =>
    watch
      .judge([...six, session(7, { isAtWork: false }), session(8, { ownerId: 'other' })], 4, () => restricted)
      .map((verdict) => verdict.session.id);
  expect(check()).toEqual([]);
  nowMs = 1_000;
  expect(check()).toEqual([]);
  nowMs = 3_000;
  expect(check()).toEqual([6, 5]);
  expect([check(), check(true)]).toEqual([[], [6, 5]]);
});

it('a repeated restriction of an organization is longer, until half an hour has passed', () => {
  let nowMs = 0;
  const owners = createRestrictedOwners(() => nowMs);
  expect([owners.restrict('acc'), owners.has('acc'), owners.has('other')]).toEqual([120_000, true, false]);
  nowMs = 120_000;
  expect([owners.has('acc'), owners.restrict('acc')]).toEqual([false, 360_000]);
  nowMs = 220_000;
  expect(owners.restrict('acc')).toBe(260_000);
  nowMs = 480_000 + 31 * 60_000;
  expect(owners.restrict('acc')).toBe(120_000);
});

it.each([
  ['16', 16],
  ['0-1', 2],
  ['0-3,5', 5],
  ['0', 0],
])('the number of processors in the list %s is counted', (text, count) => {
  expect(countProcessors(text)).toBe(count);
});
