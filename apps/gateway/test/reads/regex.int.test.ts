import { getTestServers } from '@rowhouse/testkit';
import { describe, expect, it } from 'vitest';
import { callGateway } from '../support/http-call.js';
import { stageCell } from '../support/stage-cell.js';

const servers = getTestServers();

const DDL = [
  `CREATE TABLE words (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, word varchar(100) NOT NULL, code varchar(20) CHARACTER SET latin1 COLLATE latin1_bin NOT NULL DEFAULT 'x', kind enum('noun','verb') NULL, number int NULL, day date NULL, raw varbinary(9) NULL)`,
  'CREATE TABLE notes (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, word_id int NOT NULL, body text NOT NULL, CONSTRAINT word FOREIGN KEY (word_id) REFERENCES words (id))',
];
const ROWS = [
  "INSERT INTO words (word, code, kind, number, day) VALUES ('Apple', 'AB12', 'noun', 12, '2026-01-31'), ('apple pie', 'ab12', 'noun', 7, NULL), ('Äpfel', 'été', 'verb', 12345, '2027-12-01'), ('a{2}', 'x', NULL, NULL, NULL)",
  "INSERT INTO notes (word_id, body) VALUES (1, 'red and green'), (1, 'sour'), (2, 'sweet')",
];

describe.each(servers.engines.map((engine) => [engine.engine, engine] as const))(
  'regular expressions on %s',
  (_name, engine) => {
    const stage = stageCell(engine, {
      tenant: { ddl: DDL, rows: ROWS, settings: { regex_enabled: true } },
      other: null,
    });
    const { call } = stage;

    const ids = async (column: string, pattern: string, table = 'words'): Promise<unknown> => {
      const response = await call(
        'GET',
        `/${table}?_select=id&${encodeURIComponent(column)}__regex=${encodeURIComponent(pattern)}`,
      );
      return response.status === 200 ? response.json.map((row: { id: number }) => row.id) : response.json;
    };

    it('a regular expression uses the collation of its column, for every text type', async () => {
      expect(await ids('word', '^app')).toEqual([1, 2]);
      expect(await ids('word', '(?-i)^app')).toEqual([2]);
      expect(await ids('word', '^.pfel$')).toEqual([3]);
      expect(await ids('word', 'a\\{2\\}')).toEqual([4]);
      expect(await ids('word', '^[[:alpha:]]+$')).toEqual([1, 3]);
      expect(await ids('code', '^[a-z]{2}\\d+$')).toEqual([2]);
      expect(await ids('code', '^é')).toEqual([3]);
      expect(await ids('kind', '^n')).toEqual([1, 2]);
      expect(await ids('number', '^1\\d+$')).toEqual([1, 3]);
      expect(await ids('day', '-01$')).toEqual([3]);
      expect(await ids('word.word', '^Apple$', 'notes')).toEqual([1, 2]);
    });

    it('regular expressions work in filter trees, includes, groups, counts and filtered writes', async () => {
      const tree = encodeURIComponent(
        JSON.stringify({ or: [{ word__regex: '^Ä' }, { notes: { body__regex: 'sw(ee)t' } }] }),
      );
      expect((await call('GET', `/words?_select=id&_filter=${tree}&_count=exact`)).json).toEqual([
        { id: 2 },
        { id: 3 },
      ]);
      expect(
        (
          await call(
            'GET',
            '/words/1?_select=id&include=notes&include[notes][body__regex]=^s&include[notes][_select]=body',
          )
        ).json,
      ).toEqual({ id: 1, notes: [{ body: 'sour' }] });
      expect(
        (
          await call(
            'GET',
            `/words?_aggregate=count&_group=kind&_having=${encodeURIComponent('{"kind__regex":"^n"}')}`,
          )
        ).json,
      ).toEqual([{ kind: 'noun', count: 2 }]);
      expect((await call('PATCH', '/words?word__regex=^a%5C%7B', { number: 1 })).json).toEqual({
        updated: 1,
      });
      expect((await call('POST', '/_search/words', { word__regex: 'pie$', _select: ['id'] })).json).toEqual([
        { id: 2 },
      ]);
    });

    it('an invalid regular expression is rejected with its position on every engine', async () => {
      for (const pattern of ['(', '[a', '*', 'a{2,1}', '\\', '(?R)', '(*LIMIT_MATCH=1)a', 'a'.repeat(201)]) {
        const response = await call('GET', `/words?word__regex=${encodeURIComponent(pattern)}`);
        expect([pattern, response.status, response.json.detail?.[0]]).toEqual([
          pattern,
          422,
          { loc: ['query', 'word__regex'], msg: expect.stringContaining('character'), type: 'regex_parsing' },
        ]);
      }
      expect((await call('GET', '/words?raw__regex=a')).json.detail[0].type).toBe('not_comparable');
      expect((await call('GET', '/words?word__regex=%5Cp%7BNope%7D')).json.detail[0]).toMatchObject({
        type: 'regex_parsing',
      });
    });

    it('a regular expression that takes too many steps is rejected with an error', async () => {
      await stage.cell.root.run(
        `INSERT INTO ${stage.tenant.schemaName}.words (word) VALUES (CONCAT(REPEAT('a', 60), '!'))`,
      );
      for (const path of [
        '/words?word__regex=^(a%2B)%2B$',
        '/words?_aggregate=count&word__regex=^(a%2B)%2B$',
        '/notes?include=word&include[word][word__regex]=^(a%2B)%2B$&_cursor=',
      ]) {
        const response = await call('GET', path);
        if (path.startsWith('/notes')) expect(response.status).toBe(200);
        else expect([path, response.status, response.json.detail[0].type]).toEqual([path, 422, 'regex_cost']);
      }
      const write = await call(
        'DELETE',
        '/words?_filter=%7B%22not%22%3A%7B%22word__regex%22%3A%22%5E(a%2B)%2B%24%22%7D%2C%22number__isnull%22%3Atrue%7D',
      );
      expect([write.status, write.json.detail[0].type]).toEqual([422, 'regex_cost']);
      const batch = await call('POST', '/_batch', {
        operations: [
          {
            method: 'PATCH',
            path: '/words?id__gt=4&_filter={"not":{"word__regex":"^(a%2B)%2B$"}}',
            body: { number: 1 },
          },
        ],
      });
      expect([batch.status, batch.json.operation, batch.json.detail[0].type]).toEqual([422, 0, 'regex_cost']);
      expect((await call('GET', '/words?number__isnull=true')).json).toHaveLength(1);
    });

    it('a regular expression is stopped after a second', async () => {
      const { schemaName } = stage.tenant;
      await stage.cell.root.run(
        `INSERT INTO ${schemaName}.words (word) SELECT CONCAT(REPEAT('a', 18), '!') FROM information_schema.columns a, information_schema.columns b LIMIT 20000`,
      );
      const response = await call(
        'GET',
        '/words?word__regex=^(a%7Caa)%2B$&word__ne=x&number__isnull=true&id__ne=5',
      );
      expect([response.status, response.json.code, response.json.detail]).toEqual([
        504,
        'db.timeout',
        'The regular expression took longer than 1 s.',
      ]);
      expect((await call('GET', '/words/1')).status).toBe(200);
    });

    it('regular expressions are rejected unless the database allows them', async () => {
      const closed = await stage.cell.addTenant({ ddl: DDL });
      for (const query of [
        'word__regex=a',
        '_filter=%7B%22word__regex%22:%22a%22%7D',
        'notes.body__regex=a',
      ]) {
        const response = await callGateway(stage.gateway.url, 'GET', `/v1/-/words?${query}`, {
          key: closed.key,
        });
        expect([query, response.status, response.json.detail[0].type, response.json.hint]).toEqual([
          query,
          422,
          'not_enabled',
          expect.stringContaining('regex_enabled'),
        ]);
      }
    });
  },
);
