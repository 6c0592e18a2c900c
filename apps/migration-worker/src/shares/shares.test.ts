import type { SharedUser } from '@rowhouse/platform-store';
import { expect, it } from 'vitest';
import { allotSessions } from './allot-sessions.js';
import { createStatementsWatch } from './at-work.js';
import { createEndedSessions } from './ended-sessions.js';
import { createHeavyOwners } from './find-heavy.js';
import type { DirectSession } from './judge-sessions.js';
import { countProcessors } from './list-sessions.js';
import { createRestrictedOwners } from './restrict-owners.js';
import { createThreadPriority, LOWERED } from './thread-priority.js';

const makeUsers = (count: number, isLimited = false): SharedUser[] =>
  Array.from({ length: count }, (_, at) => ({ id: `con_${at}`, databaseId: 'db', ownerId: 'acc', userName: `u${at}`, sessionsMax: null, isLimited, isMoving: false }));
const allot = (users: readonly SharedUser[]): number[] => [...new Set(allotSessions(users, () => 200, 20).values())];

it('the users of one organization together never get more sessions than its share', () => {
  expect([10, 11, 60, 200].map((count) => allot(makeUsers(count)))).toEqual([[20], [15], [3], [1]]);
  for (const count of [1, 7, 13, 60, 99, 150, 200]) expect(count * (allot(makeUsers(count))[0] ?? 0)).toBeLessThanOrEqual(200);
});

it('a user whose sessions were just ended gets half, and none where there are more users than sessions', () => {
  expect(allot(makeUsers(20, true))).toEqual([5]);
  expect(allot(makeUsers(201, true))).toEqual([0]);
  expect(allot(makeUsers(201))).toEqual([1]);
});

const session = (id: number, more: object = {}): DirectSession & { stateMs: number } => ({ id, connectionId: 'con', userName: 'u', databaseId: 'db', ownerId: 'acc', isIdle: false, isAtWork: true, idleMs: 0, stateMs: 0, memoryBytes: 0, tempBytes: 0, transactionMs: null, ...more });

it('sessions of an organization with several at work give way until it has been calm for a while', () => {
  let nowMs = 0;
  const heavy = createHeavyOwners(() => nowMs);
  expect(heavy.find([session(1), session(2)])).toEqual(new Set());
  expect(heavy.find([session(1), session(2), session(3), session(4, { isIdle: true, isAtWork: false }), session(5, { ownerId: 'other' })])).toEqual(new Set([1, 2, 3, 4]));
  nowMs = 9_000;
  expect([heavy.find([session(1)]), heavy.any()]).toEqual([new Set([1]), true]);
  nowMs = 10_001;
  expect([heavy.find([session(1), session(2, { stateMs: 1_500 })]), heavy.any()]).toEqual([new Set([2]), false]);
});

it('threads are lowered once, and raised when their session is calm or gone', () => {
  const set: [number, number][] = [];
  const threads = { bySession: new Map([[1, 101], [2, 102]]), all: [100, 101, 102] };
  const priority = createThreadPriority({ readProcess: () => ({ name: 'mariadbd', threads: new Set(threads.all) }), setNiceness: (tid, niceness) => void set.push([tid, niceness]) });
  priority.apply(threads, new Set([1, 2]));
  priority.apply(threads, new Set([1, 2]));
  expect(set).toEqual([[101, LOWERED], [102, LOWERED]]);
  priority.apply({ ...threads, bySession: new Map([[1, 101], [3, 102]]) }, new Set([1]));
  expect(set.slice(2)).toEqual([[102, 0]]);
});

it('no thread of another machine or program is touched', () => {
  for (const found of [null, { name: 'node', threads: new Set([101]) }, { name: 'mysqld', threads: new Set([7]) }]) {
    const set: number[] = [];
    createThreadPriority({ readProcess: () => found, setNiceness: (tid) => void set.push(tid) }).apply({ bySession: new Map([[1, 101]]), all: [101] }, new Set([1]));
    expect(set).toEqual([]);
  }
});

it('a user whose sessions are ended in a loop is recorded once a minute with their number', () => {
  let nowMs = 0;
  const ended = createEndedSessions(() => nowMs);
  const verdicts = [1, 2].map((id) => ({ session: session(id), bound: 'memory' as const, reach: 'session' as const, figure: 7, max: 5 }));
  expect(ended.add(verdicts, 'n:1')).toMatchObject([{ connectionId: 'con', bound: 'memory', detail: { reach: 'session', figure: 7, max: 5, unit: 'bytes', sessions: 2, user_name: 'u', node: 'n:1' } }]);
  nowMs = 59_000;
  expect(ended.add(verdicts, 'n:1')).toEqual([]);
  nowMs = 60_000;
  expect(ended.add(verdicts, 'n:1')).toMatchObject([{ detail: { sessions: 4 } }]);
});

it('an organization with too many statements at work for seconds keeps the oldest sessions, and has no time again after that', () => {
  let nowMs = 0;
  const watch = createStatementsWatch(() => nowMs);
  const six = [1, 2, 3, 4, 5, 6].map((id) => session(id));
  const look = (restricted = false): number[] => watch.judge([...six, session(7, { isAtWork: false }), session(8, { ownerId: 'other' })], 4, () => restricted).map((one) => one.session.id);
  expect(look()).toEqual([]);
  nowMs = 1_000;
  expect(look()).toEqual([]);
  nowMs = 3_000;
  expect(look()).toEqual([6, 5]);
  expect([look(), look(true)]).toEqual([[], [6, 5]]);
});

it('an organization that comes back is restricted for longer, and is forgiven after half an hour', () => {
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

it.each([['16', 16], ['0-1', 2], ['0-3,5', 5], ['0', 0]])('the processors in %s are counted', (text, count) => {
  expect(countProcessors(text)).toBe(count);
});
