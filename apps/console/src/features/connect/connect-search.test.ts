import { expect, it } from 'vitest';
import { readConnectSearch } from './connect-search.js';

it('the Connect page reads a known tab from the URL and ignores an unknown one', () => {
  expect([
    readConnectSearch({ tab: 'shell' }),
    readConnectSearch({ tab: 'rest' }),
    readConnectSearch({ tab: 7 }),
    readConnectSearch({}),
  ]).toEqual([{ tab: 'shell' }, {}, {}, {}]);
});
