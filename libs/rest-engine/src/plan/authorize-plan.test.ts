import { readFileSync } from 'node:fs';
import type { Rights, Verb } from '@rowhouse/schema-model';
import { describe, expect, it } from 'vitest';
import { ALL, compile, describeError, sealText } from '../../test/blog.js';
import { authorizeBatch, authorizePlan, parseBatch, parseJson, parseRequest, planBatch, planRequest, type Plan, type PlanOptions, type Touch } from '../index.js';

interface Case {
  readonly call: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** `read posts, write tags`: what it needs, all of it and nothing else. */
  readonly needs: string;
}

const POST = { title: 't', content: 'c' };
const DRY = { prefer: 'tx=rollback' };

/** Every kind of plan, and everything in it that leads to another table. */
const CASES: Readonly<Record<Plan['kind'], readonly Case[]>> = {
  list: [
    { call: 'GET /tags', needs: 'read tags' },
    { call: 'GET /posts?include=user,comments.user,tags', needs: 'read posts, read users, read comments, read tags, read post_tags' },
    { call: 'GET /posts?user.username=a', needs: 'read posts, read users' },
    { call: 'GET /posts?tags__exists=true', needs: 'read posts, read tags, read post_tags' },
    { call: 'GET /posts?sort=user.username', needs: 'read posts, read users' },
    { call: 'GET /posts?where=user.username=%27a%27', needs: 'read posts, read users' },
    { call: 'GET /users?_filter={"posts":{"none":{"comments":{"count__gte":1}}}}', needs: 'read users, read posts, read comments' },
    { call: 'GET /users?include=posts&include[posts][tags.name]=a', needs: 'read users, read posts, read tags, read post_tags' },
    { call: 'GET /posts?user.username=a', headers: { accept: 'application/x-ndjson' }, needs: 'read posts, read users' },
    { call: 'POST /_search/posts', body: { include: 'user', 'comments.content': 'x' }, needs: 'read posts, read users, read comments' },
  ],
  aggregate: [
    { call: 'GET /posts?_aggregate=count', needs: 'read posts' },
    { call: 'GET /posts?_aggregate=count&_group=user.username&comments.content=x', needs: 'read posts, read users, read comments' },
  ],
  explain: [{ call: 'GET /posts?_explain=true&user.username=a', needs: 'read posts, read users' }],
  read: [
    { call: 'GET /tags/1', needs: 'read tags' },
    { call: 'GET /posts/1?include=tags', needs: 'read posts, read tags, read post_tags' },
  ],
  create: [
    { call: 'POST /tags', body: { name: 'a' }, needs: 'write tags' },
    { call: 'POST /tags', body: [{ name: 'a' }], headers: DRY, needs: 'write tags, read tags' },
  ],
  create_nested: [
    { call: 'POST /posts', body: { ...POST, user: { username: 'a', email: 'a@b.co' } }, headers: { prefer: 'return=minimal' }, needs: 'write posts, write users' },
    { call: 'POST /posts', body: { ...POST, user: { id: 1 } }, headers: { prefer: 'return=minimal' }, needs: 'write posts, read users' },
    { call: 'POST /posts', body: { ...POST, user_id: 1, tags: [{ id: 1 }] }, headers: { prefer: 'return=minimal' }, needs: 'write posts, write post_tags, read tags' },
    { call: 'POST /posts', body: { ...POST, user_id: 1, tags: [{ name: 'a' }] }, headers: { prefer: 'return=minimal' }, needs: 'write posts, write post_tags, write tags' },
    { call: 'POST /users', body: { username: 'a', email: 'a@b.co', posts: [{ id: 1 }] }, headers: { prefer: 'return=minimal' }, needs: 'write users, write posts, read posts' },
    { call: 'POST /users', body: { username: 'a', email: 'a@b.co', posts: [{ ...POST, comments: [{ content: 'c', user_id: 1 }] }] }, headers: { prefer: 'return=minimal' }, needs: 'write users, write posts, write comments' },
    { call: 'POST /posts', body: { ...POST, user: { username: 'a', email: 'a@b.co' } }, headers: { prefer: 'return=minimal, tx=rollback' }, needs: 'write posts, write users, read posts, read users' },
  ],
  update: [
    { call: 'PUT /tags/1', body: { name: 'a' }, needs: 'write tags' },
    { call: 'PATCH /tags/1', body: {}, headers: { 'if-match': '*' }, needs: 'write tags, read tags' },
    { call: 'PATCH /tags/1', body: {}, headers: DRY, needs: 'write tags, read tags' },
  ],
  delete: [
    { call: 'DELETE /tags/1', needs: 'delete tags' },
    { call: 'DELETE /tags/1', headers: { 'if-match': '"1.x"' }, needs: 'delete tags, read tags' },
    { call: 'DELETE /tags/1', headers: DRY, needs: 'delete tags, read tags' },
  ],
  upsert: [{ call: 'POST /tags?_on_conflict=name', body: { name: 'a' }, needs: 'write tags, read tags' }],
  update_many: [
    { call: 'PATCH /tags?name=a', body: { name: 'b' }, needs: 'write tags, read tags' },
    { call: 'PATCH /posts?user.username=a', body: { title: 'b' }, needs: 'write posts, read posts, read users' },
  ],
  delete_many: [
    { call: 'DELETE /tags?name=a', needs: 'delete tags, read tags' },
    { call: 'DELETE /posts?_filter={"tags":{"some":{"name":"a"}}}', needs: 'delete posts, read posts, read tags, read post_tags' },
  ],
};

const OPTIONS: PlanOptions = { unknownFields: 'reject', requireLimit: false, regexEnabled: true, storedColumnsAt: () => null, sealText, makeUuid: () => '' };
const SCOPES = ['query'];
const VERBS: readonly Verb[] = ['read', 'write', 'delete'];
const NAMES = ['users', 'posts', 'comments', 'tags', 'post_tags'];

function readNeeds(text: string): Touch[] {
  return text.split(', ').map((part) => ({ verb: (part.split(' ')[0] ?? '') as Verb, table: part.split(' ')[1] ?? '' }));
}

/** Just these, on tables that have another right besides, so that they are there. */
function rightsOf(needs: readonly Touch[]): Rights {
  const tables = Object.fromEntries(NAMES.map((name): [string, Verb[]] => [name, needs.filter((touch) => touch.table === name).map((touch) => touch.verb)]));
  return { ...ALL, tables: Object.fromEntries(Object.entries(tables).map(([name, verbs]) => [name, verbs.length > 0 ? verbs : [VERBS.find((verb) => !needs.some((touch) => touch.table === name && touch.verb === verb)) ?? 'delete']])) };
}

function splitCall(call: string): { method: string; address: string } {
  const space = call.indexOf(' ');
  return { method: call.slice(0, space), address: call.slice(space + 1) };
}

function attempt({ call, body, headers = {} }: Case, rights: Rights, scopes: readonly string[] = SCOPES): Plan | string {
  const { method, address } = splitCall(call);
  const [rawPath = '', ...query] = address.split('?');
  const value = body === undefined ? undefined : parseJson(JSON.stringify(body));
  try {
    const request = parseRequest({ method, rawPath, rawQuery: query.join('?'), headers, body: value }, compile(rights), { prefix: '' });
    return authorizePlan(planRequest(request, OPTIONS), rights, scopes);
  } catch (thrown) {
    return describeError(thrown);
  }
}

const all = Object.entries(CASES).flatMap(([kind, cases]) => cases.map((one): [string, string, Case] => [kind, `${one.call} ${one.body === undefined ? '' : JSON.stringify(one.body)} ${JSON.stringify(one.headers ?? {})}`, one]));

describe('every kind of plan', () => {
  it('has cases here', () => {
    // The compiler sees to it that this switch has all kinds.
    const source = readFileSync(new URL('../sql/to-statements.ts', import.meta.url), 'utf8');
    const kinds = [...source.matchAll(/case '(\w+)'/g)].map((match) => match[1]);
    expect(kinds.length).toBeGreaterThan(10);
    expect(Object.entries(CASES).filter(([, cases]) => cases.length > 0).map(([kind]) => kind).sort()).toEqual(kinds.sort());
  });

  it.each(all)('%s: %s', (kind, _name, one) => {
    const needs = readNeeds(one.needs);
    const planned = attempt(one, rightsOf(needs));
    expect(planned).toMatchObject({ kind });
    for (const missing of needs) {
      // Another right stays, so that the table is there.
      const kept = needs.filter((touch) => touch !== missing);
      const verbs = kept.filter((touch) => touch.table === missing.table).map((touch) => touch.verb);
      const instead = verbs.length > 0 ? [] : VERBS.filter((verb) => verb !== missing.verb).slice(0, 1).map((verb) => ({ table: missing.table, verb }));
      expect(attempt(one, rightsOf([...kept, ...instead]))).toBe(`403 auth.scope The key does not have the scope "${missing.verb}" on ${missing.table}.`);
    }
  });

  it('is refused whole where a table is not there at all', () => {
    for (const [, , one] of all) {
      for (const { table } of readNeeds(one.needs)) {
        const { tables } = rightsOf(readNeeds(one.needs));
        const { [table]: _gone, ...others } = tables ?? {};
        expect(attempt(one, { ...ALL, tables: others })).toMatch(/^(?:404|422) /);
      }
    }
  });

  it('needs the scope query to be explained', () => {
    for (const one of CASES.explain) expect(attempt(one, ALL, ['read'])).toContain('403 auth.scope');
  });

  it('is authorised as an operation of a batch too', () => {
    for (const [, , one] of all) {
      if (one.headers?.['accept'] !== undefined) continue;
      const needs = readNeeds(one.needs);
      const { method, address } = splitCall(one.call);
      const operation = { method, path: address, ...(one.body === undefined ? {} : { body: one.body }), ...(one.headers?.['if-match'] === undefined ? {} : { if_match: one.headers['if-match'] }) };
      const send = (rights: Rights): string => {
        try {
          const headers = one.headers?.['prefer'] === undefined ? {} : { prefer: one.headers['prefer'] };
          const body = parseJson(JSON.stringify({ operations: [operation] }));
          authorizeBatch(planBatch(parseBatch({ rawQuery: '', headers, body }, compile(rights), { prefix: '' }), () => OPTIONS), rights, SCOPES);
        } catch (thrown) {
          return describeError(thrown);
        }
        return 'accepted';
      };
      expect([one.call, send(rightsOf(needs))]).toEqual([one.call, 'accepted']);
      for (const missing of needs) expect([one.call, send({ ...ALL, tables: { ...rightsOf(needs).tables, [missing.table]: VERBS.filter((verb) => verb !== missing.verb) } })]).toEqual([one.call, `403 auth.scope The key does not have the scope "${missing.verb}" on ${missing.table}.`]);
    }
  });
});
