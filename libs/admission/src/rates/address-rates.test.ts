import { describe, expect, it } from 'vitest';
import { createAddressRates } from './address-rates.js';

const OPTIONS = { perSecond: 10, burst: 20, trustedNetworks: ['10.0.0.0/8'] };
const CLIENT = '203.0.113.9';

/** Sends `count` requests and returns how many were accepted. */
function send(
  rates: ReturnType<typeof createAddressRates>,
  address: string,
  count: number,
  nowMs: number,
): number {
  return Array.from({ length: count }, () => rates.reject(address, nowMs)).filter(
    (rejection) => rejection === null,
  ).length;
}

describe('createAddressRates', () => {
  it('an address may send a burst, and then as many requests per second as its rate allows', () => {
    const rates = createAddressRates(OPTIONS);
    expect(send(rates, CLIENT, 30, 0)).toBe(20);
    expect(send(rates, CLIENT, 30, 500)).toBe(5);
    expect(send(rates, CLIENT, 30, 60_000)).toBe(20);
  });

  it('a rejection by address rate contains Retry-After and the RateLimit headers', () => {
    const rates = createAddressRates(OPTIONS);
    send(rates, CLIENT, 20, 0);
    expect(rates.reject(CLIENT, 0)).toMatchObject({
      code: 'limit.address',
      status: 429,
      retryAfterSeconds: 1,
      headers: { 'RateLimit-Limit': '20', 'RateLimit-Remaining': '0', 'RateLimit-Reset': '2' },
    });
  });

  it('IPv4 addresses are counted separately, and all addresses of an IPv6 network together', () => {
    const rates = createAddressRates(OPTIONS);
    send(rates, CLIENT, 30, 0);
    expect(send(rates, '203.0.113.10', 5, 0)).toBe(5);
    expect(send(rates, '2001:db8:1:2::1', 15, 0) + send(rates, '2001:db8:1:2:ffff::9', 15, 0)).toBe(20);
    expect(send(rates, '2001:db8:1:3::1', 15, 0)).toBe(15);
    expect(send(rates, '::ffff:203.0.113.9', 5, 0)).toBe(0);
  });

  it('trusted proxies, loopback addresses and invalid addresses have no rate limit', () => {
    const rates = createAddressRates(OPTIONS);
    for (const address of ['10.1.2.3', '127.0.0.1', '::1', '::ffff:127.0.0.1', ''])
      expect([address, send(rates, address, 50, 0)]).toEqual([address, 50]);
  });

  it('settle() reports heavy use of an address, and noteOthers() subtracts its use elsewhere', () => {
    const rates = createAddressRates(OPTIONS);
    send(rates, CLIENT, 5, 0);
    send(rates, '203.0.113.10', 0, 0);
    expect(rates.settle()).toEqual([{ network: CLIENT, requested: 5, granted: 5 }]);
    expect(rates.settle()).toEqual([]);
    rates.noteOthers(CLIENT, 10);
    rates.noteOthers('203.0.113.77', 10);
    expect(send(rates, CLIENT, 30, 0)).toBe(5);
    rates.noteOthers(CLIENT, 1_000_000);
    expect(send(rates, CLIENT, 30, 4_000)).toBe(20);
  });

  it('sweep() removes the rate counter of an address that was idle for a minute', () => {
    const rates = createAddressRates({ ...OPTIONS, perSecond: 0.001 });
    expect(send(rates, CLIENT, 30, 0)).toBe(20);
    rates.sweep(50_000);
    expect(send(rates, CLIENT, 30, 50_000)).toBe(0);
    rates.sweep(200_000);
    expect(send(rates, CLIENT, 30, 200_000)).toBe(20);
  });

  it('the oldest address gets a full token bucket when more addresses than storedMax are used', () => {
    const rates = createAddressRates({ ...OPTIONS, storedMax: 10 });
    send(rates, CLIENT, 20, 0);
    for (let index = 0; index < 9; index += 1) rates.reject(`198.51.100.${index}`, 0);
    expect(rates.reject(CLIENT, 0)).toMatchObject({ code: 'limit.address' });
    for (let index = 0; index < 12; index += 1) rates.reject(`198.51.101.${index}`, 0);
    expect(rates.reject(CLIENT, 0)).toBeNull();
  });
});
