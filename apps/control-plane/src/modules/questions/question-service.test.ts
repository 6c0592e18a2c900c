import { expect, it } from 'vitest';
import { readPageCursor, writePageCursor } from './question-service.js';

it('a cursor of the question history is read back, and other text is rejected', () => {
  const placement = { at: new Date('2026-11-21T10:00:00.123Z'), id: 'qst_abc234' };
  expect(readPageCursor(writePageCursor(placement) ?? '')).toEqual(placement);
  expect(readPageCursor(undefined)).toBeNull();
  for (const odd of ['', 'x', "1.qst_a' OR 1=1", '99999999999999999.qst_a', '1.'])
    expect(readPageCursor(odd)).toEqual({ at: new Date(0), id: '' });
});
