import { describe, expect, it } from 'vitest';
import { createExplainCleaner } from './explain-text.js';

describe('createExplainCleaner', () => {
  const clean = createExplainCleaner({ kind: 'explain', standIns: new Map([['given0', 'secrets']]) }, 'pabc234');

  it.each([
    ['pabc234.u.id', 'u.id'],
    ['(`pabc234`.`u`.`id` = 1)', '(`u`.`id` = 1)'],
    ['{"schema_name": "pabc234"}', '{"schema_name": "database"}'],
    ['given0', 'secrets'],
    ['Using where', 'Using where'],
  ])('tells %s as %s', (text, told) => {
    expect(clean?.(text)).toBe(told);
  });

  it('leaves what is no text, and what is no EXPLAIN', () => {
    expect([clean?.(7), clean?.(null)]).toEqual([7, null]);
    expect(createExplainCleaner({ kind: 'select', standIns: new Map() }, 'pabc234')).toBeNull();
  });
});
