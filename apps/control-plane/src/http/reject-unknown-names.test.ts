import { AppError } from '@rowhouse/errors';
import { describe, expect, it } from 'vitest';
import { rejectUnknownNames, type UnknownName } from './reject-unknown-names.js';

const unknownAt = (name: string, index: number, known: readonly string[]): UnknownName => ({
  loc: ['body', 'tables', index],
  msg: `The table ${name} does not exist.`,
  type: 'unknown_table',
  name,
  known,
});

function rejectionOf(unknown: readonly UnknownName[]): AppError | null {
  try {
    rejectUnknownNames(unknown);
    return null;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

describe('refuseUnknownNames', () => {
  it('refuseUnknownNames reports every unknown name, and each similar name once', () => {
    expect(
      rejectionOf([
        unknownAt('post', 0, ['posts', 'users']),
        unknownAt('user', 1, ['posts', 'users']),
        unknownAt('psots', 2, ['posts']),
      ]),
    ).toMatchObject({
      code: 'body.invalid',
      status: 422,
      faults: [
        { loc: ['body', 'tables', 0], msg: 'The table post does not exist.', type: 'unknown_table' },
        { loc: ['body', 'tables', 1] },
        { loc: ['body', 'tables', 2] },
      ],
      hint: 'Did you mean posts, users?',
    });
  });

  it('refuseUnknownNames gives no hint for an unknown name without similar ones', () => {
    expect(rejectionOf([unknownAt('zebra', 0, ['posts'])])?.hint).toBeUndefined();
    expect(rejectionOf([])).toBeNull();
  });

  it('refuseUnknownNames looks for similar names only for the first ten unknown names', () => {
    const list = (unlike: number): UnknownName[] => [
      ...Array.from({ length: unlike }, (_, index) => unknownAt('zebra', index, ['posts'])),
      unknownAt('post', unlike, ['posts']),
    ];
    expect(rejectionOf(list(9))?.hint).toBe('Did you mean posts?');
    const many = rejectionOf(list(10));
    expect([many?.hint, many?.faults?.length]).toEqual([undefined, 11]);
    expect(rejectionOf(list(500))?.faults).toHaveLength(100);
  });
});
