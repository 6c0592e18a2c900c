import { expect, it } from 'vitest';
import { readConnectSearch } from './connect-search.js';

it('reads the way that an address names, and leaves out what is none', () => {
  expect([readConnectSearch({ tab: 'shell' }), readConnectSearch({ tab: 'rest' }), readConnectSearch({ tab: 7 }), readConnectSearch({})]).toEqual([{ tab: 'shell' }, {}, {}, {}]);
});
