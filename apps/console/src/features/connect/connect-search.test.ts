import { expect, it } from 'vitest';
import { readConnectSearch } from './connect-search.js';

it('a known tab is read from the URL, and an unknown one is ignored', () => {
  expect([
    readConnectSearch({ tab: 'shell' }),
    readConnectSearch({ tab: 'rest' }),
    readConnectSearch({ tab: 7 }),
    readConnectSearch({}),
  ]).toEqual([{ tab: 'shell' }, {}, {}, {}]);
});
