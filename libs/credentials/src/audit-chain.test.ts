import { expect, it } from 'vitest';
import { AUDIT_CHAIN_START, createAuditChain } from './audit-chain.js';

it('the hash of an audit event depends on the previous event and the key', () => {
  const chain = createAuditChain(Buffer.alloc(32, 1));
  const first = chain.link(AUDIT_CHAIN_START, 1, 'one');
  const links = [
    first,
    chain.link(first, 2, 'two'),
    chain.link(AUDIT_CHAIN_START, 2, 'two'),
    chain.link(first, 3, 'two'),
    chain.link(first, 2, 'two!'),
    createAuditChain(Buffer.alloc(32, 2)).link(first, 2, 'two'),
  ];
  expect(new Set(links.map((link) => link.toString('hex'))).size).toBe(links.length);
  expect(chain.link(first, 2, 'two')).toEqual(links[1]);
});
