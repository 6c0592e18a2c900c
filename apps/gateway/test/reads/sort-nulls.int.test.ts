import { openRandom, type Random } from '@rowhouse/schema-model/testing';
import { getTestServers } from '@rowhouse/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { callGateway, type TestResponse } from '../support/http-call.js';
import { stageCell } from '../support/stage-cell.js';

const servers = getTestServers();
const SEED = 20_261_127;
const ROWS = 60;
const SORTS = 40;
const SIZES = ['s', 'm', 'l'];

interface Item {
  readonly id: number;
  readonly must: number;
  readonly n: number | null;
  readonly word: string | null;
  readonly size: string | null;
  readonly day: string | null;
  readonly price: string | null;
  readonly maker_id: number | null;
}

const DDL = [
  'CREATE TABLE makers (id int PRIMARY KEY, place int NOT NULL, label varchar(10) NULL)',
  `CREATE TABLE items (id int PRIMARY KEY, must int NOT NULL, n int NULL, word varchar(8) NULL, size enum('s','m','l') NULL, day date NULL, price decimal(6,2) NULL, maker_id int NULL,
    KEY by_n (n), CONSTRAINT made FOREIGN KEY (maker_id) REFERENCES makers (id))`,
  'CREATE VIEW item_words AS SELECT id, word FROM items',
];
const MAKERS = [
  { id: 1, place: 2, label: 'b' },
  { id: 2, place: 1, label: null },
  { id: 3, place: 2, label: 'a' },
];

/**
 * Creates items with few different values per column, so that most rows are equal in some, and a third are
 * NULL.
 */
function makeItems(random: Random): Item[] {
  const some = <T>(...from: T[]): T | null => (random.maybe(0.33) ? null : random.pick(from));
  return Array.from({ length: ROWS }, (_, index) => ({
    id: index + 1,
    must: random.integer(3),
    n: some(-1, 0, 7),
    word: some('', 'a', 'b', 'c'),
    size: some(...SIZES),
    day: some('2026-01-31', '2026-02-01'),
    price: some('-1.50', '0.00', '10.25'),
    maker_id: some(1, 2, 3),
  }));
}

type Value = string | number | null;
/** For each sort key, the value by which the test compares items. */
const KEYS: Readonly<Record<string, (item: Item) => Value>> = {
  id: ({ id }) => id,
  must: ({ must }) => must,
  n: ({ n }) => n,
  word: ({ word }) => word,
  day: ({ day }) => day,
  size: ({ size }) => (size === null ? null : SIZES.indexOf(size)),
  price: ({ price }) => (price === null ? null : Number(price)),
  'maker.place': ({ maker_id }) => MAKERS.find(({ id }) => id === maker_id)?.place ?? null,
  'maker.label': ({ maker_id }) => MAKERS.find(({ id }) => id === maker_id)?.label ?? null,
};

interface Term {
  readonly key: string;
  readonly isDown: boolean;
  readonly nulls: 'first' | 'last' | null;
}

function writeTerm({ key, isDown, nulls }: Term, random: Random): string {
  const tail = nulls === null ? '' : `:nulls_${nulls}`;
  return random.maybe(0.7) || key.includes('.')
    ? `${isDown ? '-' : ''}${key}${tail}`
    : `${key}${random.pick([':', '_'])}${isDown ? 'desc' : 'asc'}${tail}`;
}

function compareBy(terms: readonly Term[]): (a: Item, b: Item) => number {
  return (a, b) => {
    for (const { key, isDown, nulls } of terms) {
      const [item, other] = [KEYS[key]?.(a) ?? null, KEYS[key]?.(b) ?? null];
      if (item === other) continue;
      const isLast = nulls === null ? isDown : nulls === 'last';
      if (item === null || other === null) return (item === null) === isLast ? 1 : -1;
      return (item < other ? -1 : 1) * (isDown ? -1 : 1);
    }
    return (a.id - b.id) * (terms.at(-1)?.isDown === true ? -1 : 1);
  };
}

describe.each(servers.engines.map((engine) => [engine.engine, engine] as const))(
  'NULL first or last on %s',
  (_name, engine) => {
    const random = openRandom(SEED);
    const items = makeItems(random);
    const stage = stageCell(engine, { tenant: { ddl: DDL }, other: null });
    const { call } = stage;

    beforeAll(async () => {
      expect((await call('POST', '/makers', MAKERS)).status).toBe(201);
      expect((await call('POST', '/items', items)).status).toBe(201);
    });

    const idsOf = (rows: readonly { readonly id: number }[]): number[] => rows.map(({ id }) => id);
    const listed = async (path: string): Promise<unknown> => {
      const response = await call('GET', path);
      return response.status === 200 ? response.json : response.text;
    };
    const makeTerms = (): Term[] => {
      const names = new Set(
        Array.from({ length: 1 + random.integer(3) }, () => random.pick(Object.keys(KEYS))),
      );
      return [...names].map((key) => ({
        key,
        isDown: random.maybe(0.5),
        nulls: random.pick([null, 'first', 'last'] as const),
      }));
    };

    it('paging through a list with NULLS FIRST or LAST returns every record once', async () => {
      for (let round = 0; round < SORTS; round += 1) {
        const terms = makeTerms();
        const sort = terms.map((term) => writeTerm(term, random)).join(',');
        const expected = idsOf([...items].sort(compareBy(terms)));
        const named = `seed ${SEED}, round ${round}: sort=${sort}`;
        expect(idsOf((await listed(`/items?_select=id&sort=${sort}`)) as Item[]), named).toEqual(expected);
        const limit = 2 + random.integer(9);
        const pages: number[][] = [];
        let address: string | undefined = `/v1/-/items?_select=id&sort=${sort}&limit=${limit}&_cursor=`;
        let response: TestResponse | undefined;
        while (address !== undefined) {
          response = await callGateway(stage.gateway.url, 'GET', address, { key: stage.tenant.key });
          expect(response.status, named).toBe(200);
          pages.push(idsOf(response.json as Item[]));
          address = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
        }
        expect(pages.flat(), named).toEqual(expected);
        const back: number[][] = pages.slice(-1);
        while (
          (address = /<([^>]+)>; rel="prev"/.exec(response?.headers.get('link') ?? '')?.[1]) !== undefined
        ) {
          response = await callGateway(stage.gateway.url, 'GET', address, { key: stage.tenant.key });
          back.unshift(idsOf(response.json as Item[]));
        }
        expect(back, named).toEqual(pages);
        const offset = random.integer(ROWS);
        expect(
          idsOf((await listed(`/items?_select=id&sort=${sort}&limit=${limit}&_offset=${offset}`)) as Item[]),
          named,
        ).toEqual(expected.slice(offset, offset + limit));
      }
    });

    it('NULL has the same sort position in includes, distinct rows and records of a view', async () => {
      const created = items.filter(({ maker_id }) => maker_id === 1);
      const terms: Term[] = [
        { key: 'n', isDown: true, nulls: 'first' },
        { key: 'word', isDown: false, nulls: 'last' },
      ];
      const expected = idsOf(created.sort(compareBy(terms)));
      const include = async (limit: number): Promise<number[]> =>
        idsOf(
          (
            (
              await call(
                'GET',
                `/makers?include=items&include[items][_select]=id&include[items][sort]=-n:nulls_first,word:nulls_last&include[items][limit]=${limit}`,
              )
            ).json as { items: Item[] }[]
          )[0]?.items ?? [],
        );
      expect(await include(100)).toEqual(expected);
      // A small limit makes the gateway use the statement that counts per parent.
      expect(await include(2)).toEqual(expected.slice(0, 2));
      expect(await listed('/items?_distinct=n&sort=n:nulls_last')).toEqual([
        { n: -1 },
        { n: 0 },
        { n: 7 },
        { n: null },
      ]);
      expect(await listed('/items?_distinct=n,size&sort=-n:nulls_first,size:nulls_last&limit=4')).toEqual([
        { n: null, size: 's' },
        { n: null, size: 'm' },
        { n: null, size: 'l' },
        { n: null, size: null },
      ]);
      const words = (await listed('/item-words?sort=-word:nulls_first,id')) as Item[];
      expect(idsOf(words)).toEqual(
        idsOf(
          [...items].sort(
            compareBy([
              { key: 'word', isDown: true, nulls: 'first' },
              { key: 'id', isDown: false, nulls: null },
            ]),
          ),
        ),
      );
    });

    it('NULL has the same sort position in groups by columns, dates and computed values', async () => {
      const names = (rows: unknown, name: string): unknown[] =>
        (rows as Record<string, unknown>[]).map((row) => row[name]);
      expect(names(await listed('/items?_group=n&_aggregate=count&sort=n:nulls_last'), 'n')).toEqual([
        -1,
        0,
        7,
        null,
      ]);
      expect(
        names(
          await listed('/items?_group=n&_aggregate=count&sort=-n:nulls_first&_having={"count__gt":0}'),
          'n',
        ),
      ).toEqual([null, 7, 0, -1]);
      expect(
        names(
          await listed('/items?_group=day:month&_aggregate=count&sort=day_month:nulls_last&_count=exact'),
          'day_month',
        ),
      ).toEqual(['2026-01', '2026-02', null]);
      expect(
        names(await listed('/items?_group=who:maker.label&_aggregate=count&sort=-who:nulls_first'), 'who'),
      ).toEqual([null, 'b', 'a']);
      expect(
        names(await listed('/makers?_group=id&_aggregate=last:max:label&sort=last:nulls_last'), 'id'),
      ).toEqual([3, 1, 2]);
      expect(
        names(await listed('/items?_group=n&_aggregate=count&sort=n:nulls_last&limit=2&page=2'), 'n'),
      ).toEqual([7, null]);
    });

    it('a sort with NULLS FIRST or LAST uses an index with that order', async () => {
      const notes = async (sort: string): Promise<string> =>
        JSON.stringify(
          (await call('GET', `/items?_explain=true&limit=2&_select=id&sort=${sort}`)).json.statements[0]
            .plan[0].notes,
        );
      expect(await notes('-n:nulls_last')).not.toContain('filesort');
      expect(await notes('n:nulls_first')).not.toContain('filesort');
      expect(await notes('n:nulls_last')).toContain('filesort');
      expect((await call('GET', '/items?sort=n.desc.nullslast')).json).toMatchObject({
        code: 'params.invalid',
        hint: 'Use -n:nulls_last.',
      });
      expect(
        (
          (await call('POST', '/_search/items', { sort: ['n:nulls_last', '-id'], _select: ['n'], limit: 1 }))
            .json as Item[]
        )[0]?.n,
      ).toBe(-1);
    });
  },
);
