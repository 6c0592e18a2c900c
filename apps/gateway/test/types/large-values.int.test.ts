import { getTestServers } from '@rowhouse/testkit';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { callGateway, type CallOptions, type TestResponse } from '../support/http-call.js';
import { stageCell } from '../support/stage-cell.js';

const servers = getTestServers();
const UNITS = 700_000;
/** The value of each column. Bytes are base64. */
const VALUES = {
  plain: 'x'.repeat(UNITS),
  escapes: '\u0001"\\'.repeat(UNITS / 4),
  wide: 'ä😀'.repeat(UNITS / 4),
  bytes: Buffer.alloc(UNITS, 'bytes').toString('base64'),
  document: { list: Array.from({ length: 100_000 }, (_, index) => index), text: 'y'.repeat(200_000) },
};
type Name = keyof typeof VALUES;
const NAMES = Object.keys(VALUES) as Name[];

const DDL = [
  'CREATE TABLE owners (id int PRIMARY KEY)',
  `CREATE TABLE large (id int AUTO_INCREMENT PRIMARY KEY, owner_id int NULL, plain longtext NULL, escapes longtext NULL, wide longtext NULL,
    bytes longblob NULL, document json NULL, FOREIGN KEY (owner_id) REFERENCES owners (id))`,
];

describe.each(servers.engines.map((engine) => [engine.engine, engine] as const))(
  'large values on %s',
  (_name, engine) => {
    const stage = stageCell(engine, { tenant: { ddl: DDL }, other: null });

    beforeAll(async () => {
      expect((await call('POST', '/v1/-/owners', { body: { id: 1 } })).status).toBe(201);
      for (const name of NAMES)
        expect(
          (await call('POST', '/v1/-/large', { body: { owner_id: 1, [name]: VALUES[name] } })).json[name],
          name,
        ).toEqual(VALUES[name]);
    }, 120_000);
    const call = (method: string, path: string, options: CallOptions = {}): Promise<TestResponse> =>
      callGateway(stage.gateway.url, method, path, { key: stage.tenant.key, ...options });

    /** Counts the slices in which a response was written. */
    async function countSlices(callback: () => Promise<void>): Promise<number> {
      const nextSlice = vi.spyOn(stage.gateway.running.services.scheduler, 'nextSlice');
      await callback();
      const { length } = nextSlice.mock.calls;
      nextSlice.mockRestore();
      return length;
    }

    it.each(NAMES)(
      'every endpoint returns the large value %s unchanged and serializes it in slices',
      async (name) => {
        const id = NAMES.indexOf(name) + 1;
        const expectValue = (text: string): void =>
          expect(JSON.parse(text)[name], name).toEqual(VALUES[name]);
        const [sql, filter] = [`SELECT ${name} FROM large WHERE id = ${id}`, `id=${id}&_select=${name}`];
        const query = (headers: Record<string, string>, members: object = {}): Promise<TestResponse> =>
          call('POST', '/v1/-/query', { body: { query: sql, mode: 'sql', ...members }, headers });
        for (const [endpoint, callback] of [
          ['record', async () => expectValue((await call('GET', `/v1/-/large/${id}`)).text)],
          ['list', async () => expectValue((await call('GET', `/v1/-/large?${filter}`)).text.slice(1, -1))],
          [
            'list as NDJSON',
            async () =>
              expectValue(
                (await call('GET', `/v1/-/large?${filter}`, { headers: { accept: 'application/x-ndjson' } }))
                  .text,
              ),
          ],
          [
            'list as NDJSON with versions',
            async () => {
              const { text } = await call('GET', `/v1/-/large?${filter},_etag`, {
                headers: { accept: 'application/x-ndjson' },
              });
              expectValue(text);
              expect(JSON.parse(text)._etag).toBe(
                (await call('GET', `/v1/-/large/${id}`)).headers.get('etag'),
              );
            },
          ],
          ['query', async () => expectValue((await query({})).text.slice(1, -1))],
          [
            'query in arrays',
            async () => expect((await query({}, { array_mode: true })).json[0][0]).toEqual(VALUES[name]),
          ],
          [
            'query as NDJSON',
            async () => expectValue((await query({ accept: 'application/x-ndjson' })).text),
          ],
          [
            'query verbose',
            async () =>
              expect((await query({}, { verbose: true })).json).toMatchObject({
                row_count: 1,
                columns: [{ name, table: 'large', column: name }],
              }),
          ],
          [
            'query as events',
            async () => expect((await query({ accept: 'text/event-stream' })).text).toContain('event: done'),
          ],
        ] as const) {
          expect(await countSlices(callback), endpoint).toBeGreaterThan(2);
        }
      },
    );

    it('a record with large values keeps its version until one of them changes', async () => {
      for (const name of NAMES) {
        const path = `/v1/-/large/${NAMES.indexOf(name) + 1}`;
        const tag = String((await call('GET', path)).headers.get('etag'));
        expect((await call('GET', path, { headers: { 'if-none-match': tag } })).status).toBe(304);
        const changed = await call('PATCH', path, { body: { [name]: null }, headers: { 'if-match': tag } });
        expect(changed.status).toBe(200);
        expect(
          (await call('PATCH', path, { body: { [name]: VALUES[name] }, headers: { 'if-match': tag } }))
            .status,
        ).toBe(412);
        const secondResponse = await call('PATCH', path, {
          body: { [name]: VALUES[name] },
          headers: { 'if-match': String(changed.headers.get('etag')) },
        });
        expect(secondResponse.headers.get('etag')).toBe(tag);
      }
    });

    it('a response with included large values has an ETag that depends on them', async () => {
      const path = '/v1/-/owners/1?include=large';
      const first = await call('GET', path);
      expect(
        first.json.large.map((record: Record<Name, unknown>, index: number) => record[NAMES[index] as Name]),
      ).toEqual(NAMES.map((name) => VALUES[name]));
      expect(
        (await call('GET', path, { headers: { 'if-none-match': String(first.headers.get('etag')) } })).status,
      ).toBe(304);
      await call('PATCH', '/v1/-/large/1', { body: { plain: `${VALUES.plain.slice(1)}y` } });
      expect((await call('GET', path)).headers.get('etag')).not.toBe(first.headers.get('etag'));
    });
  },
);
