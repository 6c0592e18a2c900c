import type { ChangeEntry } from '@rowhouse/contracts';
import { expect, it } from 'vitest';
import { createEntryBuffer } from './entry-buffer.js';

const entry = (seq: number): ChangeEntry => ({ seq, database_id: 'db_1', kind: 'key', version: 0 });

it('change-log entries that arrive before their receiver are buffered in order', () => {
  const buffer = createEntryBuffer();
  const received: number[] = [];
  buffer.apply(entry(1));
  buffer.apply(entry(2));
  buffer.connect(({ seq }) => received.push(seq));
  buffer.apply(entry(3));
  expect(received).toEqual([1, 2, 3]);
});
