import { getTestServers } from '@rowhouse/testkit';
import { describe, expect, it } from 'vitest';
import { stageCell } from '../support/stage-cell.js';

const servers = getTestServers();

describe.each(servers.engines.map((engine) => [engine.engine, engine] as const))(
  'upserts and filtered writes on %s',
  (_name, engine) => {
    const stage = stageCell(engine, { other: null });
    const { call } = stage;

    const list = async (path: string): Promise<readonly Record<string, string>[]> =>
      (await call('GET', path)).json;

    it('an upsert creates, changes or ignores a record by the unique key that it names', async () => {
      const ann = { username: 'ann', email: 'ann@example.org' };
      const created = await call('POST', '/users?_on_conflict=email', ann);
      expect([created.status, created.headers.get('location')]).toEqual([
        201,
        `/v1/-/users/${created.json.id}`,
      ]);
      const merged = await call('POST', '/users?_on_conflict=email', { ...ann, bio: 'hello' });
      expect([merged.status, merged.json]).toEqual([200, { ...created.json, bio: 'hello' }]);
      expect(merged.headers.get('etag')).toBe(
        (await call('GET', `/users/${created.json.id}`)).headers.get('etag'),
      );
      const ignored = await call(
        'POST',
        '/users?_on_conflict=email',
        { ...ann, bio: 'other' },
        { prefer: 'resolution=ignore-duplicates' },
      );
      expect([ignored.status, ignored.json.bio]).toEqual([200, 'hello']);
      expect(await list('/users')).toHaveLength(1);
    });

    it('an upsert that violates another unique key gets 409 and changes nothing', async () => {
      await call('POST', '/users', { username: 'bea', email: 'bea@example.org' });
      const before = await list('/users?sort=id');
      for (const body of [
        { username: 'ann', email: 'new@example.org' },
        { username: 'ann', email: 'bea@example.org' },
      ]) {
        const response = await call('POST', '/users?_on_conflict=email', body);
        expect([response.status, response.json.code]).toEqual([409, 'record.duplicate']);
      }
      const bulk = await call('POST', '/users?_on_conflict=email', [
        { username: 'carl', email: 'carl@example.org' },
        { username: 'ann', email: 'dora@example.org' },
      ]);
      expect(bulk.status).toBe(409);
      expect(await list('/users?sort=id')).toEqual(before);
    });

    it('concurrent upserts of one key cause neither duplicates nor errors', async () => {
      const responses = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          call('POST', '/tags?_on_conflict=name', { name: 'busy', description: `d${index}` }),
        ),
      );
      expect(new Set(responses.map((response) => response.status))).toEqual(new Set([200, 201]));
      expect(responses.filter((response) => response.status === 201)).toHaveLength(1);
      expect(await list('/tags?name=busy')).toHaveLength(1);
    });

    it('an upsert of an array runs in one transaction', async () => {
      const response = await call('POST', '/tags?_on_conflict=name', [
        { name: 'busy', description: 'x' },
        { name: 'fresh' },
      ]);
      expect([response.status, response.json.map((tag: { name: string }) => tag.name)]).toEqual([
        201,
        ['busy', 'fresh'],
      ]);
      const rejected = await call('POST', '/tags?_on_conflict=id', [
        { id: 700, name: 'double' },
        { id: 701, name: 'double' },
      ]);
      expect(rejected.status).toBe(409);
      expect(await list('/tags?name=double')).toEqual([]);
      expect(
        (await call('POST', '/tags?_on_conflict=name', { name: 'dry' }, { prefer: 'tx=rollback' })).status,
      ).toBe(201);
      expect(await list('/tags?name=dry')).toEqual([]);
    });

    it('a filtered write changes or deletes the matching records, up to its row limit', async () => {
      const names = Array.from({ length: 150 }, (_, index) => ({ name: `many-${index}` }));
      await call('POST', '/tags', names);
      const rejected = await call('PATCH', '/tags?name__like=many-%25', { description: 'x' });
      expect([rejected.status, rejected.json.code]).toEqual([409, 'record.max_affected']);
      expect(await list('/tags?description=x&name__like=many-%25')).toEqual([]);
      const updated = await call(
        'PATCH',
        '/tags?name__like=many-%25',
        { description: 'x' },
        { prefer: 'max-affected=200' },
      );
      expect([updated.status, updated.json]).toEqual([200, { updated: 150 }]);
      expect(
        (await call('PUT', '/tags?name__like=many-%25', { description: 'x' }, { prefer: 'max-affected=200' }))
          .json,
      ).toEqual({ updated: 150 });
      const visible = await call(
        'PUT',
        '/tags?name__in=many-1,many-2',
        { description: 'y' },
        { prefer: 'return=representation' },
      );
      expect(visible.json).toMatchObject([
        { name: 'many-1', description: 'y' },
        { name: 'many-2', description: 'y' },
      ]);
      const deletedResponse = await call('DELETE', '/tags?description=y', undefined, {
        prefer: 'return=representation',
      });
      expect(deletedResponse.json).toEqual(visible.json);
      expect(
        (
          await call('DELETE', '/tags?name__like=many-%25', undefined, {
            prefer: 'tx=rollback, max-affected=200',
          })
        ).json,
      ).toEqual({ deleted: 148 });
      expect(
        (await call('DELETE', '/tags?name__like=many-%25', undefined, { prefer: 'max-affected=200' })).json,
      ).toEqual({ deleted: 148 });
      expect((await call('DELETE', '/tags?name__like=many-%25')).json).toEqual({ deleted: 0 });
    });

    it('a filtered write may filter by related records, also of the same table', async () => {
      const [ann] = await list('/users?username=ann');
      const post = (await call('POST', '/posts', { title: 'T', content: 'C', user_id: ann?.['id'] })).json;
      await call('POST', '/posts', { title: 'U', content: 'C', user_id: ann?.['id'] });
      expect((await call('PATCH', '/posts?user.username=ann&title=T', { published: true })).json).toEqual({
        updated: 1,
      });
      await call('POST', '/comments', { content: 'Hi', user_id: ann?.['id'], post_id: post.id });
      expect((await call('DELETE', '/posts')).status).toBe(422);
      const tree = encodeURIComponent(JSON.stringify({ or: [{ username: 'ann' }, { username: 'bea' }] }));
      const response = await call('PUT', `/users?_filter=${tree}`, { username: 'same' });
      expect([response.status, response.json.code]).toEqual([409, 'record.duplicate']);
      expect((await list('/users?sort=id')).map((user) => user['username'])).toEqual(['ann', 'bea']);
    });
  },
);
