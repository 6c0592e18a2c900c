import { describe, expect, it } from 'vitest';
import { createNodeBook } from './pool-nodes.js';
import type { PoolServer } from './pool-types.js';

const server: PoolServer = { id: 'srv_1', host: 'a', port: 1, tls: 'off', engine: 'mariadb', connectionsMax: 8, nodes: [{ host: 'b', port: 2 }, { host: 'c', port: 3 }] };
const hostsOf = (places: readonly PoolServer[]): string[] => places.map(({ host, port }) => `${host}${port}`);

describe('nodes of a server', () => {
  it('nodes are tried in the order of the server, failed ones last, with the oldest failure first', () => {
    const book = createNodeBook(server);
    const [a, b] = book.order() as [PoolServer, PoolServer];
    expect(hostsOf(book.order())).toEqual(['a1', 'b2', 'c3']);
    book.failed(a);
    expect(hostsOf(book.order())).toEqual(['b2', 'c3', 'a1']);
    expect(book.isFirst(b)).toBe(true);
    book.failed(b);
    expect(hostsOf(book.order())).toEqual(['c3', 'a1', 'b2']);
    book.failed(a);
    expect(hostsOf(book.listFailed())).toEqual(['b2', 'a1']);
  });
  it('a node that serves again is first again', () => {
    const book = createNodeBook(server);
    const [a] = book.order() as [PoolServer];
    book.failed(a);
    expect(book.isFirst(a)).toBe(false);
    book.served(a);
    expect(book.isFirst(a)).toBe(true);
    expect(book.listFailed()).toEqual([]);
  });
  it('a server with one address has one node, which is the server itself', () => {
    const single = { ...server, nodes: [] };
    const book = createNodeBook(single);
    expect(book.isSeveral).toBe(false);
    expect(book.order()[0]).toBe(single);
    book.failed(single);
    expect(book.order()).toEqual([single]);
  });
});
