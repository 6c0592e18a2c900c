import { describe, expect, it } from 'vitest';
import { describeIndex } from './value-index-facts.js';

const index = {
  checked_at: '2026-11-21T10:00:00.000Z',
  version: 2,
  columns: 3,
  values: 1_204,
  bytes: 20_000,
};

describe('describeIndex', () => {
  it('describeIndex counts the indexed values', () => {
    expect(describeIndex(index)).toBe('1,204 values from 3 text columns (20 KB).');
    expect(describeIndex({ ...index, columns: 1, values: 1, bytes: 9 })).toBe(
      '1 value from 1 text column (1 KB).',
    );
  });
  it('describeIndex explains an empty value index', () => {
    expect(describeIndex({ ...index, values: 0 })).toContain('No column');
    expect(describeIndex({ ...index, checked_at: null })).toContain('first question');
  });
});
