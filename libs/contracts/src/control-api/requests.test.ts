import { describe, expect, it } from 'vitest';
import { updateDatabaseRequest } from './requests.js';

const columns = (count: number): string[] => Array.from({ length: count }, (_, index) => `c${index}`);

describe('settings of a database', () => {
  it.each(['hidden_columns', 'unindexed_columns'])(
    'the setting %s rejects more than 10,000 tables and columns',
    (setting) => {
      const parse = (tables: Record<string, string[]>): ReturnType<typeof updateDatabaseRequest.safeParse> =>
        updateDatabaseRequest.safeParse({ settings: { [setting]: tables } });
      expect(parse({ a: columns(4_999), b: columns(4_999) }).success).toBe(true);
      const rejected = parse({ a: columns(4_999), b: columns(5_000) });
      expect(rejected.error?.issues).toEqual([
        expect.objectContaining({
          path: ['settings', setting],
          message: 'At most 10000 tables and columns together.',
        }),
      ]);
    },
  );
});
