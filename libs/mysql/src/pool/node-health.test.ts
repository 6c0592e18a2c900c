import { describe, expect, it } from 'vitest';
import { createNodeHealth } from './node-health.js';
import { TEST_SERVER } from '../testing/pool-fixtures.js';
import type { PoolServer } from '../types.js';

const server: PoolServer = {
  ...TEST_SERVER,
  nodes: [
    { host: 'b', port: 2 },
    { host: 'c', port: 3 },
  ],
};
const hostsOf = (endpoints: readonly PoolServer[]): string[] =>
  endpoints.map(({ host, port }) => `${host}${port}`);

describe('nodes of a server', () => {
  it('server nodes are tried in order, and failed nodes last', () => {
    const nodeHealth = createNodeHealth(server);
    const [a, b] = nodeHealth.order() as [PoolServer, PoolServer];
    expect(hostsOf(nodeHealth.order())).toEqual(['a1', 'b2', 'c3']);
    nodeHealth.failed(a);
    expect(hostsOf(nodeHealth.order())).toEqual(['b2', 'c3', 'a1']);
    expect(nodeHealth.isFirst(b)).toBe(true);
    nodeHealth.failed(b);
    expect(hostsOf(nodeHealth.order())).toEqual(['c3', 'a1', 'b2']);
    nodeHealth.failed(a);
    expect(hostsOf(nodeHealth.listFailed())).toEqual(['b2', 'a1']);
  });
  it('a server node that responds again returns to its position in the order', () => {
    const nodeHealth = createNodeHealth(server);
    const [a] = nodeHealth.order() as [PoolServer];
    nodeHealth.failed(a);
    expect(nodeHealth.isFirst(a)).toBe(false);
    nodeHealth.served(a);
    expect(nodeHealth.isFirst(a)).toBe(true);
    expect(nodeHealth.listFailed()).toEqual([]);
  });
  it('a server with one address has one node, which is the server itself', () => {
    const single = { ...server, nodes: [] };
    const nodeHealth = createNodeHealth(single);
    expect(nodeHealth.isSeveral).toBe(false);
    expect(nodeHealth.order()[0]).toBe(single);
    nodeHealth.failed(single);
    expect(nodeHealth.order()).toEqual([single]);
  });
});
