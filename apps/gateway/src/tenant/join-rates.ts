import type { AddressRates } from '@rowhouse/runtime';
import type { Admission } from './admission.js';

/** Rates that gateways tell each other of. */
export type SharedRates = Pick<Admission, 'settleRates' | 'noteOthers'>;

/** No id of a key or a database begins so. */
const ADDRESS_PREFIX = 'address ';

/** Those of keys and databases, and those of client addresses, as one. */
export function joinRates(admission: SharedRates, addresses: Pick<AddressRates, 'settle' | 'noteOthers'>): SharedRates {
  return {
    settleRates: () => [...admission.settleRates(), ...addresses.settle().map(({ network, asked, granted }) => ({ id: ADDRESS_PREFIX + network, asked, granted }))],
    noteOthers(use) {
      if (use.id.startsWith(ADDRESS_PREFIX)) addresses.noteOthers(use.id.slice(ADDRESS_PREFIX.length), use.granted);
      else admission.noteOthers(use);
    },
  };
}
