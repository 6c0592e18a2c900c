import type { SavedQueryResponse } from '@rowhouse/contracts';
import { expect, it } from 'vitest';
import { settleAddress } from './use-saved-in-address.js';

const query = { id: 'sq_1' } as SavedQueryResponse;

it('the saved query in the URL is opened once the saved queries are loaded', () => {
  const requested = { savedId: 'sq_1', inFront: undefined, told: undefined };
  expect(settleAddress({ ...requested, known: null })).toEqual({ kind: 'wait' });
  expect(settleAddress({ ...requested, known: [query] })).toEqual({ kind: 'open', query, told: 'sq_1' });
  expect(settleAddress({ ...requested, inFront: 'sq_2', told: 'sq_2', known: [query] })).toEqual({
    kind: 'open',
    query,
    told: 'sq_1',
  });
});

it('an unknown saved query is removed from the URL', () => {
  expect(settleAddress({ savedId: 'sq_9', inFront: undefined, told: undefined, known: [query] })).toEqual({
    kind: 'tell',
    told: undefined,
  });
  expect(settleAddress({ savedId: 'sq_9', inFront: 'sq_1', told: 'sq_1', known: [query] })).toEqual({
    kind: 'tell',
    told: 'sq_1',
  });
});

it('the URL follows the selected tab without waiting', () => {
  expect(settleAddress({ savedId: undefined, inFront: 'sq_1', told: undefined, known: null })).toEqual({
    kind: 'tell',
    told: 'sq_1',
  });
  expect(settleAddress({ savedId: 'sq_1', inFront: 'sq_1', told: undefined, known: null })).toEqual({
    kind: 'tell',
    told: 'sq_1',
  });
  expect(settleAddress({ savedId: 'sq_1', inFront: 'sq_2', told: 'sq_1', known: null })).toEqual({
    kind: 'tell',
    told: 'sq_2',
  });
  expect(settleAddress({ savedId: 'sq_1', inFront: undefined, told: 'sq_1', known: null })).toEqual({
    kind: 'tell',
    told: undefined,
  });
});
