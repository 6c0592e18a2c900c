import { getTestServers } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestResponse } from '../support/http-call.js';
import { createTestCell, type TestCell, type TestTenant } from '../support/test-cell.js';
import { send, type TypeFixture } from '../types/type-fixture.js';

const servers = getTestServers();
const signal = (name: string, condition: string, statement: string): string =>
  `CREATE TRIGGER ${name} BEFORE INSERT ON guarded FOR EACH ROW ${name === 'g1' ? '' : 'FOLLOWS g1 '}BEGIN IF NEW.word = '${condition}' THEN ${statement}; END IF; END`;

const DDL = [
  `CREATE TABLE kinds (id int AUTO_INCREMENT PRIMARY KEY, word varchar(5) UNIQUE, small tinyint unsigned, day date, pick enum('a','b'), data json, latin varchar(20) CHARACTER SET latin1, doubled tinyint unsigned AS (small * 2) STORED, must varchar(5) NOT NULL DEFAULT 'x', n tinyint unsigned NOT NULL DEFAULT 9, CONSTRAINT small_is_even CHECK (small % 2 = 0))`,
  'CREATE TABLE parents (a int, b varchar(5), PRIMARY KEY (a, b))',
  'CREATE TABLE children (id int AUTO_INCREMENT PRIMARY KEY, pa int, pb varchar(5), CONSTRAINT to_parent FOREIGN KEY (pa, pb) REFERENCES parents (a, b), UNIQUE both_parts (pa, pb))',
  'CREATE TABLE guarded (id int AUTO_INCREMENT PRIMARY KEY, word varchar(20), other int)',
  'CREATE TABLE audit (id int AUTO_INCREMENT PRIMARY KEY, word varchar(3) UNIQUE)',
  'CREATE TABLE split (id int NOT NULL PRIMARY KEY, note varchar(5)) PARTITION BY RANGE (id) (PARTITION p0 VALUES LESS THAN (100))',
  `CREATE TABLE tiny (id tinyint unsigned AUTO_INCREMENT PRIMARY KEY, note varchar(5))`,
  'INSERT INTO tiny (id) VALUES (255)',
  signal('g1', 'text', "SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'Closed on Sundays: \"ü\"'"),
  signal('g2', 'numbered', "SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'Numbered', MYSQL_ERRNO = 1054"),
  signal('g3', 'state', "SIGNAL SQLSTATE '99999' SET MESSAGE_TEXT = 'inner words', MYSQL_ERRNO = 5555"),
  signal('g4', 'errno', "SIGNAL SQLSTATE 'HY000' SET MESSAGE_TEXT = 'inner words', MYSQL_ERRNO = 31001"),
  signal('g5', 'plain', "SIGNAL SQLSTATE '12345' SET MESSAGE_TEXT = 'inner words'"),
  signal('g6', 'nofound', "SIGNAL SQLSTATE '02000' SET MESSAGE_TEXT = 'inner words'"),
  signal('g7', 'broken', 'SET NEW.other = (SELECT id FROM parents CROSS JOIN audit)'),
  signal('g8', 'audit', "INSERT INTO audit (word) VALUES ('abc')"),
  signal('g9', 'toolong', "INSERT INTO audit (word) VALUES ('abcdef')"),
  signal('g10', 'nested', 'UPDATE guarded SET other = 1 WHERE id = 1'),
  signal('g11', 'case', 'CASE NEW.other WHEN 1 THEN SET NEW.other = 2; END CASE'),
];

/** A request, the expected status and code of its response, and further expected members of the body. */
type Row = readonly [
  name: string,
  method: string,
  path: string,
  body: unknown,
  status: number,
  code: string,
  members?: Readonly<Record<string, unknown>>,
];

const at = (...loc: (string | number)[]): Readonly<Record<string, unknown>> => ({
  detail: [expect.objectContaining({ loc })],
});
const ROWS: readonly Row[] = [
  [
    'duplicate',
    'POST',
    '/kinds',
    { word: 'one' },
    409,
    'record.duplicate',
    { constraint: 'word', columns: ['word'] },
  ],
  [
    'duplicate primary key',
    'POST',
    '/parents',
    { a: 1, b: 'X' },
    409,
    'record.duplicate',
    { constraint: 'PRIMARY', columns: ['a', 'b'] },
  ],
  [
    'duplicate of a named key',
    'POST',
    '/children',
    { pa: 1, pb: 'x' },
    409,
    'record.duplicate',
    { constraint: 'both_parts', columns: ['pa', 'pb'] },
  ],
  [
    'duplicate in bulk',
    'POST',
    '/kinds',
    [{ word: 'two' }, { word: 'two' }],
    409,
    'record.duplicate',
    { constraint: 'word' },
  ],
  [
    'duplicate by an update',
    'PATCH',
    '/kinds/2',
    { word: 'one' },
    409,
    'record.duplicate',
    { columns: ['word'] },
  ],
  [
    'no parent',
    'POST',
    '/children',
    { pa: 9, pb: 'z' },
    409,
    'record.foreign_key',
    { constraint: 'to_parent', table: 'children', columns: ['pa', 'pb'] },
  ],
  [
    'still in use',
    'DELETE',
    '/parents/1,x',
    undefined,
    409,
    'record.foreign_key',
    { constraint: 'to_parent', table: 'children', columns: ['pa', 'pb'] },
  ],
  [
    'still in use, many',
    'DELETE',
    '/parents?a=1',
    undefined,
    409,
    'record.foreign_key',
    { constraint: 'to_parent' },
  ],
  [
    'check',
    'POST',
    '/kinds',
    { small: 3 },
    422,
    'record.check_failed',
    { constraint: 'small_is_even', ...at('body') },
  ],
  [
    'check of an update',
    'PATCH',
    '/kinds?word=one',
    { small: 5 },
    422,
    'record.check_failed',
    { constraint: 'small_is_even' },
  ],
  [
    'generated column overflows',
    'POST',
    '/kinds',
    { small: 200 },
    422,
    'body.invalid',
    at('body', 'doubled'),
  ],
  ['increment overflows', 'PATCH', '/kinds/1', { n: { $inc: 250 } }, 422, 'body.invalid', at('body', 'n')],
  ['increment below zero', 'PATCH', '/kinds/1', { n: { $inc: -10 } }, 422, 'body.invalid'],
  [
    'a character that the set lacks',
    'POST',
    '/kinds',
    { latin: '漢' },
    422,
    'body.invalid',
    at('body', 'latin'),
  ],
  [
    'a character to look for that the set lacks',
    'GET',
    '/kinds?latin=%E6%BC%A2',
    undefined,
    422,
    'params.invalid',
    at('query', 'latin'),
  ],
  ['no partition', 'POST', '/split', { id: 500 }, 422, 'body.invalid', at('body')],
  [
    'signal 45000',
    'POST',
    '/guarded',
    { word: 'text' },
    422,
    'record.rejected',
    { detail: [{ loc: ['body'], msg: 'Closed on Sundays: "ü"', type: 'signal' }] },
  ],
  [
    'signal 45000 with a number of the server',
    'POST',
    '/guarded',
    { word: 'numbered' },
    422,
    'record.rejected',
    { detail: [{ loc: ['body'], msg: 'Numbered', type: 'signal' }] },
  ],
  ['signal of another state and number', 'POST', '/guarded', { word: 'state' }, 422, 'record.rejected'],
  ['signal of another number', 'POST', '/guarded', { word: 'errno' }, 422, 'record.rejected'],
  ['signal of another state', 'POST', '/guarded', { word: 'plain' }, 422, 'record.rejected'],
  ['signal "not found"', 'POST', '/guarded', { word: 'nofound' }, 422, 'record.rejected'],
  ['a trigger that fails', 'POST', '/guarded', { word: 'broken' }, 409, 'schema.broken_object'],
  ['a trigger without a case', 'POST', '/guarded', { word: 'case', other: 7 }, 409, 'schema.broken_object'],
  ['a trigger on its own table', 'POST', '/guarded', { word: 'nested' }, 409, 'schema.broken_object'],
  ['a duplicate that a trigger makes', 'POST', '/guarded', { word: 'audit' }, 409, 'record.duplicate'],
  [
    'a value that a trigger makes',
    'POST',
    '/guarded',
    { word: 'toolong' },
    422,
    'body.invalid',
    at('body', 'word'),
  ],
  // The gateway rejects these requests before the database receives a statement.
  [
    'unknown column',
    'POST',
    '/kinds',
    { wrod: 'x' },
    422,
    'body.invalid',
    { ...at('body', 'wrod'), hint: 'Did you mean word?' },
  ],
  [
    'unknown parameter',
    'GET',
    '/kinds?wrod=x',
    undefined,
    422,
    'params.invalid',
    { ...at('query', 'wrod'), hint: 'Did you mean word?' },
  ],
  [
    'unknown operator',
    'GET',
    '/kinds?word__lik=x',
    undefined,
    422,
    'params.invalid',
    { hint: 'Did you mean like?' },
  ],
  [
    'unknown column to sort by',
    'GET',
    '/kinds?sort=smal',
    undefined,
    422,
    'params.invalid',
    { hint: 'Did you mean small?' },
  ],
  [
    'unknown column to select',
    'GET',
    '/kinds?_select=Word',
    undefined,
    422,
    'params.invalid',
    { hint: 'Did you mean word?' },
  ],
  [
    'unknown relationship',
    'GET',
    '/children?include=parnt',
    undefined,
    422,
    'params.invalid',
    { hint: expect.stringContaining('parent') },
  ],
  ['unknown column of another table', 'GET', '/children?parent.c=1', undefined, 422, 'params.invalid'],
  [
    'unknown key',
    'POST',
    '/kinds?_on_conflict=small',
    { word: 'x' },
    422,
    'params.invalid',
    { hint: expect.stringContaining('word') },
  ],
  [
    'unknown table',
    'GET',
    '/kind',
    undefined,
    404,
    'table.not_found',
    { detail: 'Entity kind does not exist', hint: 'Did you mean kinds?' },
  ],
  [
    'unknown label',
    'POST',
    '/kinds',
    { pick: 'A' },
    422,
    'body.invalid',
    { ...at('body', 'pick'), hint: 'Did you mean "a"?' },
  ],
  [
    'word of another service',
    'GET',
    '/kinds?offset=5',
    undefined,
    422,
    'params.invalid',
    { hint: expect.stringContaining('_offset') },
  ],
  ['record that is not there', 'GET', '/kinds/999', undefined, 404, 'record.not_found'],
  ['malformed identifier', 'GET', '/kinds/1x', undefined, 422, 'key.invalid', at('path', 'id')],
  ['malformed JSON', 'POST', '/kinds', '{"word":', 400, 'request.malformed_json'],
  ['not null', 'POST', '/kinds', { must: null }, 422, 'body.invalid', at('body', 'must')],
  ['too long', 'POST', '/kinds', { word: 'longer' }, 422, 'body.invalid', at('body', 'word')],
  ['not a day', 'POST', '/kinds', { day: '2024-02-30' }, 422, 'body.invalid', at('body', 'day')],
];

describe.each(servers.engines.map((engine) => [engine.engine, engine] as const))(
  'errors on %s',
  (_engine, engine) => {
    let cell: TestCell;
    let bench: TypeFixture;
    let outsider: TestTenant;

    beforeAll(async () => {
      cell = await createTestCell(engine, servers.redisUrl);
      const tenant = await cell.addTenant({ ddl: DDL });
      outsider = await cell.addTenant();
      bench = { cell, tenant, url: (await cell.startGateway()).url };
      for (const [path, body] of [
        ['/kinds', [{ word: 'one', small: 2 }, { word: 'two' }]],
        [
          '/parents',
          [
            { a: 1, b: 'x' },
            { a: 2, b: 'y' },
          ],
        ],
        ['/children', { pa: 1, pb: 'x' }],
        ['/audit', [{ word: 'abc' }, { word: 'abd' }]],
        ['/guarded', { word: 'first' }],
      ] as const) {
        const response = await send(bench, 'POST', path, { body });
        expect(response.status, response.text).toBe(201);
      }
    });

    afterAll(() => cell?.stop());

    const call = (method: string, path: string, body: unknown, accept?: string): Promise<TestResponse> =>
      send(bench, method, path, {
        ...(body === undefined ? {} : { body }),
        ...(accept === undefined ? {} : { headers: { accept } }),
      });

    it.each(ROWS.map((row) => [row[0], row] as const))(
      'the data API reports the error with its status and code: %s',
      async (_name, [, method, path, body, status, code, members = {}]) => {
        const response = await call(method, path, body);
        expect(response.json, response.text).toMatchObject({ code, ...members });
        expect([response.status, response.json.request_id]).toEqual([
          status,
          response.headers.get('x-request-id'),
        ]);
        expect(Array.isArray(response.json.detail)).toBe(status === 422);
        const problem = await call(method, path, body, 'application/problem+json');
        expect(problem.headers.get('content-type')).toContain('application/problem+json');
        expect(problem.json).toMatchObject({
          type: `urn:rowhouse:error:${code}`,
          status,
          code,
          title: expect.any(String),
          detail: expect.any(String),
        });
        const { constraint, columns, hint } = response.json;
        for (const [member, value] of Object.entries({ constraint, columns, hint }))
          expect(problem.json[member], member).toEqual(value);
        if (status === 422 && response.json.detail[0].loc.length > 0)
          expect(problem.json.errors[0].pointer).toBe(
            response.json.detail[0].loc.map((part: string | number) => `/${String(part)}`).join(''),
          );
        for (const text of [response.text, problem.text])
          expect(text).not.toMatch(/inner words|SQLSTATE|errno|INSERT INTO|`[a-z]+`\.`/);
      },
    );

    it('an exhausted AUTO_INCREMENT is reported', async () => {
      const response = await call('POST', '/tiny', { note: 'x' });
      // At the end of the range, MySQL assigns the last number again.
      expect([response.status, response.json.code]).toEqual(
        engine.engine === 'mysql' ? [409, 'record.duplicate'] : [507, 'limit.storage'],
      );
    });

    it('an error does not mention tables and columns that the key may not see', async () => {
      const narrow = await cell.addKey(bench.tenant, { tables: { parents: ['read', 'write', 'delete'] } });
      const response = await send(bench, 'DELETE', '/parents/1,x', { key: narrow.secret });
      expect([response.status, response.json.code]).toEqual([409, 'record.foreign_key']);
      expect(response.text).not.toMatch(/children|to_parent|pa\b/);
      expect((await send(bench, 'GET', '/kinds', { key: outsider.key })).json).toMatchObject({
        code: 'table.not_found',
      });
    });
  },
);
