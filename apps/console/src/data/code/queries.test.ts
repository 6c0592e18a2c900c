import { expect, it } from 'vitest';
import { toArchiveAddress } from './queries.js';

it('library versions are requested only for Python code', () => {
  expect(toArchiveAddress('db_1', { language: 'python', pydantic: '1', sqlalchemy: '1.4' })).toBe(
    '/api/databases/db_1/code/python/archive?pydantic=1&sqlalchemy=1.4',
  );
  expect(toArchiveAddress('db_1', { language: 'typescript', pydantic: '1', snapshot: 3 })).toBe(
    '/api/databases/db_1/code/typescript/archive?snapshot=3',
  );
});
