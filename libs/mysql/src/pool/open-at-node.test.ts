import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConnectionLostError, DatabaseFault, NodeUnavailableError } from '../faults.js';
import { createNodeHealth } from './node-health.js';
import { findFailedNodes, openAtNode } from './open-at-node.js';
import { PoolSession } from '../session/pool-session.js';
import { makeFakeSession } from '../testing/fake-session.js';
import { TEST_ACCOUNT, TEST_SERVER } from '../testing/pool-fixtures.js';
import { DEFAULT_POOL_OPTIONS } from './pool-options.js';
import type { PoolServer } from '../types.js';

const CLUSTER: PoolServer = {
  ...TEST_SERVER,
  isGalera: true,
  nodes: [
    { host: 'b', port: 2 },
    { host: 'c', port: 3 },
  ],
};
const AWAY = new ConnectionLostError('ECONNREFUSED');
const REJECTED = new DatabaseFault(1045, '28000', 'Access denied');

type Behavior = 'serves' | 'donor' | 'left' | Error;

/** How each host behaves when a session is requested. */
let behaviors: Record<string, Behavior>;
let requests: string[];
let sessions: {
  readonly host: string;
  readonly destroy: ReturnType<typeof vi.fn>;
  readonly end: ReturnType<typeof vi.fn>;
}[];

function open(server: PoolServer, nodes = createNodeHealth(server)): Promise<string> {
  return openAtNode(server, nodes, TEST_ACCOUNT, DEFAULT_POOL_OPTIONS).then(
    (session) => session.endpoint.host,
  );
}

beforeEach(() => {
  [behaviors, requests, sessions] = [{}, [], []];
  vi.spyOn(PoolSession, 'open').mockImplementation(async (server, _account, _limits, endpoint = server) => {
    const behavior = behaviors[endpoint.host] ?? 'serves';
    requests.push(endpoint.host);
    if (behavior instanceof Error) throw behavior;
    const session = { host: endpoint.host, destroy: vi.fn(), end: vi.fn() };
    sessions.push(session);
    const assertServing = async (mayBeDonor: boolean): Promise<void> => {
      if (behavior === 'left' || (behavior === 'donor' && !mayBeDonor))
        throw new NodeUnavailableError(behavior === 'donor');
    };
    return makeFakeSession({ endpoint, assertServing, destroy: session.destroy, end: session.end });
  });
});
afterEach(() => void vi.restoreAllMocks());

describe('a session of a server with one address', () => {
  it('openAtNode opens a session at the only address or rejects with its connection error', async () => {
    expect(await open(TEST_SERVER)).toBe('a');
    behaviors['a'] = AWAY;
    await expect(open(TEST_SERVER)).rejects.toBe(AWAY);
  });
});

describe('a session of a server with several nodes', () => {
  it('openAtNode skips nodes that fail, and prefers the node that served the last session', async () => {
    const nodes = createNodeHealth(CLUSTER);
    behaviors = { a: AWAY, b: 'left' };
    expect(await open(CLUSTER, nodes)).toBe('c');
    expect(requests).toEqual(['a', 'b', 'c']);
    // The session on the node that has left its cluster is closed.
    expect(sessions.map(({ host, destroy }) => [host, destroy.mock.calls.length])).toEqual([
      ['b', 1],
      ['c', 0],
    ]);
    requests = [];
    expect(await open(CLUSTER, nodes)).toBe('c');
    expect(requests).toEqual(['c']);
  });

  it('openAtNode tries no further node after one node has rejected the account', async () => {
    behaviors = { a: REJECTED };
    await expect(open(CLUSTER)).rejects.toBe(REJECTED);
    expect(requests).toEqual(['a']);
  });

  it('openAtNode uses a donor node if no other node responds', async () => {
    const nodes = createNodeHealth(CLUSTER);
    behaviors = { a: 'donor', b: AWAY, c: AWAY };
    expect(await open(CLUSTER, nodes)).toBe('a');
    expect(requests).toEqual(['a', 'b', 'c', 'a']);
    expect(nodes.listFailed().map(({ host }) => host)).toEqual(['b', 'c']);
  });

  it('openAtNode rejects with the error of the last node if no node responds', async () => {
    behaviors = { a: 'left', b: 'left', c: AWAY };
    await expect(open(CLUSTER)).rejects.toBe(AWAY);
  });
});

describe('failed nodes', () => {
  it('findFailedNodes unmarks a node that responds again and closes the session of its check', async () => {
    const nodes = createNodeHealth(CLUSTER);
    behaviors = { a: AWAY, b: AWAY };
    await open(CLUSTER, nodes);
    behaviors = { b: 'left' };
    [requests, sessions] = [[], []];
    await findFailedNodes(CLUSTER, nodes, TEST_ACCOUNT, DEFAULT_POOL_OPTIONS);
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
