import { nameSnapshot } from '@rowhouse/schema-model';
import {
  EXAMPLE_SCHEMA,
  makeRandomSchema,
  rawColumn,
  rawTable,
  toRawSchema,
} from '@rowhouse/schema-model/testing';
import { lintOpenApi } from '@rowhouse/testkit/lint-open-api';
import { describe, expect, it } from 'vitest';
import { OPTIONS } from '../testing/openapi-options.js';
import { emitOpenApi } from './emit-open-api.js';
import type { JsonObject } from './openapi-types.js';

const RANDOM_SCHEMAS = 50;

const example = nameSnapshot(EXAMPLE_SCHEMA, null);
const log = rawTable('log', [rawColumn('line', 'text')], { primaryKey: null });
const view = rawTable('summary', [rawColumn('n', 'int(11)')], { primaryKey: null, kind: 'view' });

function emitRandom(seed: number): JsonObject {
  return emitOpenApi(
    nameSnapshot(
      toRawSchema(
        makeRandomSchema(seed, { tables: 4 + (seed % 12), engine: seed % 2 === 0 ? 'mariadb' : 'mysql' }),
      ),
      null,
    ),
    OPTIONS,
  );
}

describe('a strict linter on the document of emitOpenApi', () => {
  it.each<[string, JsonObject]>([
    ['the example schema', emitOpenApi(example, OPTIONS)],
    [
      'a table without a key, and a view',
      emitOpenApi(nameSnapshot({ engine: 'mariadb', tables: [log, view] }, null), OPTIONS),
    ],
    [
      'no table at all',
      emitOpenApi(nameSnapshot({ engine: 'mariadb', tables: [] }, null), { ...OPTIONS, title: '' }),
    ],
    ['rights to read', emitOpenApi(example, { ...OPTIONS, rights: { ...OPTIONS.rights, verbs: ['read'] } })],
    [
      'rights to write',
      emitOpenApi(example, { ...OPTIONS, rights: { ...OPTIONS.rights, verbs: ['write'] } }),
    ],
    [
      'rights to delete',
      emitOpenApi(example, { ...OPTIONS, rights: { ...OPTIONS.rights, verbs: ['delete'] } }),
    ],
    [
      'rights to some tables',
      emitOpenApi(example, {
        ...OPTIONS,
        rights: { ...OPTIONS.rights, tables: { posts: ['read'], tags: ['write'] } },
      }),
    ],
    [
      'settings other than usual',
      emitOpenApi(example, {
        ...OPTIONS,
        settings: { require_limit: true, unknown_fields: 'ignore', regex_enabled: true },
      }),
    ],
  ])('a strict linter finds no fault in the OpenAPI document of %s', async (_, document) => {
    expect(await lintOpenApi(document)).toEqual([]);
  });

  it(`the linter finds no fault in the OpenAPI documents of ${RANDOM_SCHEMAS} random schemas`, async () => {
    for (let seed = 1; seed <= RANDOM_SCHEMAS; seed += 1)
      expect([seed, await lintOpenApi(emitRandom(seed))]).toEqual([seed, []]);
  }, 60_000);

  it('the strict linter rejects an invalid OpenAPI document', async () => {
    const document = emitOpenApi(example, OPTIONS);
    expect(await lintOpenApi({ ...document, tags: [{ name: 'posts' }] })).not.toEqual([]);
    const paths = document['paths'] as Record<string, Record<string, object>>;
    const { description: _, ...list } = (paths['/v1/-/posts'] ?? {})['get'] as Record<string, unknown>;
    expect(await lintOpenApi({ ...document, paths: { ...paths, '/v1/-/posts': { get: list } } })).not.toEqual(
      [],
    );
  });
});
