import { describe, expect, it } from 'vitest';
import { toRecordLabel } from './cell-text.js';

describe('toRecordLabel', () => {
  it('the label of a record shows its key values', () => {
    expect(['7', 'a%20b,2', '%E4', '100%'].map(toRecordLabel)).toEqual(['7', 'a b,2', '%E4', '100%']);
  });
});
