import { describe, expect, it, vi } from 'vitest';
import { createFaultList, type FaultList } from '../request/fault-list.js';
import type { JsonObject } from '../request/json-value.js';
import { parseJson } from '../request/parse-json.js';
import { findReference, type ReferenceSource } from './references.js';

function sourceOf(answer: object): ReferenceSource {
  const value = parseJson(JSON.stringify(answer));
  return { operations: 1, answerOf: () => value, note: () => undefined };
}

describe('findReference', () => {
  it('names the nearest member where there is none of this name', () => {
    const faults = createFaultList('body.invalid');
    expect(findReference('0.titel', sourceOf({ id: 1, title: 'a' }), ['body'], faults)).toBeNull();
    expect(() => faults.throwIfAny()).toThrow(expect.objectContaining({ hint: 'Did you mean title?' }));
  });

  it('lists the members of what it reads for no reference that leads somewhere', () => {
    const record = parseJson('{"id":1,"title":"a"}') as JsonObject;
    const keys = vi.spyOn(record, 'keys');
    const faults = createFaultList('body.invalid');
    expect(findReference('0.id', { operations: 1, answerOf: () => record, note: () => undefined }, ['body'], faults)).toMatchObject({ kind: 'value' });
    expect(keys).not.toHaveBeenCalled();
  });

  it('looks for the nearest members of a few references, however many are wrong', () => {
    const long = (at: number): string => `${'a'.repeat(56)}${String(at).padStart(5, '0')}`;
    const source = sourceOf(Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [long(at), at])));
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
    for (let at = 0; at < 1_000; at += 1) expect(findReference(`0.${long(at)}b`, source, ['body', at], counted)).toBeNull();
    // Each takes some 25 ms, on the loop that all databases share; an answer tells five.
    expect([looks.length, looks.filter(Boolean).length]).toEqual([1_000, 5]);
  });
});
