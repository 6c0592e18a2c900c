import { AppError } from '@rowhouse/errors';
import type { CompiledColumn } from '@rowhouse/schema-model';
import { describe, expect, it } from 'vitest';
import { plan } from '../../test/blog.js';
import { hintFor } from '../plan/find-names.js';
import { coerceEnum } from '../values/coerce-label.js';
import { createFaultList } from './fault-list.js';

it('a reported fault truncates names and values of megabytes', () => {
  const faults = createFaultList('body.invalid');
  for (let position = 0; position < 100; position += 1)
    faults.add(['body', position, 'n'.repeat(80_000)], 'm'.repeat(80_000), 'wrong');
  try {
    faults.throwIfAny();
  } catch (error) {
    const reported = (error as AppError).faults ?? [];
    expect(reported).toHaveLength(100);
    expect(reported[99]?.loc).toEqual(['body', 99, `${'n'.repeat(300)}…`]);
    expect(JSON.stringify(reported).length).toBeLessThan(200_000);
    return;
  }
  expect.unreachable();
});

describe('hints', () => {
  it('the search for suggestions ends after its limit with many unknown names', () => {
    const faults = createFaultList('body.invalid');
    let listed = 0;
    const list = (): string[] => [`name${(listed += 1)}`];
    for (let position = 0; position < 12; position += 1) hintFor(faults, 'other', list);
    expect([listed, faults.wantsHint()]).toEqual([10, false]);
  });

  it('createHintBudget ends the search for suggestions after its maximum', () => {
    const faults = createFaultList('body.invalid');
    for (let position = 0; position < 5; position += 1)
      faults.add(['body', position], 'wrong', 'wrong', `hint ${position}`);
    expect(faults.wantsHint()).toBe(false);
  });

  it.each(['_select=@', 'sort=@', '_aggregate=@', '_aggregate=count&_group=@'])(
    'suggestions are given for only the first names of %s',
    (query) => {
      const hintOf = (unlike: number): string | undefined => {
        const names = [
          ...Array.from({ length: unlike }, (_, position) => `qqqqqqq${position}`),
          'tittle',
        ].map((name) => (query.startsWith('_aggregate=@') ? `max:${name}` : name));
        try {
          plan(`GET /posts?${query.replace('@', names.join(','))}`);
        } catch (error) {
          return error instanceof AppError ? error.hint : undefined;
        }
        return 'accepted';
      };
      expect(hintOf(3)).toMatch(/(^|\. )Did you mean title\?$/);
      expect(hintOf(12) ?? '').not.toContain('Did you mean');
    },
  );

  it('no suggestions are searched among very many labels', () => {
    const column = {
      labels: Array.from({ length: 500 }, (_, position) => `label${position}`),
    } as unknown as CompiledColumn;
    expect(coerceEnum(column, 'labell7', false, 'write')).not.toHaveProperty(
      'hint',
      expect.stringContaining('Did you mean'),
    );
    expect(coerceEnum({ ...column, labels: ['label7'] }, 'labell7', false, 'write')).toHaveProperty(
      'hint',
      'Did you mean "label7"?',
    );
  });
});
