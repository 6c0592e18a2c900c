import type { AddressRates } from '@rowhouse/runtime';
import type { Admission } from './admission.js';

/** The rates that gateways report to each other. */
export type SharedRates = Pick<Admission, 'settleRates' | 'noteOthers'>;

/** No id of a key or a database starts with this prefix. */
const ADDRESS_PREFIX = 'address ';

/** Combines the rates of keys and databases with those of client addresses. */
export function joinRates(
  admission: SharedRates,
  addresses: Pick<AddressRates, 'settle' | 'noteOthers'>,
): SharedRates {
  return {
    settleRates: () => [
      ...admission.settleRates(),
      ...addresses.settle().map(({ network, asked: requestCount, granted }) => ({
        id: ADDRESS_PREFIX + network,
        asked: requestCount,
        granted,
      })),
    ],
    noteOthers(use) {
      if (use.id.startsWith(ADDRESS_PREFIX))
        addresses.noteOthers(use.id.slice(ADDRESS_PREFIX.length), use.granted);
      else admission.noteOthers(use);
    },
  };
}
