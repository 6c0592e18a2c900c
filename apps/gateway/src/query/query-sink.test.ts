import { describe, expect, it } from 'vitest';
import { createExplainCleaner } from './query-sink.js';

describe('createExplainCleaner', () => {
  const clean = createExplainCleaner(
    { kind: 'explain', substitutions: new Map([['given0', 'secrets']]) },
    'pabc234',
  );

  it.each([
    ['pabc234.u.id', 'u.id'],
    ['(`pabc234`.`u`.`id` = 1)', '(`u`.`id` = 1)'],
    ['{"schema_name": "pabc234"}', '{"schema_name": "database"}'],
    ['given0', 'secrets'],
    ['Using where', 'Using where'],
  ])('createExplainCleaner converts %s to %s', (text, message) => {
    expect(clean?.(text)).toBe(message);
  });

  it('createExplainCleaner restores names with any characters', () => {
    const many = createExplainCleaner(
      {
        kind: 'explain',
        substitutions: new Map(
          [...Array(11).keys()].map((index) => [
            `given${index}`,
            index === 10 ? 'cash$$given1' : `t${index}`,
          ]),
        ),
      },
      'pabc234',
    );
    expect(many?.('given1, given10')).toBe('t1, cash$$given1');
  });

  it('createExplainCleaner returns null for statements other than EXPLAIN', () => {
    expect([clean?.(7), clean?.(null)]).toEqual([7, null]);
    expect(createExplainCleaner({ kind: 'select', substitutions: new Map() }, 'pabc234')).toBeNull();
  });
});
