import { describe, expect, it, vi } from 'vitest';
import { createFaultList, type FaultList } from '../request/fault-list.js';
import type { JsonObject } from '../request/json-value.js';
import { parseJson } from '../request/parse-json.js';
import { findReference, type ReferenceSource } from './references.js';

function sourceOf(answer: object): ReferenceSource {
  const value = parseJson(JSON.stringify(answer));
  return { operations: 1, bodyOf: () => value, note: () => undefined };
}

describe('findReference', () => {
  it('findReference suggests the nearest member for an unknown name', () => {
    const faults = createFaultList('body.invalid');
    expect(findReference('0.titel', sourceOf({ id: 1, title: 'a' }), ['body'], faults)).toBeNull();
    expect(() => faults.throwIfAny()).toThrow(expect.objectContaining({ hint: 'Did you mean title?' }));
  });

  it('findReference does not list the members of a response for a valid reference', () => {
    const record = parseJson('{"id":1,"title":"a"}') as JsonObject;
    const keys = vi.spyOn(record, 'keys');
    const faults = createFaultList('body.invalid');
    expect(
      findReference('0.id', { operations: 1, bodyOf: () => record, note: () => undefined }, ['body'], faults),
    ).toMatchObject({ kind: 'value' });
    expect(keys).not.toHaveBeenCalled();
  });

  it('findReference stops searching for suggestions after its limit', () => {
    const long = (index: number): string => `${'a'.repeat(56)}${String(index).padStart(5, '0')}`;
    const source = sourceOf(
      Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [long(index), index])),
    );
    const faults = createFaultList('body.invalid');
    const looks: boolean[] = [];
    const counted: FaultList = {
      ...faults,
      wantsHint() {
        const isWanted = faults.wantsHint();
        looks.push(isWanted);
        return isWanted;
      },
    };
    for (let index = 0; index < 1_000; index += 1)
      expect(findReference(`0.${long(index)}b`, source, ['body', index], counted)).toBeNull();
    // Each search for similar names takes about 25 ms, in which no other database is served. A response has
    // at most five suggestions.
    expect([looks.length, looks.filter(Boolean).length]).toEqual([1_000, 5]);
  });
});
