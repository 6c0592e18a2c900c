import { expect, it } from 'vitest';
import { writeSchemaFile } from './write-files.js';

it('writeSchemaFile adds head and tail lines to SQL, and returns an empty file for an empty schema', () => {
  const frame = { head: 'HEAD;\n', tail: 'TAIL;\n' };
  expect(writeSchemaFile({ sql: 'CREATE TABLE t (a int);\n', file_frame: frame })).toBe(
    'HEAD;\n\nCREATE TABLE t (a int);\n\nTAIL;\n',
  );
  expect(writeSchemaFile({ sql: '', file_frame: frame })).toBe('');
  expect(writeSchemaFile({ sql: 'CREATE TABLE t (a int);\n' })).toContain('CREATE TABLE');
});
