import { describe, expect, it } from 'vitest';
import {
  ALL,
  compile,
  describeError,
  digest,
  type FakeDatabase,
  PLAN_OPTIONS,
  resultOf,
} from '../../test/blog.js';
import {
  respondBatch,
  authorizeBatch,
  authorizePlan,
  parseBatchSteps,
  parseJson,
  planBatchSteps,
  planItem,
  toResponse,
  toStatements,
  type ApiResponse,
  type BatchPlan,
  type JsonValue,
  type ResultSet,
  type Statement,
} from '../index.js';
import { doSteps, type Rights } from '@rowhouse/schema-model';

interface BatchOptions {
  readonly rights?: Rights;
  readonly headers?: Record<string, string>;
}

function plan(body: unknown, { rights = ALL, headers = {} }: BatchOptions = {}): BatchPlan {
  const batch = doSteps(
    parseBatchSteps({ rawQuery: '', headers, body: parseJson(JSON.stringify(body)) }, compile(rights), {
      prefix: '/v1/-',
    }),
  );
  return authorizeBatch(doSteps(planBatchSteps(batch, () => PLAN_OPTIONS)), rights, []);
}

function rejection(operations: unknown, options: BatchOptions = {}): string {
  try {
    plan(typeof operations === 'object' && !Array.isArray(operations) ? operations : { operations }, options);
  } catch (error) {
    const { operation } = (error as { extra?: { operation?: number } }).extra ?? {};
    return `${operation === undefined ? '' : `${operation}: `}${describeError(error)}`;
  }
  return 'accepted';
}

/** Runs the operations of a batch in the same way as the gateway, with `answer` as the database. */
function run(
  operations: unknown,
  answer: FakeDatabase,
  options: BatchOptions = {},
): { response: ApiResponse; statements: Statement[] } {
  const batch = plan({ operations }, options);
  const statements: Statement[] = [];
  const responses: ApiResponse[] = [];
  for (const [index, item] of batch.items.entries()) {
    const answers = responses.map((response): JsonValue | null =>
      response.body === null ? null : parseJson(String(response.body)),
    );
    const planned = authorizePlan(
      planItem(item, index, () => PLAN_OPTIONS, answers),
      ALL,
      [],
    );
    const program = toStatements(planned, { insertReturning: true }, digest);
    const results: ResultSet[] = [];
    for (
      let round = program.first as typeof program.first | null;
      round !== null;
      round = program.next(results)
    ) {
      for (const statement of round.statements) results.push(resultOf(statement, answer(statement)));
    }
    statements.push(...results.map((result) => result.statement));
    responses.push(toResponse(planned, results, digest));
  }
  return { response: respondBatch(responses, batch.preferences), statements };
}

const TAG = { method: 'POST', path: '/tags', body: { name: 'a' } };
const database: FakeDatabase = ({ role, sql }) => {
  if (role.kind === 'write') return { affectedRows: 1 };
  return { rows: [sql.includes('post_tags') ? ['5', '7'] : ['7', 'a', null]] };
};

describe('the envelope', () => {
  it.each<[unknown, string]>([
    [[], '["body","operations"] too_short'],
    [{ operations: {} }, '["body","operations"] list_type'],
    [{}, '["body","operations"] missing'],
    [{ operations: [TAG], mode: 'x' }, '["body","mode"] extra_forbidden'],
    [[5], '["body","operations",0] dict_type'],
    [[{ path: '/tags' }], '["body","operations",0,"method"] missing'],
    [[{ ...TAG, method: 'HEAD' }], '["body","operations",0,"method"] enum'],
    [[{ ...TAG, method: 'post' }], '["body","operations",0,"method"] enum'],
    [[{ ...TAG, path: 'tags' }], '["body","operations",0,"path"] path'],
    [[{ ...TAG, path: `/${'x'.repeat(20_000)}` }], '["body","operations",0,"path"] too_long'],
    [[{ ...TAG, path: 5 }], '["body","operations",0,"path"] string_type'],
    [[{ ...TAG, ifMatch: '*' }], '["body","operations",0,"ifMatch"] extra_forbidden'],
    [[{ ...TAG, if_match: 5 }], '["body","operations",0,"if_match"] string_type'],
    [[{ method: 'DELETE', path: '/tags/1', body: {} }], '["body","operations",0,"body"] extra_forbidden'],
    [[{ method: 'GET', path: '/tags/1', if_match: '*' }], '["body","operations",0,"if_match"] no_meaning'],
  ])('parseBatchSteps rejects the batch %j', (operations, fault) => {
    expect(rejection(operations)).toBe(`422 body.invalid ${fault}`);
  });

  it('a batch has at most a hundred operations', () => {
    expect(rejection(Array.from({ length: 101 }, () => TAG))).toBe(
      '422 limit.batch_operations ["body","operations"] too_long',
    );
  });

  it('a batch request rejects query parameters, If-Match and response formats other than JSON', () => {
    expect(rejection([TAG], { headers: { 'if-match': '*' } })).toContain('["header","If-Match"] no_meaning');
    expect(rejection([TAG], { headers: { accept: 'text/html' } })).toContain('406');
    expect(rejection([TAG], { headers: { prefer: 'return=x' } })).toContain('preference');
  });
});

describe('a fault of an operation', () => {
  it.each<[unknown, string]>([
    [{ method: 'POST', path: '/nope', body: {} }, '1: 404 table.not_found'],
    [{ method: 'POST', path: '/_batch', body: {} }, '1: 404 request.not_found'],
    [{ method: 'POST', path: '/query', body: {} }, '1: 404 request.not_found'],
    [{ method: 'PUT', path: '/tags/x', body: {} }, '1: 422 key.invalid'],
    [{ method: 'POST', path: '/tags', body: {} }, '1: 422 body.invalid ["body","name"] missing'],
    [
      { method: 'POST', path: '/tags', body: { name: 'x' }, if_match: '*' },
      '1: 422 params.invalid ["header","If-Match"] no_meaning',
    ],
    [{ method: 'DELETE', path: '/tags' }, '1: 422 params.invalid ["query"] missing'],
    [
      { method: 'POST', path: '/tags?limit=1', body: { name: 'x' } },
      '1: 422 params.invalid ["query","limit"]',
    ],
    [{ method: 'POST', path: '/recent-posts', body: {} }, '1: 405 table.read_only'],
  ])('planBatchSteps rejects the operation %j', (operation, fault) => {
    expect(rejection([TAG, operation])).toContain(fault);
  });

  it('planBatchSteps reports the fault of any operation before the first one runs', () => {
    const rights: Rights = { ...ALL, tables: { tags: ['read', 'write'], posts: ['read'], users: ['write'] } };
    expect(rejection([TAG, { method: 'DELETE', path: '/tags/1' }], { rights })).toBe(
      '1: 403 auth.scope The key does not have the scope "delete" on tags.',
    );
    expect(
      rejection([TAG, { method: 'PATCH', path: '/posts/1', body: { title: 'x' } }], { rights }),
    ).toContain('1: 403 auth.scope');
    expect(rejection([TAG, { method: 'GET', path: '/comments' }], { rights })).toContain(
      '1: 404 table.not_found',
    );
    const user = { method: 'POST', path: '/users', body: { username: 'a', email: 'a@b.co' } };
    expect(rejection([user, TAG], { rights })).toBe('accepted');
    expect(rejection([user, { ...TAG, body: { name: { $ref: '0.username' } } }], { rights })).toBe(
      '1: 403 auth.scope $ref requires the scope "read" on users, which the key does not have.',
    );
    expect(rejection([user, TAG], { rights, headers: { prefer: 'tx=rollback' } })).toContain(
      '0: 403 auth.scope',
    );
  });

  it('a batch that creates more than 10,000 records is rejected', () => {
    const many = {
      method: 'POST',
      path: '/tags',
      body: Array.from({ length: 5_001 }, () => ({ name: 'x' })),
    };
    expect(rejection([many, many])).toBe('1: 422 limit.batch_rows ["body"] too_long');
  });
});

describe('a batch', () => {
  it('a batch response contains the results of its operations in order', () => {
    const { response } = run(
      [
        TAG,
        { method: 'PATCH', path: '/v1/-/tags/7', body: { name: 'b' } },
        { method: 'DELETE', path: '/tags/7' },
        { method: 'GET', path: '/tags?limit=1' },
      ],
      database,
    );
    expect(response.status).toBe(200);
    expect(JSON.parse(String(response.body))).toEqual([
      {
        status: 201,
        headers: { Location: '/v1/-/tags/7', ETag: expect.any(String) },
        body: { id: 7, name: 'a', description: null },
      },
      { status: 200, headers: { ETag: expect.any(String) }, body: { id: 7, name: 'a', description: null } },
      { status: 204, headers: {}, body: null },
      {
        status: 200,
        headers: expect.objectContaining({ 'X-Has-More': 'false' }),
        body: [{ id: 7, name: 'a', description: null }],
      },
    ]);
  });

  it('the Prefer header of a batch applies to all its operations', () => {
    const { response } = run([TAG, { method: 'PUT', path: '/tags/7', body: { name: 'b' } }], database, {
      headers: { prefer: 'return=minimal, tx=rollback' },
    });
    expect(response.headers['Preference-Applied']).toBe('return=minimal, tx=rollback');
    expect(JSON.parse(String(response.body))).toMatchObject([
      { status: 201, body: { id: 7 } },
      { status: 204, body: null },
    ]);
  });

  it('a batch operation with if_match is rejected when its record has another version', () => {
    const { statements } = run(
      [{ method: 'PUT', path: '/tags/7', body: { name: 'b' }, if_match: '*' }],
      database,
    );
    expect(statements[0]?.sql).toContain('FOR UPDATE');
  });

  it('paths of batch operations may contain parameters and characters beyond ASCII', () => {
    const { statements } = run([{ method: 'GET', path: '/tags?name=größe 😀&limit=1' }], database);
    expect(statements[0]?.params).toEqual(['größe 😀', '2']);
  });
});

describe('$ref', () => {
  const bind = (body: unknown, path = '/tags', method = 'POST'): unknown[] => {
    const { statements } = run([TAG, { method, path, body }], database);
    return [...(statements[1]?.params ?? [])].map((value) =>
      value instanceof Uint8Array ? [...value] : value,
    );
  };

  it('$ref in a batch takes the value of an earlier response', () => {
    const link = run(
      [TAG, { method: 'POST', path: '/post-tags', body: { post_id: 5, tag_id: { $ref: '0.id' } } }],
      database,
    );
    expect(link.statements[1]?.params).toEqual(['5', '7']);
    expect(
      bind([{ name: { $ref: '0.name' } }, { name: 'x', description: { $ref: '0.description' } }]),
    ).toEqual(['a']);
    expect(bind({ description: { $ref: '0.name' } }, '/tags/7', 'PATCH')).toEqual(['a', '7']);
    expect(bind({ id: { $ref: '0.id' }, name: 'n' }, '/tags/7', 'PUT')).toEqual(['n', '7']);
    expect(
      run(
        [
          { method: 'GET', path: '/tags' },
          { ...TAG, body: { name: { $ref: '0.0.name' } } },
        ],
        database,
      ).statements[1]?.params,
    ).toEqual(['a']);
  });

  it('$ref in a JSON column is stored as data unless it is wrapped', () => {
    expect(bind({ data: { $ref: '0.id' } }, '/types')[0]).toBe('{"$ref":"0.id"}');
    expect(bind({ data: { $value: { $ref: '0.id' } } }, '/types')[0]).toBe('7');
    expect(bind({ data: { $value: { $ref: '0' } } }, '/types')[0]).toBe(
      '{"id":7,"name":"a","description":null}',
    );
    expect(bind({ data: { $value: { $value: { $ref: '0.id' } } } }, '/types')[0]).toBe(
      '{"$value":{"$ref":"0.id"}}',
    );
    expect(bind({ data: { $value: 5 } }, '/types')[0]).toBe('{"$value":5}');
    expect(bind({ name: { $value: { $ref: '0.name' } } })).toEqual(['a']);
  });

  it.each<[unknown, string]>([
    ['1.id', '1: 422 body.invalid ["body","name"] reference'],
    ['7.id', 'reference'],
    ['-1.id', 'reference'],
    ['x', 'reference'],
    ['', 'reference'],
    [5, 'reference'],
    [null, 'reference'],
    ['00.id', 'reference'],
  ])('planBatchSteps rejects the batch reference %j', (path, fault) => {
    expect(rejection([TAG, { ...TAG, body: { name: { $ref: path } } }])).toContain(fault);
  });

  it('$ref in a batch is rejected if its value is missing or does not fit the column', () => {
    const rejected = (reference: string, body?: unknown): string => {
      try {
        run([body ?? TAG, { ...TAG, body: { name: { $ref: reference } } }], database);
      } catch (error) {
        return describeError(error);
      }
      return 'accepted';
    };
    expect(rejected('0.nme')).toContain('["body","name"] reference');
    expect(rejected('0.id')).toContain('["body","name"] string_type');
    expect(rejected('0')).toContain('string_type');
    expect(rejected('0.description')).toContain('null_not_allowed');
    expect(rejected('0.id', { method: 'DELETE', path: '/tags/7' })).toContain('reference');
  });

  it('$ref in a batch cannot change a key', () => {
    expect(() => bind({ id: { $ref: '0.id' } }, '/tags/8', 'PATCH')).toThrow();
    expect(rejection([TAG, { method: 'PATCH', path: '/tags?id=1', body: { id: { $ref: '0.id' } } }])).toBe(
      'accepted',
    );
    expect(() =>
      run([TAG, { method: 'PATCH', path: '/tags?id=1', body: { id: { $ref: '0.id' } } }], database),
    ).toThrow();
  });

  it('$ref outside a batch is rejected', async () => {
    const { rejection: single } = await import('../../test/blog.js');
    expect(single('POST /tags', { body: { name: { $ref: '0.id' } } })).toContain('["body","name"] reference');
    expect(single('POST /types', { body: { data: { $ref: '0.id' } } })).toBe('accepted');
    expect(single('POST /types', { body: { data: { $value: { $inc: 1 } } } })).toContain(
      '["body","data"] increment',
    );
    expect(single('PATCH /types/1', { body: { data: { $value: { $inc: 1 } } } })).toContain(
      '["body","data"] increment',
    );
    expect(single('PATCH /types/1', { body: { tiny: { $value: { $inc: 1 } } } })).toBe('accepted');
  });
});
