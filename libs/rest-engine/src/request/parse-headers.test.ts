import { AppError } from '@rowhouse/errors';
import { describe, expect, it } from 'vitest';
import { negotiateFormat } from './parse-headers.js';

const rejected = (accept: string, canStream: boolean): unknown => {
  try {
    return negotiateFormat(accept, canStream);
  } catch (error) {
    return error instanceof AppError ? [error.status, error.hint] : error;
  }
};

describe('the format of a response', () => {
  it.each([
    ['', 'json'],
    ['*/*', 'json'],
    ['application/json', 'json'],
    ['application/problem+json', 'json'],
    ['text/html, */*;q=0.8', 'json'],
    ['text/csv', 'csv'],
    ['application/x-ndjson', 'ndjson'],
    ['application/jsonl', 'ndjson'],
    ['TEXT/CSV; charset=utf-8', 'csv'],
    ['text/csv, */*', 'csv'],
    ['*/*, text/csv', 'csv'],
    ['text/csv, application/json', 'csv'],
    ['application/json, text/csv', 'json'],
    ['text/csv;q=0.5, application/json', 'json'],
    ['text/csv;q=0, application/json;q=0.1', 'json'],
    ['text/csv;q=0.5, application/x-ndjson;q=0.9', 'ndjson'],
  ])('the Accept header %j selects the format %s', (accept, format) => {
    expect(negotiateFormat(accept, true)).toBe(format);
  });

  it('an unsupported format is rejected with a hint about where streams are supported', () => {
    expect(rejected('text/html', true)).toEqual([406, 'Send Accept: application/json.']);
    expect(rejected('application/json;q=0', true)).toEqual([406, expect.any(String)]);
    expect(rejected('text/csv', false)).toEqual([406, expect.stringContaining('Only lists can be streamed')]);
    expect(rejected('text/csv, */*', false)).toBe('json');
  });
});
