import { expect, it } from 'vitest';
import { isTenantSchema, readAccountName } from './account-names.js';

const SCHEMA = 'pabcdefghijklmno';
const RANDOM = 'abcdefghijklmnopqrst';

it.each([
  [`${SCHEMA}r`, { kind: 'rows', schemaName: SCHEMA }],
  [`${SCHEMA}q`, { kind: 'query', schemaName: SCHEMA }],
  [`${SCHEMA}q7f3a`, { kind: 'query', schemaName: SCHEMA }],
  [`${SCHEMA}w7f3a`, { kind: 'query', schemaName: SCHEMA }],
  [`${SCHEMA}m`, { kind: 'migrator', schemaName: SCHEMA }],
  [`${SCHEMA}d`, { kind: 'definer', schemaName: SCHEMA }],
  [`x${RANDOM}`, { kind: 'scratch', schemaName: `x${RANDOM}` }],
  [`u${RANDOM}`, { kind: 'connection', schemaName: null }],
  [`${SCHEMA}m2`, null],
  [`${SCHEMA}`, null],
  ['root', null],
  ['rh_observer', null],
])('readAccountName parses the account name %s', (name, expected) => {
  expect(readAccountName(name)).toEqual(expected);
});

it('isTenantSchema accepts schemas of databases and scratch databases only', () => {
  expect([SCHEMA, `x${RANDOM}`, `${SCHEMA}s`, 'mysql', `u${RANDOM}`].map(isTenantSchema)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
