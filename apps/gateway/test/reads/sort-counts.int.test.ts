import { openRandom } from '@rowhouse/schema-model/testing';
import { getTestServers } from '@rowhouse/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { callGateway, type TestResponse } from '../support/http-call.js';
import { stageCell } from '../support/stage-cell.js';

const servers = getTestServers();
const SEED = 20_261_128;
const PEOPLE = 40;
const SORTS = 24;
const DDL = [
  'CREATE TABLE shops (code varchar(10) NOT NULL PRIMARY KEY)',
  'CREATE TABLE people (id int PRIMARY KEY, grade int NULL, boss_id int NULL, shop_code varchar(10) NULL, FOREIGN KEY (boss_id) REFERENCES people (id), FOREIGN KEY (shop_code) REFERENCES shops (code))',
  'CREATE TABLE notes (id int PRIMARY KEY, person_id int NULL, size int NOT NULL, FOREIGN KEY (person_id) REFERENCES people (id))',
  'CREATE TABLE labels (id int PRIMARY KEY)',
  'CREATE TABLE people_labels (person_id int NOT NULL, label_id int NOT NULL, PRIMARY KEY (person_id, label_id), FOREIGN KEY (person_id) REFERENCES people (id), FOREIGN KEY (label_id) REFERENCES labels (id))',
];

const random = openRandom(SEED);
const SHOPS = [{ code: 'Ams' }, { code: 'ber' }, { code: 'x' }];
const people = Array.from({ length: PEOPLE }, (_, index) => ({
  id: index + 1,
  grade: random.maybe(0.4) ? null : random.integer(2),
  boss_id: index === 0 || random.maybe(0.3) ? null : 1 + random.integer(Math.min(index, 9)),
  shop_code: random.pick([null, 'AMS', 'ams', 'ber']),
}));
const notes = Array.from({ length: 70 }, (_, index) => ({
  id: index + 1,
  person_id: random.maybe(0.1) ? null : 1 + random.integer(PEOPLE / 2),
  size: random.integer(10),
}));
const labels = Array.from({ length: 4 }, (_, index) => ({ id: index + 1 }));
const peopleLabels = people.flatMap(({ id }) =>
  labels.filter(() => random.maybe(0.3)).map((label) => ({ person_id: id, label_id: label.id })),
);

type Person = (typeof people)[number];
/** For each sort key, the value by which the test compares people. Counts are never NULL. */
const KEYS: Readonly<Record<string, (user: Person) => number | null>> = {
  count_notes: ({ id }) => notes.filter((note) => note.person_id === id).length,
  big: ({ id }) => notes.filter((note) => note.person_id === id && note.size >= 5).length,
  team: ({ id }) => people.filter((other) => other.boss_id === id).length,
  count_labels: ({ id }) => peopleLabels.filter((item) => item.person_id === id).length,
  grade: ({ grade }) => grade,
  'boss.grade': ({ boss_id }) => people.find(({ id }) => id === boss_id)?.grade ?? null,
};
const INCLUDE =
  'include=count:notes,big:count:notes,team:count:people,count:labels&include[big][size__gte]=5';

function compareBy(
  terms: readonly { readonly key: string; readonly isDown: boolean }[],
): (a: Person, b: Person) => number {
  return (a, b) => {
    for (const { key, isDown } of terms) {
      const [item, other] = [KEYS[key]?.(a) ?? -1, KEYS[key]?.(b) ?? -1];
      if (item !== other) return (item - other) * (isDown ? -1 : 1);
    }
    return (a.id - b.id) * (terms.at(-1)?.isDown === true ? -1 : 1);
  };
}

describe.each(servers.engines.map((engine) => [engine.engine, engine] as const))(
  'lists sorted by counts on %s',
  (_name, engine) => {
    const stage = stageCell(engine, { tenant: { ddl: DDL }, other: null });

    beforeAll(async () => {
      for (const [table, rows] of Object.entries({
        shops: SHOPS,
        people,
        notes,
        labels,
        'people-labels': peopleLabels,
      }))
        expect([table, (await call('POST', `/${table}`, rows)).status]).toEqual([table, 201]);
    });

    const { call } = stage;
    const idsOf = (response: TestResponse): number[] =>
      (response.json as { id: number }[]).map(({ id }) => id);
    /** Follows a link relation of the response. */
    const follow = (response: TestResponse, relation: 'next' | 'prev'): Promise<TestResponse> | null => {
      const address = new RegExp(`<([^>]+)>; rel="${relation}"`).exec(
        response.headers.get('link') ?? '',
      )?.[1];
      return address === undefined
        ? null
        : callGateway(stage.gateway.url, 'GET', address, { key: stage.tenant.key });
    };

    it('paging through a list sorted by counts returns every record once', async () => {
      for (let round = 0; round < SORTS; round += 1) {
        const names = new Set([
          random.pick(['count_notes', 'big', 'team', 'count_labels']),
          ...Array.from({ length: random.integer(3) }, () => random.pick(Object.keys(KEYS))),
        ]);
        const terms = [...names]
          .map((key) => ({ key, isDown: random.maybe(0.5) }))
          .sort(() => random.pick([-1, 1]));
        const sort = terms.map(({ key, isDown }) => `${isDown ? '-' : ''}${key}`).join(',');
        const named = `seed ${SEED}, round ${round}: sort=${sort}`;
        const expected = [...people].sort(compareBy(terms));
        const whole = await call('GET', `/people?_select=id&${INCLUDE}&sort=${sort}`);
        expect(whole.json, named).toEqual(
          expected.map((user) => ({
            id: user.id,
            count_notes: KEYS['count_notes']?.(user),
            big: KEYS['big']?.(user),
            team: KEYS['team']?.(user),
            count_labels: KEYS['count_labels']?.(user),
          })),
        );
        const limit = 3 + random.integer(9);
        const pages: number[][] = [];
        let last: TestResponse | null = null;
        for (
          let response: TestResponse | null = await call(
            'GET',
            `/people?_select=id&${INCLUDE}&sort=${sort}&limit=${limit}&_cursor=`,
          );
          response !== null;
          response = await follow(response, 'next')
        ) {
          expect(response.status, named).toBe(200);
          pages.push(idsOf(response));
          last = response;
        }
        expect(pages.flat(), named).toEqual(expected.map(({ id }) => id));
        const back: number[][] = pages.slice(-1);
        for (
          let response = last === null ? null : await follow(last, 'prev');
          response !== null;
          response = await follow(response, 'prev')
        )
          back.unshift(idsOf(response));
        expect(back, named).toEqual(pages);
        const offset = random.integer(PEOPLE);
        expect(
          idsOf(
            await call(
              'GET',
              `/people?_select=id&${INCLUDE}&sort=${sort}&limit=${limit}&_offset=${offset}&grade__isnull=false`,
            ),
          ),
          named,
        ).toEqual(
          expected
            .filter(({ grade }) => grade !== null)
            .map(({ id }) => id)
            .slice(offset, offset + limit),
        );
      }
    });

    it('lists sorted by counts support collations, searches, batches and versions', async () => {
      const counts = (await call('GET', '/shops?include=n:count:people&sort=-n')).json as {
        code: string;
        n: number;
      }[];
      const of = (...codes: string[]): number =>
        people.filter(({ shop_code }) => shop_code !== null && codes.includes(shop_code)).length;
      expect(counts).toEqual(
        [
          { code: 'Ams', n: of('AMS', 'ams') },
          { code: 'ber', n: of('ber') },
          { code: 'x', n: 0 },
        ].sort((a, b) => b.n - a.n),
      );
      const top = [...people].sort(compareBy([{ key: 'big', isDown: true }]))[0]?.id;
      expect(
        idsOf(
          await call('POST', '/_search/people', {
            include: ['big:count:notes'],
            'include[big][size__gte]': 5,
            sort: ['-big'],
            limit: 1,
          }),
        ),
      ).toEqual([top]);
      const batch = await call('POST', '/_batch', {
        operations: [
          {
            method: 'GET',
            path: '/people?include=big:count:notes&include[big][size__gte]=5&sort=-big&limit=1',
          },
        ],
      });
      expect(batch.json[0].body[0].id).toBe(top);
      const tagged = (
        await call('GET', '/people?_select=id,_etag&include=count:notes&sort=-count_notes&limit=3&_cursor=')
      ).json as { id: number; _etag: string }[];
      for (const { id, _etag } of tagged)
        expect((await call('GET', `/people?id=${id}&_select=_etag`)).json).toEqual([{ _etag }]);
      expect(
        (await call('GET', '/people?include=count:notes&sort=-count_notes&_count=exact&limit=1')).headers.get(
          'x-total-count',
        ),
      ).toBe(String(PEOPLE));
      expect((await call('GET', '/people?sort=-notes.count')).json).toMatchObject({
        hint: 'To sort by the number of related records, use include=count:notes&sort=-count_notes.',
      });
    });
  },
);
