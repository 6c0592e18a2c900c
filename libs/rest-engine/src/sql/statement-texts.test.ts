import { compileSnapshot, nameSnapshot, type Rights } from '@rowhouse/schema-model';
import { rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { describe, expect, it } from 'vitest';
import { ALL, compile, plan, program, type CallOptions } from '../../test/blog.js';
import type { Statement } from './statement.js';
import { createStatementTexts } from './statement-texts.js';

const HIDDEN: Rights = { ...ALL, hiddenColumns: { users: ['bio'] } };
const WRITE_ONLY: Rights = { ...ALL, verbs: ['write'] };
const MINIMAL = { prefer: 'return=minimal' };
const ITEM = '2f1c9a4e-5b1d-4a57-9d50-0a4a2b4c6d10';

/** Pairs and groups of similar calls, whose statement texts must not be confused. */
const CALLS: readonly (readonly [string, CallOptions])[] = [
  ['POST /tags', { body: { name: 'a' } }],
  ['POST /tags', { body: { name: 'b' } }],
  ['POST /tags', { body: { name: 'a', description: 'd' } }],
  ['POST /tags', { body: { description: 'd', name: 'a' } }],
  ['POST /tags', { body: [{ name: 'a' }] }],
  ['POST /tags', { body: [{ name: 'a' }, { name: 'b' }] }],
  ['POST /tags', { body: { name: 'a' }, headers: MINIMAL }],
  ['POST /tags', { body: { name: 'a' }, rights: WRITE_ONLY }],
  ['POST /users', { body: { username: 'a', email: 'a@example.test' } }],
  ['POST /users', { body: { username: 'a', email: 'a@example.test' }, rights: HIDDEN }],
  ['POST /types', { body: { uuid: ITEM, bits: 3, place: { type: 'Point', coordinates: [1, 2] } } }],
  ['POST /types', { body: {} }],
  ['POST /logs', { body: { at: '2026-01-31T10:00:00', text: 'x' } }],
  ['PATCH /tags/1', { body: { name: 'a' } }],
  ['PATCH /tags/2', { body: { name: 'b' } }],
  ['PATCH /tags/1', { body: { description: 'a' } }],
  ['PATCH /tags/1', { body: { name: 'a', description: null } }],
  ['PATCH /tags/1', { body: {} }],
  ['PATCH /tags/1', { body: { name: 'a' }, headers: MINIMAL }],
  ['PATCH /tags/1', { body: { name: 'a' }, rights: WRITE_ONLY }],
  ['PATCH /users/1', { body: { bio: 'b' } }],
  ['PATCH /users/1', { body: { email: 'b@example.test' }, rights: HIDDEN }],
  ['PATCH /types/1', { body: { tiny: 1 } }],
  ['PATCH /types/1', { body: { tiny: { $inc: 1 } } }],
  ['PATCH /types/1', { body: { price: { $inc: 1.5 } } }],
  ['PATCH /types/1', { body: { price: { $inc: '1.25' } } }],
  ['PATCH /types/1', { body: { price: '1.25' } }],
  [`PATCH /types/${ITEM}`, { body: { tiny: 1 } }],
  [`PATCH /types/${ITEM}`, { body: { tiny: 1, id: 5 } }],
  [`PATCH /types/${ITEM}`, { body: { uuid: '00000000-0000-4000-8000-000000000000' } }],
  ['PATCH /countries/de', { body: { title: 't' } }],
  ['PATCH /post_tags/1,2', { body: {} }],
];

function statementsOf(
  endpoint: string,
  options: CallOptions,
): readonly Pick<Statement, 'sql' | 'params' | 'shape'>[] {
  return program(endpoint, options).first.statements.map(({ sql, params, shape }) => ({
    sql,
    params,
    shape,
  }));
}

describe('cached texts of statements', () => {
  it('a cached statement text equals a new one', () => {
    // There is one compiled snapshot for each set of rights, as in a gateway.
    const known = new Map([ALL, HIDDEN, WRITE_ONLY].map((rights) => [rights, compile(rights)]));
    for (let iteration = 0; iteration < 2; iteration += 1) {
      for (const [endpoint, options] of CALLS) {
        const compiled = known.get(options.rights ?? ALL) ?? compile();
        const again = statementsOf(endpoint, { ...options, compiled });
        expect(
          again.map(({ sql, params }) => [sql, params]),
          endpoint,
        ).toEqual(statementsOf(endpoint, options).map(({ sql, params }) => [sql, params]));
      }
    }
  });

  it('a cached statement text is the same string object', () => {
    const compiled = compile();
    const created = (name: string): Statement | undefined =>
      program('POST /tags', { body: { name }, compiled }).first.statements[0];
    expect(created('a')?.sql).toBe(created('b')?.sql);
    expect([created('a')?.params, created('b')?.params]).toEqual([['a'], ['b']]);
  });

  it('a text that depends on the value of a key is not cached', () => {
    const tables = [
      ['prices', 'decimal(6,2)'],
      ['days', 'date'],
    ].map(([name = '', type = '']) =>
      rawTable(name, [rawColumn('id', type), rawColumn('n', 'int')], { primaryKey: ['id'] }),
    );
    const compiled = compileSnapshot(nameSnapshot({ engine: 'mysql', tables }, null), 1, ALL);
    const sqlOf = (endpoint: string): readonly string[] =>
      statementsOf(endpoint, { body: { n: 1 }, compiled }).map(({ sql }) => sql.slice(sql.indexOf('WHERE')));
    expect([sqlOf('PATCH /prices/1.5'), sqlOf('PATCH /prices/1.255')].map(([update]) => update)).toEqual([
      'WHERE `id` = CAST(? AS DECIMAL(65,2))',
      'WHERE `id` = CAST(? AS DECIMAL(65,3))',
    ]);
    expect([sqlOf('PATCH /days/2024-02-28'), sqlOf('PATCH /days/2024-02-31')]).toEqual([
      ['WHERE `id` = ?', 'WHERE `id` = ?'],
      ['WHERE CAST(`id` AS CHAR) = ?', 'WHERE CAST(`id` AS CHAR) = ?'],
    ]);
  });

  it('the statement text cache has a maximum size', () => {
    const texts = createStatementTexts();
    const { table } = plan('GET /tags');
    const of = {};
    for (let name = 0; name < 65; name += 1)
      expect(texts.keep(table, of, String(name), `text ${name}`)).toBe(`text ${name}`);
    expect([texts.find(table, of, '64'), texts.find(table, of, '63'), texts.find(table, {}, '64')]).toEqual([
      'text 64',
      undefined,
      undefined,
    ]);
  });
});
