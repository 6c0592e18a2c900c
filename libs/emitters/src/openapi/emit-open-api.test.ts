import { nameSnapshot, type Rights, type Snapshot } from '@rowhouse/schema-model';
import {
  BUSINESS_TYPES,
  EXAMPLE_SCHEMA,
  foreignKey,
  rawColumn,
  rawTable,
  uniqueIndex,
} from '@rowhouse/schema-model/testing';
import { describe, expect, it } from 'vitest';
import { emitOpenApi } from './emit-open-api.js';
import type { OpenApiOptions } from './openapi-types.js';

const ALL: Rights = { tables: null, verbs: ['read', 'write', 'delete'], hiddenColumns: {} };
const OPTIONS: OpenApiOptions = {
  title: 'Blog',
  serverUrl: 'https://api.rowhouse.test/',
  version: '7',
  settings: { require_limit: false, unknown_fields: 'reject', regex_enabled: false },
  rights: ALL,
};

interface Parameter {
  readonly name?: string;
  readonly $ref?: string;
  readonly schema?: unknown;
  readonly style?: string;
}
interface Operation {
  readonly operationId: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly responses: Readonly<Record<string, unknown>>;
}
interface Shape {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
  readonly patternProperties?: object;
  readonly additionalProperties?: boolean;
}
type PathItem = Readonly<Record<string, Operation>> & { readonly parameters?: readonly Parameter[] };
interface Document {
  readonly servers: readonly { url: string }[];
  readonly tags: readonly { name: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Shape>>;
    readonly securitySchemes: object;
  };
}

/** Returns the operations of a path by method, without the members that all of them share. */
function listOperations(item: PathItem): [string, Operation][] {
  return Object.entries(item).filter(([method]) => method !== 'parameters') as [string, Operation][];
}

function emit(
  snapshot: Snapshot = nameSnapshot(EXAMPLE_SCHEMA, null),
  changes: Partial<OpenApiOptions> = {},
): Document {
  return emitOpenApi(snapshot, { ...OPTIONS, ...changes }) as unknown as Document;
}

function parameterNames(operation: Operation | undefined): (string | undefined)[] {
  return (operation?.parameters ?? []).map(
    (parameter) =>
      parameter.name ??
      parameter.$ref
        ?.split('/')
        .at(-1)
        ?.replace(/Param$/, ''),
  );
}

describe('emitOpenApi', () => {
  it('the OpenAPI document has the paths of every table and of the whole database', () => {
    const tables = ['comments', 'post-tags', 'posts', 'tags', 'users'].flatMap((path) => [
      `/v1/-/${path}`,
      `/v1/-/_search/${path}`,
      `/v1/-/${path}/{id}`,
    ]);
    expect(Object.keys(emit().paths)).toEqual([
      ...tables,
      '/v1/-',
      '/v1/-/query',
      '/v1/-/schema',
      '/v1/-/openapi.json',
      '/v1/-/health',
      '/v1/-/_batch',
    ]);
  });

  it('each table of the OpenAPI document has one tag and readable operation names', () => {
    const document = emit();
    expect(document.tags.map((tag) => tag.name)).toEqual([
      'comments',
      'post_tags',
      'posts',
      'tags',
      'users',
      'Database',
    ]);
    expect(document.paths['/v1/-/post-tags']?.['get']?.operationId).toBe('listPostTags');
    expect(document.paths['/v1/-/post-tags']?.['post']?.operationId).toBe('createPostTag');
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining(['Post', 'PostCreate', 'PostUpdate', 'PostTag', 'Error', 'ValidationError']),
    );
  });

  it('the OpenAPI schemas state which members a create requires and which it returns', () => {
    const { schemas } = emit().components;
    expect(schemas['PostCreate']?.required).toEqual(['title', 'content', 'user_id']);
    expect(schemas['PostCreate']?.additionalProperties).toBe(false);
    expect(schemas['PostUpdate']?.required).toBeUndefined();
    expect(schemas['Post']?.required).toEqual(
      EXAMPLE_SCHEMA.tables.find(({ name }) => name === 'posts')?.columns.map(({ name }) => name),
    );
    expect(Object.keys(schemas['Post']?.properties ?? {})).toEqual(
      expect.arrayContaining(['user', 'comments', 'tags']),
    );
    expect(
      emit(undefined, { settings: { ...OPTIONS.settings, unknown_fields: 'ignore' } }).components.schemas[
        'PostCreate'
      ],
    ).not.toHaveProperty('additionalProperties');
  });

  it('the OpenAPI document requires If-Match for tables that require it', () => {
    const document = emit(undefined, { settings: { ...OPTIONS.settings, require_if_match: ['tags'] } });
    expect(parameterNames(document.paths['/v1/-/tags/{id}']?.['put'])).toContain('ifMatchRequired');
    expect(parameterNames(document.paths['/v1/-/posts/{id}']?.['put'])).toContain('ifMatch');
    expect(Object.keys(document.paths['/v1/-/tags'] ?? {})).toEqual(['get', 'post']);
  });

  it('the OpenAPI schema of a create contains only related rows that the rights allow', () => {
    expect(emit().components.schemas['PostCreate']?.properties).toMatchObject({
      user: { $ref: '#/components/schemas/RelatedRecord' },
      tags: { $ref: '#/components/schemas/RelatedRecords' },
    });
    const rights = {
      ...ALL,
      tables: { posts: ['read', 'write'], users: ['read'], tags: ['read', 'write'], comments: ['write'] },
    } as const;
    const related = Object.keys(
      emit(undefined, { rights }).components.schemas['PostCreate']?.properties ?? {},
    );
    expect([related.includes('comments'), related.includes('user'), related.includes('tags')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('an OpenAPI list operation has the query parameters of its table', () => {
    expect(parameterNames(emit().paths['/v1/-/posts']?.['get'])).toEqual([
      'page',
      'limit',
      'sort',
      'order',
      'include',
      'createdAfter',
      'select',
      'omit',
      'offset',
      'cursor',
      'distinct',
      'aggregate',
      'group',
      'having',
      'count',
      'id',
      'title',
      'title__like',
      'content',
      'content__like',
      'user_id',
      'published',
      'created_at',
      'filters',
      'filter',
      'where',
      'explain',
      'preferRead',
    ]);
    expect(parameterNames(emit().paths['/v1/-/tags']?.['get'])).not.toContain('createdAfter');
    expect(
      parameterNames(
        emit(undefined, { settings: { ...OPTIONS.settings, require_limit: true } }).paths['/v1/-/tags']?.[
          'get'
        ],
      ),
    ).toContain('limitRequired');
  });

  it('OpenAPI filter parameters quote unusual column names', () => {
    const columns = ['id', 'limit', '_state', 'views__gt', 'odd name', 'a.b', 'tick`'].map((name) =>
      rawColumn(name, 'int(11)'),
    );
    const names = parameterNames(
      emit(nameSnapshot({ engine: 'mariadb', tables: [rawTable('t', columns)] }, null)).paths['/v1/-/t']?.[
        'get'
      ],
    );
    expect(names).toEqual(
      expect.arrayContaining([
        'id',
        'limit__eq',
        '_state__eq',
        'views__gt__eq',
        '`odd name`',
        '`a.b`',
        '`tick```',
      ]),
    );
  });

  it('OpenAPI operations of a table declare success and 422, but no default response', () => {
    const declared = Object.entries(emit().paths)
      .filter(([path]) => path.includes('post'))
      .flatMap(([path, item]) =>
        listOperations(item).map(([method, operation]) => [
          `${method} ${path.slice('/v1/-'.length)}`,
          Object.keys(operation.responses).join(' '),
        ]),
      );
    expect(Object.fromEntries(declared.filter(([endpoint]) => !String(endpoint).includes('tags')))).toEqual({
      'get /posts': '200 422',
      'post /posts': '200 201 422',
      'put /posts': '200 422',
      'patch /posts': '200 422',
      'delete /posts': '200 422',
      'post /_search/posts': '200 422',
      'get /posts/{id}': '200 304 422',
      'put /posts/{id}': '200 204 422',
      'patch /posts/{id}': '200 204 422',
      'delete /posts/{id}': '204 422',
    });
  });

  it('OpenAPI paths call a UUID parameter uuid and join composite keys by commas', () => {
    const columns = [rawColumn('id', 'int(11)', { autoIncrement: true }), rawColumn('uuid', 'char(36)')];
    const table = rawTable('things', columns, { indexes: [uniqueIndex('u', ['uuid'])] });
    const document = emit(nameSnapshot({ engine: 'mariadb', tables: [table] }, null));
    expect(document.paths['/v1/-/things/{uuid}']?.parameters?.[0]).toMatchObject({
      name: 'uuid',
      in: 'path',
      schema: { type: 'string' },
    });
    expect(document.components.schemas['ThingCreate']?.required).toBeUndefined();
    expect(emit().paths['/v1/-/post-tags/{id}']?.parameters?.[0]).toMatchObject({
      style: 'simple',
      explode: false,
      schema: { type: 'array', minItems: 2, maxItems: 2 },
      description: expect.stringContaining('post_id, tag_id') as string,
    });
  });

  it('the OpenAPI document only contains operations that the rights allow', () => {
    const rights: Rights = {
      tables: { posts: ['read'], comments: ['read', 'write'] },
      verbs: ['read', 'write', 'delete'],
      hiddenColumns: { comments: ['user_id'] },
    };
    const document = emit(undefined, { rights });
    const text = JSON.stringify(document);
    expect(Object.keys(document.paths['/v1/-/posts'] ?? {})).toEqual(['get']);
    expect(Object.keys(document.paths['/v1/-/comments/{id}'] ?? {})).toEqual([
      'parameters',
      'get',
      'put',
      'patch',
    ]);
    for (const word of ['users', 'post_tags', 'PostTag', 'email', 'PostCreate'])
      expect(text).not.toContain(word);
    expect(document.components.schemas['Comment']?.properties).not.toHaveProperty('user_id');
    expect(document.components.schemas['CommentCreate']?.properties).not.toHaveProperty('user_id');
  });

  it("the OpenAPI document omits operations that views and keyless tables don't support", () => {
    const keyless = rawTable('log', [rawColumn('line', 'text')], { primaryKey: null });
    const view = rawTable('summary', [rawColumn('n', 'int(11)')], { primaryKey: null, kind: 'view' });
    const { paths } = emit(nameSnapshot({ engine: 'mariadb', tables: [keyless, view] }, null));
    expect(Object.keys(paths).slice(0, 4)).toEqual([
      '/v1/-/log',
      '/v1/-/_search/log',
      '/v1/-/summary',
      '/v1/-/_search/summary',
    ]);
    expect(Object.keys(paths['/v1/-/log'] ?? {})).toEqual(['get', 'post', 'put', 'patch', 'delete']);
    expect(Object.keys(paths['/v1/-/summary'] ?? {})).toEqual(['get']);
  });

  it('the description of a delete operation lists its cascades', () => {
    const child = rawTable('lines', [rawColumn('id', 'int(11)'), rawColumn('note_id', 'int(11)')], {
      foreignKeys: [{ ...foreignKey('lines', 'note_id', 'notes'), onDelete: 'CASCADE' }],
    });
    const snapshot = nameSnapshot(
      { engine: 'mariadb', tables: [rawTable('notes', [rawColumn('id', 'int(11)')]), child] },
      null,
    );
    expect(emit(snapshot).paths['/v1/-/notes/{id}']?.['delete']?.description).toContain(
      'Also deletes related lines.',
    );
  });

  it('no two tables of the OpenAPI document share a schema name', () => {
    const tables = [
      'post',
      'posts',
      'Posts',
      'post_create',
      'error',
      'query_request',
      '__',
      '1st',
      'größe',
      'data',
      'post_list',
      'many_posts',
      'search',
      'geo_json_point',
      'promise',
      'array',
      '__proto__',
    ].map((name) => rawTable(name, [rawColumn('id', 'int(11)'), rawColumn('__proto__', 'int(11)')]));
    const document = emit(nameSnapshot({ engine: 'mariadb', tables }, null));
    const ids = Object.values(document.paths).flatMap((item) =>
      listOperations(item).map(([, operation]) => operation.operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
    const records = Object.keys(document.components.schemas).filter((name) =>
      Object.hasOwn(document.components.schemas, `${name}Create`),
    );
    expect(records).toHaveLength(tables.length);
    expect(new Set(Object.keys(document.components.schemas).map((name) => name.toLowerCase())).size).toBe(
      Object.keys(document.components.schemas).length,
    );
    for (const name of records) {
      expect(name).toMatch(/^[A-Za-z][A-Za-z0-9]*$/);
      expect(Object.keys(document.components.schemas[name]?.patternProperties ?? {})).toEqual([
        '^(?:__proto__)$',
      ]);
    }
  });

  it('the OpenAPI document has the license of the settings, or states its absence', () => {
    const licenseOf = (license: OpenApiOptions['settings']['license']): unknown =>
      (
        emit(undefined, { settings: { ...OPTIONS.settings, license } }) as unknown as {
          info: { license: unknown };
        }
      ).info.license;
    expect(licenseOf(null)).toEqual({ name: 'No license stated', identifier: 'LicenseRef-Not-Stated' });
    expect(licenseOf({ name: 'CC BY 4.0', identifier: 'CC-BY-4.0' })).toEqual({
      name: 'CC BY 4.0',
      identifier: 'CC-BY-4.0',
    });
    expect(licenseOf({ name: 'Our terms', url: 'https://example.org/terms' })).toEqual({
      name: 'Our terms',
      url: 'https://example.org/terms',
    });
  });

  it('OpenAPI paths, members and parameters are valid in generated clients', () => {
    const odd = [
      'quo"te',
      "it's",
      'back\\slash',
      '*/',
      '$ref',
      '__proto__',
      'constructor',
      'toString',
      'line\nbreak',
    ];
    const columns = [
      rawColumn('id', 'int(11)'),
      ...odd.map((name) => rawColumn(name, 'int(11)', { nullable: true })),
      rawColumn('kind', "enum('','a b')"),
      rawColumn('per%cent', "enum('a')", { nullable: true }),
    ];
    const document = emit(
      nameSnapshot(
        {
          engine: 'mariadb',
          tables: ['odd table', 'per%cent', "it's", 'Größe'].map((name) => rawTable(name, columns)),
        },
        null,
      ),
    );
    expect(
      Object.keys(document.paths)
        .slice(0, 12)
        .filter((path) => /[%'" ]/.test(path)),
    ).toEqual([]);
    expect(Object.keys(document.paths)).toContain('/v1/-/Größe');
    const record = document.components.schemas['OddTable'];
    expect(Object.keys(record?.properties ?? {})).toEqual(['id', 'kind']);
    const [pattern = ''] = Object.keys(record?.patternProperties ?? {});
    expect([...odd, 'per%cent'].filter((name) => !new RegExp(pattern, 'u').test(name))).toEqual([]);
    expect(record?.properties['kind']).toMatchObject({
      enum: ['', 'a b'],
      'x-enum-varnames': ['LABEL_1', 'LABEL_2'],
    });
    expect(parameterNames(document.paths['/v1/-/odd-table']?.['get']).join(' ')).not.toMatch(/["'\\]/);
  });

  it('texts of tenants never become HTML, links or images in the OpenAPI document', () => {
    const comment = '<img src=x onerror=a()> ![a](http://evil.example/a.png) [b]: javascript:a()';
    const table = rawTable('t <b>', [rawColumn('id', 'int(11)', { comment })], { comment });
    const document = emit(nameSnapshot({ engine: 'mariadb', tables: [table] }, null));
    const texts: string[] = [];
    JSON.stringify(document, (name, value: unknown) =>
      (name === 'description' || name === 'summary') && typeof value === 'string'
        ? (texts.push(value), value)
        : value,
    );
    expect(texts.some((text) => text.includes('onerror'))).toBe(true);
    expect(texts.filter((text) => /(?<!\\)<|(?<!\\)\][(:]/.test(text))).toEqual([]);
  });

  it('emitOpenApi returns the same bytes for the same schema', () => {
    const text = JSON.stringify(emit());
    expect(JSON.stringify(emit())).toBe(text);
    const document = JSON.parse(text) as Record<string, never>;
    for (const [, pointer] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const target = (pointer ?? '')
        .split('/')
        .reduce<unknown>((node, part) => (node as Record<string, unknown> | undefined)?.[part], document);
      expect([pointer, target]).not.toContain(undefined);
    }
    expect(emit().servers[0]?.url).toBe('https://api.rowhouse.test');
  });

  it('the OpenAPI document of 50 tables with 21 columns stays below 1 MB', () => {
    const tables = Array.from({ length: 50 }, (_, position) => {
      const columns = Array.from({ length: 19 }, (__, index) =>
        rawColumn(`some_column_${index}`, BUSINESS_TYPES[index % BUSINESS_TYPES.length] ?? 'text', {
          nullable: index % 3 === 0,
        }),
      );
      const keys =
        position === 0
          ? []
          : [foreignKey(`business_records_${position}`, 'parent_id', `business_records_${position - 1}`)];
      return rawTable(
        `business_records_${position}`,
        [rawColumn('id', 'int(11)'), ...columns, rawColumn('parent_id', 'int(11)')],
        { foreignKeys: keys },
      );
    });
    expect(JSON.stringify(emit(nameSnapshot({ engine: 'mariadb', tables }, null))).length).toBeLessThan(
      1_000_000,
    );
  });
});
