import type { SavedQueryResponse } from '@rowhouse/contracts';
import { expect, it } from 'vitest';
import { chooseAddressStep } from './use-saved-in-address.js';

const query = { id: 'sq_1' } as SavedQueryResponse;

it('the saved query in the URL is opened once the saved queries are loaded', () => {
  const requested = { savedId: 'sq_1', selectedId: undefined, lastWrittenId: undefined };
  expect(chooseAddressStep({ ...requested, known: null })).toEqual({ kind: 'wait' });
  expect(chooseAddressStep({ ...requested, known: [query] })).toEqual({ kind: 'open', query, id: 'sq_1' });
  expect(
    chooseAddressStep({ ...requested, selectedId: 'sq_2', lastWrittenId: 'sq_2', known: [query] }),
  ).toEqual({
    kind: 'open',
    query,
    id: 'sq_1',
  });
});

it('an unknown saved query is removed from the URL', () => {
  expect(
    chooseAddressStep({ savedId: 'sq_9', selectedId: undefined, lastWrittenId: undefined, known: [query] }),
  ).toEqual({
    kind: 'write',
    id: undefined,
  });
  expect(
    chooseAddressStep({ savedId: 'sq_9', selectedId: 'sq_1', lastWrittenId: 'sq_1', known: [query] }),
  ).toEqual({
    kind: 'write',
    id: 'sq_1',
  });
});

it('the URL changes at once with the selected query tab', () => {
  expect(
    chooseAddressStep({ savedId: undefined, selectedId: 'sq_1', lastWrittenId: undefined, known: null }),
  ).toEqual({
    kind: 'write',
    id: 'sq_1',
  });
  expect(
    chooseAddressStep({ savedId: 'sq_1', selectedId: 'sq_1', lastWrittenId: undefined, known: null }),
  ).toEqual({
    kind: 'write',
    id: 'sq_1',
  });
  expect(
    chooseAddressStep({ savedId: 'sq_1', selectedId: 'sq_2', lastWrittenId: 'sq_1', known: null }),
  ).toEqual({
    kind: 'write',
    id: 'sq_2',
  });
  expect(
    chooseAddressStep({ savedId: 'sq_1', selectedId: undefined, lastWrittenId: 'sq_1', known: null }),
  ).toEqual({
    kind: 'write',
    id: undefined,
  });
});
