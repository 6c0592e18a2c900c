import { Validator } from '@seriousme/openapi-schema-validator';
import {
  BUSINESS_TYPES,
  makeRandomSchema,
  toSchemaSql,
  type SchemaSketch,
} from '@rowhouse/schema-model/testing';
import { lintOpenApi } from '@rowhouse/testkit/lint-open-api';
import { describe, expect, it } from 'vitest';
import { checkTruth, type TruthTable } from '../../truth/check-truth.mjs';
import { deploy, signUp, type TestUser } from '../../support/control.mjs';
import { openApi, send } from '../../support/http.mjs';
import { readProduct } from '../../support/product.mjs';
import { waitFor } from '../../support/wait.mjs';

const RANDOM_SEEDS = [3, 8, 135];
const MEGABYTE = 1_000_000;

const keyTo = (column: string, table: string): TruthTable['foreignKeys'][number] => ({
  columns: [column],
  table,
  referenced: ['id'],
});
const BLOG: readonly TruthTable[] = [
  { name: 'users', foreignKeys: [] },
  { name: 'posts', foreignKeys: [keyTo('user_id', 'users')] },
  { name: 'comments', foreignKeys: [keyTo('user_id', 'users'), keyTo('post_id', 'posts')] },
  { name: 'tags', foreignKeys: [] },
  { name: 'post_tags', foreignKeys: [keyTo('post_id', 'posts'), keyTo('tag_id', 'tags')] },
];

/** Returns a schema of fifty tables with the columns and keys of a typical business application. */
function makeFiftyTables(): SchemaSketch {
  const column = (
    name: string,
    sqlType: string,
    nullable: boolean,
    autoIncrement = false,
  ): SchemaSketch['tables'][number]['columns'][number] => ({
    name,
    sqlType,
    nullable: nullable || sqlType === 'timestamp',
    defaultSql: null,
    autoIncrement,
    generatedAs: null,
    comment: '',
  });
  return {
    engine: 'mariadb',
    tables: Array.from({ length: 50 }, (_, position) => ({
      name: `business_records_${position}`,
      columns: [
        column('id', 'int(11)', false, true),
        ...Array.from({ length: 18 }, (__, index) =>
          column(
            `some_column_${index}`,
            BUSINESS_TYPES[index % BUSINESS_TYPES.length] ?? 'text',
            index % 3 === 0,
          ),
        ),
        column('parent_id', 'int(11)', true),
      ],
      primaryKey: ['id'],
      uniqueKeys: [],
      fullTextOn: [],
      foreignKeys:
        position === 0
          ? []
          : [{ columns: ['parent_id'], table: `business_records_${position - 1}`, referenced: ['id'] }],
    })),
  };
}

describe('the OpenAPI document of a database', () => {
  const product = readProduct();
  const [base] = product.gateways;

  async function deployed(sketch: SchemaSketch): Promise<TestUser> {
    const user = await signUp(product.control, { name: 'truth', starter: 'empty' });
    await deploy(user, toSchemaSql(sketch));
    for (const gateway of product.gateways)
      await waitFor(
        'the tables are served',
        async () => (await openApi(gateway, user.key).get('/')).json?.tables?.length === sketch.tables.length,
      );
    return user;
  }

  async function expectClean(user: TestUser): Promise<number> {
    const { json, text } = await openApi(base, user.key).get('/openapi.json');
    expect(await lintOpenApi(json)).toEqual([]);
    expect((await new Validator().validate(structuredClone(json))).errors ?? []).toEqual([]);
    const published = await send(base, 'GET', `/v1/-/openapi/${user.development.docs_slug}`);
    expect(await lintOpenApi(published.json)).toEqual([]);
    return text.length;
  }

  it('the OpenAPI document of the example schema is valid and describes every response', async () => {
    const user = await signUp(product.control);
    expect(await expectClean(user)).toBeLessThan(MEGABYTE);
    const {
      findings,
      asked: requested,
      requests,
    } = await checkTruth({ base, key: user.key, seed: 1, tables: BLOG });
    expect(findings.slice(0, 10)).toEqual([]);
    const paths = (await openApi(base, user.key).get('/openapi.json')).json.paths as Record<string, object>;
    const messages = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item)
        .filter((name) => name !== 'parameters')
        .map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(messages.filter((endpoint) => !requested.has(endpoint))).toEqual([]);
    expect(requests).toBeGreaterThan(250);
  });

  it.each<[string, string, string, RegExp]>([
    [
      'another type',
      '"name":{"type":"string","maxLength":100,',
      '"name":{"type":"integer",',
      /not match its schema|answered 422/,
    ],
    ['a header too few', '"X-Has-More":', '"X-Other":', /x-has-more is not documented/],
    ['a parameter too many', '"name":"_omit"', '"name":"_nonsense"', /answered 422 .*_nonsense/],
    ['a status too few', '"304":', '"202":', /If-None-Match.*the error does not match its schema/],
  ])('the OpenAPI check finds a document with %s', async (_, text, other, fault) => {
    const user = await signUp(product.control);
    const change = (document: object): unknown =>
      JSON.parse(JSON.stringify(document).replaceAll(text, other));
    const { findings } = await checkTruth({
      base,
      key: user.key,
      seed: 1,
      tables: BLOG.filter((table) => table.name === 'tags'),
      change,
    });
    expect(findings.join(' ')).toMatch(fault);
  });

  it('the OpenAPI document of fifty tables is valid and smaller than 1 MB', async () => {
    expect(await expectClean(await deployed(makeFiftyTables()))).toBeLessThan(MEGABYTE);
  });

  it.each(RANDOM_SEEDS)(
    'the OpenAPI document of random schema %i is valid and describes every response',
    async (seed) => {
      const sketch = makeRandomSchema(seed, { tables: 8 });
      const user = await deployed(sketch);
      await expectClean(user);
      const { findings } = await checkTruth({ base, key: user.key, seed, tables: sketch.tables });
      expect(findings.slice(0, 10)).toEqual([]);
    },
  );
});
