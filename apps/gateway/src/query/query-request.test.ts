import type { AppError } from '@rowhouse/errors';
import { ExactDecimal } from '@rowhouse/query-engine';
import { parseJson } from '@rowhouse/rest-engine';
import { describe, expect, it } from 'vitest';
import { readQueryRequest } from './query-request.js';

function faultsOf(text: string): AppError['faults'] {
  try {
    readQueryRequest(parseJson(text));
  } catch (error) {
    return (error as AppError).faults;
  }
  return undefined;
}

describe('readQueryRequest', () => {
  it('query parameters may be an array or an object', () => {
    expect(readQueryRequest(parseJson('{"query":"SELECT ?","params":[1,"a",true,null,1.5]}')).params).toEqual(
      [1n, 'a', true, null, new ExactDecimal('1.5')],
    );
    expect(readQueryRequest(parseJson('{"query":"SELECT :a","parameters":{"a":1}}')).params).toEqual({
      a: 1n,
    });
  });

  it('integers of 64 bits and more in query parameters keep every digit', () => {
    const params =
      '[9223372036854775807,-9223372036854775807,-9223372036854775808,18446744073709551615,18446744073709551616,-9223372036854775809]';
    expect(readQueryRequest(parseJson(`{"query":"SELECT 1","params":${params}}`)).params).toEqual([
      9_223_372_036_854_775_807n,
      -9_223_372_036_854_775_807n,
      -9_223_372_036_854_775_808n,
      18_446_744_073_709_551_615n,
      new ExactDecimal('18446744073709551616'),
      new ExactDecimal('-9223372036854775809'),
    ]);
  });

  it('at most a hundred faults of a query body are reported', () => {
    const members = Array.from({ length: 300 }, (_, index) => `"x${index}":1`).join(',');
    expect(faultsOf(`{"query":"SELECT 1",${members}}`)).toHaveLength(100);
    expect(faultsOf(`{"query":"SELECT 1","params":[${'[],'.repeat(300)}[]]}`)).toHaveLength(100);
  });

  it('a query with more values than a statement may have tokens is rejected', () => {
    for (const params of [
      `[${'1,'.repeat(4_000)}1]`,
      `{${Array.from({ length: 4_001 }, (_, index) => `"p${index}":1`).join(',')}}`,
    ]) {
      expect(faultsOf(`{"query":"SELECT 1","params":${params}}`)).toMatchObject([
        { loc: ['body', 'params'], type: 'too_many' },
      ]);
    }
    expect(faultsOf(`{"query":"SELECT 1","params":[${'1,'.repeat(3_999)}1]}`)).toBeUndefined();
  });

  it('a query with a time zone longer than any known zone is rejected', () => {
    expect(faultsOf(`{"query":"SELECT 1","timezone":"${'a/'.repeat(33)}b"}`)).toMatchObject([
      { loc: ['body', 'timezone'] },
    ]);
    expect(faultsOf('{"query":"SELECT 1","timezone":"America/Argentina/Buenos_Aires"}')).toBeUndefined();
  });
});
