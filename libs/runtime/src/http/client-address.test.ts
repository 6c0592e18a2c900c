import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createAddressReader, toNetwork } from './client-address.js';

const from = (remoteAddress: string, forwarded?: string | string[]): IncomingMessage =>
  ({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage;

describe('createAddressReader', () => {
  it('without trusted proxies, the client is the peer address, whatever the headers contain', () => {
    expect(createAddressReader([])(from('203.0.113.9', '198.51.100.1'))).toBe('203.0.113.9');
  });
  it('an untrusted peer is the client, whatever its headers contain', () => {
    expect(createAddressReader(['10.0.0.0/8'])(from('203.0.113.9', '198.51.100.1'))).toBe('203.0.113.9');
  });
  it('behind trusted proxies, the client is the last address before the proxies', () => {
    const read = createAddressReader(['10.0.0.0/8', '::1']);
    expect(read(from('10.1.2.3', '198.51.100.1'))).toBe('198.51.100.1');
    // The first entry in the header comes from the client itself.
    expect(read(from('10.1.2.3', '6.6.6.6, 198.51.100.1, 10.9.9.9'))).toBe('198.51.100.1');
    expect(read(from('::1', ['6.6.6.6', '198.51.100.1']))).toBe('198.51.100.1');
    expect(read(from('::ffff:10.1.2.3', '[2001:db8::1]:443'))).toBe('2001:db8::1');
    expect(read(from('10.1.2.3', '198.51.100.1:1234'))).toBe('198.51.100.1');
  });
  it('a trusted proxy is the client if the header contains no usable address', () => {
    const read = createAddressReader(['10.0.0.0/8']);
    expect(read(from('10.1.2.3'))).toBe('10.1.2.3');
    expect(read(from('10.1.2.3', 'unknown'))).toBe('10.1.2.3');
    expect(read(from('10.1.2.3', '6.6.6.6, junk, 10.4.4.4'))).toBe('10.4.4.4');
    expect(read(from('10.1.2.3', '10.4.4.4'))).toBe('10.4.4.4');
  });
});

it.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:DB8::1', '2001:db8:0:0::/64'],
  ['2001:db8:0001:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
  ['1:2:3:4:5:6:192.0.2.1', '1:2:3:4::/64'],
  ['junk', null],
  ['', null],
])('toNetwork returns for the client address %s the network %s', (address, network) => {
  expect(toNetwork(address)).toBe(network);
});
