import { getTestServers } from '@rowhouse/testkit';
import { describe, expect, it } from 'vitest';
import type { TestResponse } from '../support/http-call.js';
import { stageCell } from '../support/stage-cell.js';

const servers = getTestServers();
const POST = { title: 'First', content: 'x' };

/**
 * Tables with keys of all kinds: created by an expression, by the engine or by the client. Some foreign keys
 * reference columns that are not a primary key.
 */
const ODD = [
  'CREATE TABLE owners (id char(36) NOT NULL DEFAULT (uuid()) PRIMARY KEY, handle varchar(20) NOT NULL UNIQUE)',
  'CREATE TABLE pets (id bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY, name varchar(20) NOT NULL, owner_id char(36) NULL, sitter varchar(20) NULL, mother_id bigint unsigned NULL, FOREIGN KEY (owner_id) REFERENCES owners (id), FOREIGN KEY (sitter) REFERENCES owners (handle), FOREIGN KEY (mother_id) REFERENCES pets (id))',
  'CREATE TABLE pages (book int NOT NULL, number int NOT NULL, PRIMARY KEY (book, number))',
  'CREATE TABLE lines_ (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, book int NOT NULL, number int NOT NULL, words varchar(20) NULL, FOREIGN KEY (book, number) REFERENCES pages (book, number))',
  'CREATE TABLE tallies (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, total int NOT NULL DEFAULT 0)',
  'CREATE TABLE entries (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, tally_id int NOT NULL, amount int NOT NULL, FOREIGN KEY (tally_id) REFERENCES tallies (id))',
  'CREATE TRIGGER entries_after AFTER INSERT ON entries FOR EACH ROW UPDATE tallies SET total = total + NEW.amount WHERE id = NEW.tally_id',
];

describe.each(servers.engines.map((engine) => [engine.engine, engine] as const))(
  'nested creates on %s',
  (_name, engine) => {
    const stage = stageCell(engine, { deploy: ODD });

    const { call } = stage;
    const count = async (table: string, key = stage.tenant.key): Promise<number> =>
      Number(
        (await call('GET', `/${table}?limit=0&_count=exact`, undefined, {}, key)).headers.get(
          'x-total-count',
        ),
      );
    const counts = (): Promise<number[]> =>
      Promise.all(['users', 'posts', 'comments', 'tags', 'post-tags'].map((table) => count(table)));

    it('a nested create writes parents, children and links in one transaction and returns them', async () => {
      const sql = await call('POST', '/tags', { name: 'sql' });
      const response = await call('POST', '/posts', {
        ...POST,
        user: { username: 'ann', email: 'ann@example.org' },
        comments: [
          { content: 'one', user: { username: 'bob', email: 'bob@example.org' } },
          { content: 'two', user_id: 1 },
        ],
        tags: [{ name: 'news', description: 'd' }, { id: sql.json.id }],
      });
      expect(response.status).toBe(201);
      const path = `/posts/${response.json.id}`;
      expect(response.headers.get('location')).toBe(`/v1/-${path}`);
      expect(response.json).toMatchObject({
        title: 'First',
        user: { username: 'ann' },
        comments: [{ content: 'one', user: { username: 'bob' } }, { content: 'two' }],
      });
      expect(response.json.tags.map((tag: { name: string }) => tag.name).sort()).toEqual(['news', 'sql']);
      const read = await call('GET', `${path}?include=user,comments.user,tags`);
      expect([read.headers.get('etag'), read.json]).toEqual([response.headers.get('etag'), response.json]);
      expect(
        (await call('PATCH', path, { title: 'Second' }, { 'if-match': String(response.headers.get('etag')) }))
          .status,
      ).toBe(200);
    });

    it('a nested create writes nothing when any record is rejected', async () => {
      const before = await counts();
      const tags = [{ name: 'fresh' }];
      const cases: [unknown, number, object][] = [
        [
          { ...POST, user: { username: 'new', email: 'ann@example.org' }, tags },
          409,
          {
            code: 'record.duplicate',
            columns: ['email'],
            detail: 'A record of users with this email already exists.',
          },
        ],
        [
          { ...POST, user: { username: 'new', email: 'new@example.org' }, tags: [...tags, { name: 'sql' }] },
          409,
          { code: 'record.duplicate', detail: 'A record of tags with this name already exists.' },
        ],
        [{ ...POST, user: { id: 999_999 }, tags }, 409, { code: 'record.foreign_key', columns: ['user_id'] }],
        [
          { ...POST, user_id: 1, tags: [...tags, { id: 999_999 }] },
          409,
          { code: 'record.foreign_key', columns: ['tag_id'] },
        ],
        [{ ...POST, user_id: 1, tags: [{ id: 1 }, { id: 1 }] }, 409, { code: 'record.duplicate' }],
        [
          { ...POST, user_id: 1, tags, comments: [{ content: 'x'.repeat(70_000), user_id: 1 }] },
          422,
          { code: 'body.invalid' },
        ],
        [
          { ...POST, user_id: 1, tags, comments: [{ id: 999_999 }] },
          409,
          {
            code: 'record.foreign_key',
            detail: 'There is no record of comments with the key at body.comments.0.',
          },
        ],
      ];
      for (const [body, status, fault] of cases) {
        const response = await call('POST', '/posts', body);
        expect([response.status, response.json]).toMatchObject([status, fault]);
      }
      expect(await counts()).toEqual(before);
      expect(
        (
          await call(
            'POST',
            '/posts',
            { ...POST, user_id: 1, tags: [{ name: 'dry' }] },
            { prefer: 'tx=rollback' },
          )
        ).status,
      ).toBe(201);
      expect(await counts()).toEqual(before);
    });

    it('a nested create connects existing records to a new parent', async () => {
      const [first, second] = (
        await call('POST', '/posts', [
          { ...POST, user_id: 1 },
          { ...POST, user_id: 1 },
        ])
      ).json;
      const response = await call('POST', '/users', {
        username: 'cid',
        email: 'cid@example.org',
        posts: [{ id: first.id }, { ...POST, title: 'own' }, { id: second.id }],
      });
      expect([response.status, response.json.posts.map((post: { user_id: number }) => post.user_id)]).toEqual(
        [201, Array.from({ length: 3 }, () => response.json.id)],
      );
    });

    it('a nested create writes arrays in order', async () => {
      const response = await call('POST', '/tags', [
        { name: 't1', posts: [{ ...POST, title: 'p1', user_id: 1 }] },
        { name: 't2' },
        { name: 't3', posts: { ...POST, title: 'p3', user_id: 1 } },
      ]);
      expect([
        response.status,
        response.json.map((tag: { name: string; posts: { title: string }[] }) => [
          tag.name,
          tag.posts.map((post) => post.title),
        ]),
      ]).toEqual([
        201,
        [
          ['t1', ['p1']],
          ['t2', []],
          ['t3', ['p3']],
        ],
      ]);
      const names = Array.from({ length: 300 }, (_, index) => ({
        name: `bulk-${index}`,
        posts: [{ ...POST, title: `bulk-${index}`, user_id: 1 }],
      }));
      const bulk = await call('POST', '/tags', names);
      expect(
        bulk.json.every(
          (tag: { name: string; posts: { title: string }[] }) =>
            tag.posts.length === 1 && tag.posts[0]?.title === tag.name,
        ),
      ).toBe(true);
    });

    it('nested creates support keys of every kind', async () => {
      const owner = await call('POST', '/owners', {
        handle: 'dora',
        pets_by_owner_id: [{ name: 'rex' }, { name: 'mia', pets: [{ name: 'kitten' }] }],
      });
      expect(owner.json).toMatchObject({
        handle: 'dora',
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        pets_by_owner_id: [
          { name: 'rex', owner_id: owner.json.id },
          { name: 'mia', pets: [{ name: 'kitten' }] },
        ],
      });
      const { relationships } = (await call('GET', '/schema')).json.tables.find(
        (table: { name: string }) => table.name === 'pets',
      );
      const sitter = relationships.find(
        (item: { kind: string; via: unknown }) =>
          item.kind === 'to_one' && JSON.stringify(item).includes('sitter'),
      ).name;
      const pet = await call('POST', '/pets', {
        name: 'max',
        owner: { id: owner.json.id },
        [sitter]: { id: owner.json.id },
      });
      expect(pet.json).toMatchObject({ owner_id: owner.json.id, sitter: 'dora' });
      expect((await call('POST', '/pets', { name: 'max', [sitter]: { id: 'nobody' } })).json).toMatchObject({
        code: 'record.foreign_key',
        table: 'owners',
      });
      const page = await call('POST', '/pages', {
        book: 1,
        number: 2,
        lines_: [{ words: 'a' }, { words: 'b' }],
      });
      expect(page.json).toMatchObject({ lines_: [{ book: 1, number: 2, words: 'a' }, { words: 'b' }] });
    });

    it('a nested create returns the values that triggers have changed', async () => {
      expect(
        (await call('POST', '/tallies', { entries: [{ amount: 2 }, { amount: 3 }] })).json,
      ).toMatchObject({ total: 5, entries: [{ amount: 2 }, { amount: 3 }] });
    });

    it('a nested create with an Idempotency-Key runs once, and a batch may contain one', async () => {
      const send = (): Promise<TestResponse> =>
        call(
          'POST',
          '/posts',
          { ...POST, user_id: 1, tags: [{ name: 'once' }] },
          { 'idempotency-key': 'n1' },
        );
      const [first, secondResponse] = [await send(), await send()];
      expect([first.status, secondResponse.text, secondResponse.headers.get('idempotent-replayed')]).toEqual([
        201,
        first.text,
        'true',
      ]);
      const batch = await call('POST', '/_batch', {
        operations: [
          {
            method: 'POST',
            path: '/posts',
            body: {
              ...POST,
              user: { username: 'eve', email: 'eve@example.org' },
              tags: [{ name: 'in-batch' }],
            },
          },
          {
            method: 'POST',
            path: '/comments',
            body: {
              content: { $ref: '0.tags.0.name' },
              post: { id: { $ref: '0.id' } },
              user_id: { $ref: '0.user.id' },
            },
          },
        ],
      });
      expect([batch.status, batch.json[1].body]).toMatchObject([
        200,
        { content: 'in-batch', post_id: batch.json[0].body.id },
      ]);
      const rejected = await call('POST', '/_batch', {
        operations: [
          {
            method: 'POST',
            path: '/posts',
            body: { ...POST, user: { username: 'eve2', email: 'eve@example.org' } },
          },
        ],
      });
      expect([rejected.status, rejected.json.detail, rejected.json.operation]).toEqual([
        409,
        'A record of users with this email already exists.',
        0,
      ]);
    });

    it('a nested create needs rights on every table and affects no other tenant', async () => {
      const keyOf = async (tables: Record<string, ('read' | 'write')[]>): Promise<string> =>
        (await stage.cell.addKey(stage.tenant, { tables })).secret;
      const body = {
        ...POST,
        user: { username: 'fay', email: 'fay@example.org' },
        tags: [{ name: 'rights' }],
      };
      const all: Record<string, ('read' | 'write')[]> = {
        posts: ['read', 'write'],
        users: ['write'],
        tags: ['read', 'write'],
        post_tags: ['read', 'write'],
      };
      for (const name of Object.keys(all)) {
        const response = await call('POST', '/posts', body, {}, await keyOf({ ...all, [name]: ['read'] }));
        expect([response.status, response.json.scope, response.json.table]).toEqual([403, 'write', name]);
      }
      const { users: _users, ...hidden } = all;
      expect((await call('POST', '/posts', body, {}, await keyOf(hidden))).status).toBe(422);
      expect((await call('GET', '/tags?name=rights')).json).toEqual([]);
      const done = await call('POST', '/posts', body, {}, await keyOf(all));
      expect([done.status, Object.keys(done.json).includes('user'), done.json.tags]).toMatchObject([
        201,
        false,
        [{ name: 'rights' }],
      ]);
      const before = await counts();
      expect(
        (await call('POST', '/posts', { ...body, tags: [{ name: 'elsewhere' }] }, {}, stage.other.key))
          .status,
      ).toBe(201);
      expect([await counts(), await count('tags', stage.other.key)]).toEqual([before, 1]);
    });
  },
);
