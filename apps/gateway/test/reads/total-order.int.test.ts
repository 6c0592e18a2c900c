import { getTestServers } from '@rowhouse/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { callGateway, type TestResponse } from '../support/http-call.js';
import { openMcp, type McpClient } from '../support/mcp-client.js';
import { openReply } from '../support/read-stream.js';
import { stageCell } from '../support/stage-cell.js';

const servers = getTestServers();
const ROWS = 180;
const NUMBERS = `(SELECT a.d + 10 * b.d + 100 * c.d AS n FROM digits a, digits b, digits c)`;
const VALUES = `n % 3, ELT(1 + n % 4, 'a', 'A', 'á', NULL), CONCAT(REPEAT('x', 1500), ELT(1 + n % 5, 'a', 'A', 'b', 'c', '')), CONCAT('{"n":', n % 7, '}'), UNHEX(CONCAT(REPEAT('00', 1100), HEX(CHAR(n % 6)))), n % 2, IF(n % 11, n % 4, NULL)`;
const COLUMNS =
  'g int NULL, word varchar(10) NULL, note text NULL, doc json NULL, raw blob NULL, flag tinyint(1) NOT NULL, price decimal(6,2) NULL';

const DDL = [
  'CREATE TABLE digits (d int PRIMARY KEY)',
  'INSERT INTO digits VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)',
  `CREATE TABLE events (${COLUMNS}, KEY (g))`,
  `INSERT INTO events SELECT ${VALUES} FROM ${NUMBERS} n WHERE n < ${ROWS}`,
  `CREATE TABLE items (id int AUTO_INCREMENT PRIMARY KEY, ${COLUMNS})`,
  `INSERT INTO items (g, word, note, doc, raw, flag, price) SELECT ${VALUES} FROM ${NUMBERS} n WHERE n < ${ROWS}`,
  'CREATE TABLE makers (id int PRIMARY KEY)',
  'INSERT INTO makers VALUES (1), (2)',
  'CREATE TABLE parts (maker_id int NULL, g int NULL, word varchar(10) NULL, CONSTRAINT made FOREIGN KEY (maker_id) REFERENCES makers (id))',
  `INSERT INTO parts SELECT 1 + n % 2, n % 3, CONCAT('w', n) FROM ${NUMBERS} n WHERE n < 60`,
  'CREATE VIEW without_key AS SELECT g, word, note, doc, raw, flag, price FROM items',
  'CREATE VIEW with_key AS SELECT g, id AS number, word FROM items',
  'CREATE VIEW by_word AS SELECT a.word, a.id AS one, b.id AS other, b.g FROM items a JOIN items b ON b.id = a.g + 1 ORDER BY a.word DESC',
  'CREATE VIEW sums AS SELECT word, note, COUNT(*) AS n FROM items GROUP BY word, note',
];

type Row = Record<string, unknown>;

describe.each(servers.engines.map((engine) => [engine.engine, engine] as const))(
  'total orders on %s',
  (_name, engine) => {
    const stage = stageCell(engine, { tenant: { ddl: DDL }, other: {} });
    let mcp: McpClient | null = null;
    afterAll(() => mcp?.close());

    const textsOf = (rows: readonly unknown[]): string[] =>
      rows.map((row) => JSON.stringify(row).replaceAll(/([xA])\1{99,}/g, '$1+'));
    const sorted = (rows: readonly unknown[]): string[] => textsOf(rows).sort();
    const get = async (address: string): Promise<TestResponse> => {
      const response = await callGateway(stage.gateway.url, 'GET', address, { key: stage.tenant.key });
      expect(response.status, `${address} ${response.text.slice(0, 300)}`).toBe(200);
      return response;
    };
    /** Reads all records in one request. The order of a stream is not checked. */
    const readAll = async (path: string): Promise<Row[]> => {
      const reply = await openReply(stage.gateway.url, `/v1/-${path}`, {
        authorization: `Bearer ${stage.tenant.key}`,
        accept: 'application/x-ndjson',
      });
      return (await reply.rest()).text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Row);
    };
    const byLink = async (path: string): Promise<unknown[]> => {
      const rows: unknown[] = [];
      let address: string | undefined = `/v1/-${path}`;
      for (let page = 0; page < 400 && address !== undefined; page += 1) {
        const response: TestResponse = await get(address);
        rows.push(...response.json);
        address = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
      }
      return rows;
    };
    /** Reads all rows in steps. `read` returns the rows from an offset. */
    const bySteps = async (
      step: number,
      read: (offset: number) => Promise<unknown[]>,
    ): Promise<unknown[]> => {
      const rows: unknown[] = [];
      for (let offset = 0; offset < 1000; offset += step) {
        const part = await read(offset);
        rows.push(...part);
        if (part.length < step) break;
      }
      return rows;
    };
    const SURFACES: Readonly<
      Record<string, (table: string, sort: string, step: number) => Promise<unknown[]>>
    > = {
      pages: (table, sort, step) => byLink(`/${table}?sort=${sort}&limit=${step}`),
      offsets: (table, sort, step) =>
        bySteps(
          step,
          async (offset) => (await get(`/v1/-/${table}?sort=${sort}&limit=${step}&_offset=${offset}`)).json,
        ),
      searches: (table, sort, step) =>
        bySteps(
          step,
          async (offset) =>
            (
              await stage.call('POST', `/_search/${table}`, {
                sort: sort.split(','),
                limit: step,
                _offset: offset,
              })
            ).json,
        ),
      streams: (table, sort, step) =>
        bySteps(step, (offset) => readAll(`/${table}?sort=${sort}&limit=${step}&_offset=${offset}`)),
      tools: (table, sort, step) =>
        bySteps(step, async (offset) => {
          mcp ??= await openMcp(stage.gateway.url, stage.tenant.key);
          return (
            await mcp.call('read_records', {
              table: table.replaceAll('-', '_'),
              sort: sort.split(','),
              limit: step,
              offset,
            })
          ).fenced.records;
        }),
    };

    it.each(['pages', 'offsets', 'searches', 'streams', 'tools'])(
      'the %s of views and tables without a key return every row exactly once',
      async (surface) => {
        for (const [table, sort, step] of [
          ['events', 'g', 13],
          ['without-key', '-g', 13],
          ['with-key', 'g', 13],
          ['events', 'word,-flag', 29],
          ['sums', 'n', 7],
        ] as const) {
          const rows = await SURFACES[surface]?.(table, sort, step);
          expect(sorted(rows ?? []), `${surface} of ${table} by ${sort}`).toEqual(
            sorted(await readAll(`/${table}`)),
          );
        }
      },
    );

    it('pages of views and keyless tables are exact without a sort or with a filter', async () => {
      for (const query of [
        'events?limit=17',
        'events?flag=true&limit=7',
        'without-key?limit=17',
        'with-key?limit=23&g__lt=2',
        'events?limit=17&sort=price:nulls_last',
        'by-word?limit=17',
      ]) {
        expect(sorted(await byLink(`/${query}`)), query).toEqual(
          sorted(await readAll(`/${query.replace(/limit=\d+|sort=[^&]*/g, '')}`)),
        );
      }
    });

    it('a view with an ORDER BY is listed in that order', async () => {
      const words = (await byLink('/by-word?limit=17')).map((row) => (row as Row)['word']);
      const expected = await stage.cell.root.rows<{ word: string | null }>(
        `SELECT word FROM ${stage.tenant.schemaName}.by_word ORDER BY word DESC`,
      );
      expect(
        words.map((word) =>
          typeof word === 'string' ? word.normalize('NFD').slice(0, 1).toLowerCase() : word,
        ),
      ).toEqual(expected.map(({ word }) => word?.normalize('NFD').slice(0, 1).toLowerCase() ?? null));
    });

    it('the pages of distinct rows and of groups have no gaps', async () => {
      for (const query of [
        'items?_distinct=g,flag,price,note&sort=g&limit=3',
        'items?_distinct=g,raw,doc&sort=g&limit=3',
        'items?_group=note,raw&_aggregate=n:count&sort=n&limit=4',
        'without-key?_group=raw&_aggregate=n:count&sort=n&limit=1',
      ]) {
        expect(sorted(await byLink(`/${query}`)), query).toEqual(
          sorted(await readAll(`/${query.replace(/&limit=\d+/, '')}`)),
        );
      }
    });

    it('cursors and streams sorted by long texts return every record exactly once', async () => {
      const ids = (rows: readonly unknown[]): number[] =>
        rows.map((row) => (row as { id: number }).id).sort((a, b) => a - b);
      const all = Array.from({ length: ROWS }, (_, index) => index + 1);
      for (const sort of ['note', '-note,flag', 'word', 'price,-word'])
        expect(ids(await byLink(`/items?_cursor=&_select=id&limit=7&sort=${sort}`)), sort).toEqual(all);
      expect((await stage.call('GET', '/items?_cursor=&sort=raw')).status).toBe(422);
      expect(ids(await byLink('/items?_select=id&limit=7&sort=-note'))).toEqual(all);
      expect(ids(await readAll('/items?_select=id&sort=note'))).toEqual(all);
    });

    it('repeated reads return the included records of a keyless table in the same order', async () => {
      for (const sort of ['', '&include[parts][sort]=g']) {
        const all = (await get(`/v1/-/makers/1?include=parts${sort}`)).json.parts as Row[];
        for (const limit of [1, 5, 11])
          expect(
            (await get(`/v1/-/makers?include=parts${sort}&include[parts][limit]=${limit}`)).json[0].parts,
          ).toEqual(all.slice(0, limit));
      }
    });
  },
);
