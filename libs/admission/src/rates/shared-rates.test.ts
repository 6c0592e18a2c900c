import { createAddressRates } from './address-rates.js';
import { expect, it } from 'vitest';
import { joinRates } from './rate-exchange.js';
import type { RateUse } from './rate-exchange.js';

it('joinRates reports the rates of keys and addresses in one message', () => {
  const noted: RateUse[] = [];
  const addresses = createAddressRates({ perSecond: 5, burst: 5, trustedNetworks: [] });
  const rates = joinRates(
    { settleRates: () => [{ id: 'key_1', requested: 3, granted: 2 }], noteOthers: (use) => noted.push(use) },
    addresses,
  );
  addresses.reject('203.0.113.9', 0);
  expect(rates.settleRates()).toEqual([
    { id: 'key_1', requested: 3, granted: 2 },
    { id: 'address 203.0.113.9', requested: 1, granted: 1 },
  ]);
  rates.noteOthers({ id: 'key_1', requested: 1, granted: 1 });
  rates.noteOthers({ id: 'address 203.0.113.9', requested: 4, granted: 4 });
  expect(noted).toEqual([{ id: 'key_1', requested: 1, granted: 1 }]);
  expect(addresses.reject('203.0.113.9', 0)).toMatchObject({ code: 'limit.address' });
});
