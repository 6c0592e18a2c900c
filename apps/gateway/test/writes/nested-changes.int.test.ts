import { getTestServers } from '@rowhouse/testkit';
import { describe, expect, it } from 'vitest';
import { openMcp } from '../support/mcp-client.js';
import { stageCell } from '../support/stage-cell.js';

const servers = getTestServers();
const POST = { title: 'First', content: 'x' };
const DDL = [
  'CREATE TABLE owners (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, name varchar(20) NOT NULL UNIQUE)',
  'CREATE TABLE pets (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, name varchar(20) NOT NULL UNIQUE, age int NULL, owner_id int NULL, FOREIGN KEY (owner_id) REFERENCES owners (id))',
];

describe.each(servers.engines.map((engine) => [engine.engine, engine] as const))(
  'changes of related records on %s',
  (_name, engine) => {
    const stage = stageCell(engine, { deploy: DDL });
    const { call } = stage;
    const names = (rows: readonly { readonly name: string }[]): string[] =>
      rows.map(({ name }) => name).sort((a, b) => a.localeCompare(b));

    it('one PATCH request changes a record together with its child records', async () => {
      const other = (
        await call('POST', '/owners', { name: 'other', pets: [{ name: 'guest' }, { name: 'foreign' }] })
      ).json;
      const created = (
        await call('POST', '/owners', { name: 'ann', pets: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] })
      ).json;
      const [a, b, c] = created.pets as { id: number }[];
      const [guest, foreign] = other.pets as { id: number }[];
      const path = `/owners/${created.id}`;
      const body = {
        name: 'anna',
        pets: {
          create: [
            { name: 'd', age: 1 },
            { name: 'c', age: 2 },
          ],
          connect: [{ id: guest?.id }],
          update: [{ id: a?.id, age: { $inc: 3 } }],
          disconnect: { id: b?.id },
          delete: [{ id: c?.id }],
        },
      };
      const rehearsed = await call('PATCH', path, body, { prefer: 'tx=rollback' });
      const response = await call('PATCH', path, body, {
        'if-match': String((await call('GET', path)).headers.get('etag')),
      });
      expect([rehearsed.status, response.status, response.json.name, names(response.json.pets)]).toEqual([
        200,
        200,
        'anna',
        ['a', 'c', 'd', 'guest'],
      ]);
      expect(response.json.pets.find((pet: { name: string }) => pet.name === 'a').age).toBe(3);
      expect((await call('GET', `${path}?include=pets`)).headers.get('etag')).toBe(
        response.headers.get('etag'),
      );
      expect((await call('GET', `/pets/${b?.id}`)).json.owner_id).toBeNull();
      expect((await call('GET', `/pets/${c?.id}`)).status).toBe(404);
      for (const [operation, record] of [
        ['update', { id: foreign?.id, age: 9 }],
        ['delete', { id: foreign?.id }],
        ['disconnect', { id: foreign?.id }],
        ['update', { id: 999_999, age: 1 }],
        ['connect', { id: 999_999 }],
      ] as const) {
        const rejected = await call('PATCH', path, {
          name: 'lost',
          pets: { create: { name: 'lost' }, [operation]: record },
        });
        expect([rejected.status, rejected.json.code, rejected.json.table]).toEqual([
          409,
          'record.foreign_key',
          'pets',
        ]);
      }
      const twice = await call('PATCH', path, {
        name: 'lost',
        pets: { create: [{ name: 'fresh' }, { name: 'foreign' }] },
      });
      expect([twice.status, twice.json.code, twice.json.loc]).toEqual([
        409,
        'record.duplicate',
        ['body', 'pets', 'create', 1],
      ]);
      expect(
        (await call('PATCH', path, { name: 'lost' }, { 'if-match': '"1.AAAAAAAAAAAAAAAAAAAAAA"' })).status,
      ).toBe(412);
      expect(
        (
          await call(
            'PATCH',
            path,
            { name: 'lost', pets: { create: { name: 'fresh' } } },
            { 'if-match': '"1.AAAAAAAAAAAAAAAAAAAAAA"' },
          )
        ).status,
      ).toBe(412);
      expect((await call('PATCH', '/owners/999999', { pets: { create: { name: 'fresh' } } })).status).toBe(
        404,
      );
      expect(
        (await call('GET', '/owners?name=lost')).json.concat(
          (await call('GET', '/pets?name__in=fresh,lost')).json,
        ),
      ).toEqual([]);
      expect(
        (await call('PUT', path, { pets: { update: { id: a?.id, age: 5 } } }, { prefer: 'return=minimal' }))
          .status,
      ).toBe(204);
      expect((await call('GET', `/pets/${a?.id}`)).json.age).toBe(5);
    });

    it('one PATCH request creates, connects, changes and deletes a referenced record', async () => {
      const pet = (await call('POST', '/pets', { name: 'rex' })).json;
      const patch = (owner: object): ReturnType<typeof call> => call('PATCH', `/pets/${pet.id}`, { owner });
      const first = (await patch({ create: { name: 'own-1', pets: [{ name: 'mate' }] } })).json;
      expect(first.owner.name).toBe('own-1');
      expect((await patch({ update: { name: 'own-2' } })).json.owner).toEqual({
        id: first.owner.id,
        name: 'own-2',
        pets: undefined,
      });
      const second = (await call('POST', '/owners', { name: 'own-3' })).json;
      expect((await patch({ connect: { id: second.id } })).json).toMatchObject({
        owner_id: second.id,
        owner: { name: 'own-3' },
      });
      expect((await patch({ connect: { id: 999_999 } })).json.code).toBe('record.foreign_key');
      expect((await patch({ delete: true })).json).toMatchObject({ owner_id: null, owner: null });
      expect((await call('GET', `/owners/${second.id}`)).status).toBe(404);
      expect((await patch({ update: { name: 'x' } })).json.code).toBe('record.foreign_key');
      await patch({ connect: { id: first.owner.id } });
      expect((await patch({ disconnect: true })).json.owner).toBeNull();
      expect((await call('GET', `/owners/${first.owner.id}`)).status).toBe(200);
    });

    it('one PATCH request links, changes and deletes records of a many-to-many relationship', async () => {
      const created = (
        await call('POST', '/posts', {
          ...POST,
          user: { username: 'ann', email: 'ann@example.org' },
          tags: [{ name: 't1' }, { name: 't2' }, { name: 't3' }],
        })
      ).json;
      const free = (await call('POST', '/tags', [{ name: 'free' }, { name: 'apart' }])).json;
      const id = (name: string): number =>
        [...created.tags, ...free].find((tag: { name: string }) => tag.name === name).id;
      const body = {
        title: 'Second',
        tags: {
          create: { name: 't4' },
          connect: { id: id('free') },
          update: { id: id('t1'), description: 'new' },
          disconnect: { id: id('t2') },
          delete: { id: id('t3') },
        },
        comments: { create: { content: 'c', user_id: created.user_id } },
      };
      const response = await call('PATCH', `/posts/${created.id}`, body);
      expect([
        response.status,
        response.json.title,
        names(response.json.tags),
        response.json.comments.length,
      ]).toEqual([200, 'Second', ['free', 't1', 't4'], 1]);
      expect(names((await call('GET', '/tags?name__in=t2,t3')).json)).toEqual(['t2']);
      for (const operation of ['update', 'disconnect', 'delete']) {
        const rejected = await call('PATCH', `/posts/${created.id}`, {
          title: 'lost',
          tags: { [operation]: { id: id('apart') } },
        });
        expect([rejected.status, rejected.json.table]).toEqual([409, 'post_tags']);
      }
      const once = { 'idempotency-key': 'nested-1' };
      const [item, secondResponse] = [
        await call('PATCH', `/posts/${created.id}`, { tags: { create: { name: 't5' } } }, once),
        await call('PATCH', `/posts/${created.id}`, { tags: { create: { name: 't5' } } }, once),
      ];
      expect([item.status, secondResponse.text]).toEqual([200, item.text]);
      const batch = await call('POST', '/_batch', {
        operations: [
          { method: 'POST', path: '/tags', body: { name: 't6' } },
          {
            method: 'PATCH',
            path: `/posts/${created.id}`,
            body: { tags: { connect: { id: { $ref: '0.id' } } } },
          },
        ],
      });
      expect(names(batch.json[1].body.tags)).toContain('t6');
      const mcp = await openMcp(stage.gateway.url, stage.tenant.key);
      const reported = (
        await mcp.call('update_records', {
          table: 'posts',
          records: [{ id: created.id, values: { tags: { create: [{ name: 't7' }] } } }],
        })
      ).reported;
      await mcp.close();
      expect(names(reported.records[0].tags)).toContain('t7');
    });

    it('an invalid nested change is rejected with its position in the body', async () => {
      const { id } = (await call('POST', '/owners', { name: 'strict', pets: [{ name: 'strict' }] })).json;
      const cases: [unknown, string][] = [
        [[{ name: 'x' }], 'related_operations'],
        [{}, 'related_operations'],
        [{ add: [] }, 'related_operations'],
        [{ create: { id: 1 } }, 'related_key'],
        [{ connect: { id: 1, name: 'x' } }, 'related_key'],
        [{ update: { name: 'x' } }, 'missing'],
        [{ delete: { id: 1, name: 'x' } }, 'related_key'],
        [{ update: { id: 1, nick: 'x' } }, 'extra_forbidden'],
        [{ create: { age: 1 } }, 'missing'],
        [{ delete: 1 }, 'dict_type'],
      ];
      for (const [pets, type] of cases) {
        const response = await call('PATCH', `/owners/${id}`, { pets });
        expect([
          pets,
          response.status,
          response.json.detail[0].type,
          response.json.detail[0].loc.slice(0, 2),
        ]).toEqual([pets, 422, type, ['body', 'pets']]);
      }
      expect((await call('PATCH', '/pets?name=strict', { owner: { connect: { id } } })).status).toBe(422);
      expect((await call('PATCH', '/posts/1', { user: { disconnect: true } })).json.detail[0].type).toBe(
        'null_not_allowed',
      );
      expect(
        (await call('PATCH', '/pets/1', { owner_id: 1, owner: { connect: { id } } })).json.detail[0].type,
      ).toBe('set_by_relationship');
      expect(
        (await call('PATCH', '/pets/1', { owner: { connect: { id }, update: {} } })).json.detail[0].type,
      ).toBe('related_operations');
    });

    it('a nested change needs rights on every table and cannot reach records of other tenants', async () => {
      const keyOf = async (tables: Record<string, ('read' | 'write' | 'delete')[]>): Promise<string> =>
        (await stage.cell.addKey(stage.tenant, { tables })).secret;
      const { id, pets } = (
        await call('POST', '/owners', { name: 'rights', pets: [{ name: 'r1' }, { name: 'r2' }] })
      ).json;
      const cases: [object, Record<string, ('read' | 'write' | 'delete')[]>, string, string][] = [
        [
          { pets: { create: { name: 'r3' } } },
          { owners: ['read', 'write'], pets: ['read'] },
          'write',
          'pets',
        ],
        [
          { pets: { update: { id: pets[0].id, age: 1 } } },
          { owners: ['read', 'write'], pets: ['write'] },
          'read',
          'pets',
        ],
        [
          { pets: { delete: { id: pets[0].id } } },
          { owners: ['read', 'write'], pets: ['read', 'write'] },
          'delete',
          'pets',
        ],
        [
          { pets: { disconnect: { id: pets[0].id } } },
          { owners: ['read', 'write'], pets: ['read', 'delete'] },
          'write',
          'pets',
        ],
        [
          { pets: { create: { name: 'r3' } } },
          { owners: ['read'], pets: ['read', 'write'] },
          'write',
          'owners',
        ],
      ];
      for (const [body, tables, scope, table] of cases) {
        const response = await call('PATCH', `/owners/${id}`, body, {}, await keyOf(tables));
        expect([response.status, response.json.scope, response.json.table]).toEqual([403, scope, table]);
      }
      const blind = await call(
        'PATCH',
        `/owners/${id}`,
        { pets: { create: { name: 'r4' } } },
        {},
        await keyOf({ owners: ['write'], pets: ['write'] }),
      );
      expect([blind.status, blind.text]).toEqual([204, '']);
      expect(
        (
          await call(
            'PATCH',
            `/owners/${id}`,
            { pets: { create: { name: 'r5' } } },
            {},
            await keyOf({ owners: ['read', 'write'] }),
          )
        ).status,
      ).toBe(422);
      expect(names((await call('GET', `/owners/${id}?include=pets`)).json.pets)).toEqual(['r1', 'r2', 'r4']);
    });
  },
);
