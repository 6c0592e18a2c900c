import { describe, expect, it } from 'vitest';
import { toRecordLabel } from './record-label.js';

describe('toRecordLabel', () => {
  it('tells the values of a key, and what cannot be read as it stands', () => {
    expect(['7', 'a%20b,2', '%E4', '100%'].map(toRecordLabel)).toEqual(['7', 'a b,2', '%E4', '100%']);
  });
});
