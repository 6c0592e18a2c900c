import { expect, it } from 'vitest';
import { IDLE_SESSION } from '../testing/idle-session.js';
import { toBounds } from './bounds.js';
import { findLevel, judgeSessions, type DirectSession } from './judge-sessions.js';

const MIB = 2 ** 20;
const SETTINGS = {
  memoryMb: 4_096,
  tempDiskMb: 8_192,
  idleTransactionSeconds: 600,
  transactionSeconds: 3_600,
  statementsPerProcessor: 2,
};
/** With these values, the server accepts 500 sessions, of which an owner may have 200 and a database 100. */
const BOUNDS = toBounds(SETTINGS, {
  connectionsMax: 2_000,
  processors: 2,
  gatewaysMax: 400,
  directMax: null,
});

let lastId = 0;
function open(ownerId: string, count: number, more: Partial<DirectSession> = {}): DirectSession[] {
  return Array.from({ length: count }, (_, index) => ({
    ...IDLE_SESSION,
    id: (lastId += 1),
    connectionId: `con_${ownerId}`,
    databaseId: `db_${ownerId}_${index % 10}`,
    ownerId,
    ...more,
  }));
}
const ended = (sessions: readonly DirectSession[]): unknown[] =>
  judgeSessions(sessions, BOUNDS).map(({ session, bound, reach, figure, max }) => [
    session.id,
    bound,
    reach,
    figure,
    max,
  ]);

it('judgeSessions keeps sessions that are within every limit', () => {
  expect(BOUNDS.sessions).toEqual({ server: 500, owner: 200, database: 100, single: 20 });
  expect(ended([...open('a', 200), ...open('b', 200), ...open('c', 100)])).toEqual([]);
});

it('the newest sessions beyond the share of a database and of an organization are ended', () => {
  const ofOne = open('a', 102, { databaseId: 'db' });
  expect(ended(ofOne)).toEqual([
    [ofOne[101]?.id, 'connections', 'database', 102, 100],
    [ofOne[100]?.id, 'connections', 'database', 102, 100],
  ]);
  const many = open('b', 201);
  expect(ended([...many].reverse())).toEqual([[many[200]?.id, 'connections', 'organization', 201, 200]]);
});

it('on a full server, sessions of the organizations with the most sessions are ended', () => {
  const sessions = [...open('a', 200), ...open('b', 200), ...open('c', 199), ...open('d', 5)];
  const verdicts = judgeSessions(sessions, BOUNDS);
  expect(verdicts.every(({ reach }) => reach === 'server')).toBe(true);
  const left = (owner: string): number =>
    sessions.filter((directSession) => directSession.ownerId === owner).length -
    verdicts.filter(({ session }) => session.ownerId === owner).length;
  expect(['a', 'b', 'c', 'd'].map(left)).toEqual([165, 165, 165, 5]);
});

it('sessions over the memory limit are ended, largest first', () => {
  const [large] = open('a', 1, { memoryBytes: 513 * MIB });
  expect(ended([large as DirectSession])).toEqual([[large?.id, 'memory', 'session', 513 * MIB, 512 * MIB]]);
  const some = open('b', 3, { databaseId: 'db', memoryBytes: 300 * MIB });
  expect(ended(some)).toEqual([[some[0]?.id, 'memory', 'database', 900 * MIB, Math.floor(819.2 * MIB)]]);
});

it('a transaction is ended when it is idle or open for too long', () => {
  const minute = 60_000;
  const [idle] = open('a', 1, { transactionMs: 20 * minute, idleMs: 11 * minute });
  const [justIdle] = open('a', 1, { transactionMs: 20 * minute, idleMs: 1 * minute });
  const [long] = open('a', 1, { transactionMs: 61 * minute, isIdle: false });
  expect(ended([idle, justIdle, long] as DirectSession[])).toEqual([
    [idle?.id, 'idle_transaction', 'session', 660, 600],
    [long?.id, 'transaction', 'session', 3_660, 3_600],
  ]);
});

it('an even split of sessions leaves owners below their share unchanged', () => {
  expect(findLevel([5, 100, 100], 105)).toBe(50);
  expect(findLevel([5, 100], 105)).toBe(Number.POSITIVE_INFINITY);
  expect(findLevel([10, 10], 5)).toBe(2);
});

it('a session with more named locks than its share is ended', () => {
  expect(BOUNDS.namedLocks).toEqual({ server: 40_000, owner: 16_000, database: 8_000, single: 5_000 });
  const [one] = open('a', 1, { namedLocks: 5_001 });
  const group = open('b', 3, { databaseId: 'db_b', namedLocks: 3_000 });
  expect(ended([...(one === undefined ? [] : [one]), ...group])).toEqual([
    [one?.id, 'named_locks', 'session', 5_001, 5_000],
    [group[0]?.id, 'named_locks', 'database', 9_000, 8_000],
  ]);
});
