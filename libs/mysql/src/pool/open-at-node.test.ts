import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConnectionLostError, DatabaseFault, NodeUnavailableError } from '../faults.js';
import { createNodeHealth } from './node-health.js';
import { findFailedNodes, openAtNode } from './open-at-node.js';
import { PoolSession } from '../session/pool-session.js';
import { DEFAULT_POOL_OPTIONS } from './pool-options.js';
import type { PoolAccount, PoolServer } from '../types.js';

const SINGLE: PoolServer = {
  id: 'srv_1',
  host: 'a',
  port: 1,
  tls: 'off',
  engine: 'mariadb',
  connectionsMax: 8,
};
const CLUSTER: PoolServer = {
  ...SINGLE,
  isGalera: true,
  nodes: [
    { host: 'b', port: 2 },
    { host: 'c', port: 3 },
  ],
};
const ACCOUNT: PoolAccount = { user: 'u', password: () => 'p', schema: 's', connectionsMax: 2 };
const AWAY = new ConnectionLostError('ECONNREFUSED');
const REJECTED = new DatabaseFault(1045, '28000', 'Access denied');

type Mood = 'serves' | 'donor' | 'left' | Error;

/** The behavior of each host when a session is requested, and the requests it received. */
let moods: Record<string, Mood>;
let requests: string[];
let sessions: {
  readonly host: string;
  readonly destroy: ReturnType<typeof vi.fn>;
  readonly end: ReturnType<typeof vi.fn>;
}[];

function open(server: PoolServer, nodes = createNodeHealth(server)): Promise<string> {
  return openAtNode(server, nodes, ACCOUNT, DEFAULT_POOL_OPTIONS).then((session) => session.endpoint.host);
}

beforeEach(() => {
  [moods, requests, sessions] = [{}, [], []];
  vi.spyOn(PoolSession, 'open').mockImplementation(async (server, _account, _limits, endpoint = server) => {
    const mood = moods[endpoint.host] ?? 'serves';
    requests.push(endpoint.host);
    if (mood instanceof Error) throw mood;
    const session = { host: endpoint.host, destroy: vi.fn(), end: vi.fn() };
    sessions.push(session);
    const assertServing = async (mayBeDonor: boolean): Promise<void> => {
      if (mood === 'left' || (mood === 'donor' && !mayBeDonor))
        throw new NodeUnavailableError(mood === 'donor');
    };
    return { ...session, endpoint, assertServing } as unknown as PoolSession;
  });
});
afterEach(() => void vi.restoreAllMocks());

describe('a session of a server with one address', () => {
  it('it is returned unchanged, and a fault is thrown unchanged', async () => {
    expect(await open(SINGLE)).toBe('a');
    moods['a'] = AWAY;
    await expect(open(SINGLE)).rejects.toBe(AWAY);
  });
});

describe('a session of a server with several nodes', () => {
  it('it is opened on the first node that accepts it, where the next one goes directly', async () => {
    const nodes = createNodeHealth(CLUSTER);
    moods = { a: AWAY, b: 'left' };
    expect(await open(CLUSTER, nodes)).toBe('c');
    expect(requests).toEqual(['a', 'b', 'c']);
    // The session on the node that left its cluster is closed.
    expect(sessions.map(({ host, destroy }) => [host, destroy.mock.calls.length])).toEqual([
      ['b', 1],
      ['c', 0],
    ]);
    requests = [];
    expect(await open(CLUSTER, nodes)).toBe('c');
    expect(requests).toEqual(['c']);
  });

  it('no other node is tried when one rejects the account', async () => {
    moods = { a: REJECTED };
    await expect(open(CLUSTER)).rejects.toBe(REJECTED);
    expect(requests).toEqual(['a']);
  });

  it('a donor is used when nothing better serves, and does not count as failed', async () => {
    const nodes = createNodeHealth(CLUSTER);
    moods = { a: 'donor', b: AWAY, c: AWAY };
    expect(await open(CLUSTER, nodes)).toBe('a');
    expect(requests).toEqual(['a', 'b', 'c', 'a']);
    expect(nodes.listFailed().map(({ host }) => host)).toEqual(['b', 'c']);
  });

  it('the error is that of the last node when none serves', async () => {
    moods = { a: 'left', b: 'left', c: AWAY };
    await expect(open(CLUSTER)).rejects.toBe(AWAY);
  });
});

describe('failed nodes', () => {
  it('a node that serves again is used as before, and the session of the check is closed', async () => {
    const nodes = createNodeHealth(CLUSTER);
    moods = { a: AWAY, b: AWAY };
    await open(CLUSTER, nodes);
    moods = { b: 'left' };
    [requests, sessions] = [[], []];
    await findFailedNodes(CLUSTER, nodes, ACCOUNT, DEFAULT_POOL_OPTIONS);
    expect(requests).toEqual(['a', 'b']);
    expect(nodes.listFailed().map(({ host }) => host)).toEqual(['b']);
    expect(
      sessions.map(({ host, destroy, end }) => [host, destroy.mock.calls.length, end.mock.calls.length]),
    ).toEqual([
      ['a', 0, 1],
      ['b', 1, 0],
    ]);
  });
});
