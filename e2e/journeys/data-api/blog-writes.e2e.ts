import { beforeAll, describe, expect, it } from 'vitest';
import { create } from '../../support/schemas/blog.mjs';
import { signUp } from '../../support/control.mjs';
import { openApi, type Api } from '../../support/http.mjs';
import { readProduct } from '../../support/product.mjs';

describe('further writes on the example schema', () => {
  const product = readProduct();
  let item: Api;
  let two: Api;

  beforeAll(async () => {
    const user = await signUp(product.control);
    item = openApi(product.gateways[0], user.key);
    two = openApi(product.gateways[1], user.key);
  });

  it('both gateways return the same record version, and reject a write on an older one', async () => {
    const tag = await create(item, '/tags', { name: 'versioned' });
    const path = `/tags/${tag.id}`;
    const etag = String((await item.get(path)).headers.etag);
    expect((await two.get(path)).headers.etag).toBe(etag);
    expect((await two.get(path, { 'If-None-Match': etag })).status).toBe(304);
    const changed = await two.call('PATCH', path, {
      body: { description: 'two' },
      headers: { 'If-Match': etag },
    });
    expect(changed.status).toBe(200);
    const stale = await item.call('PUT', path, {
      body: { description: 'one' },
      headers: { 'If-Match': etag },
    });
    expect([stale.status, stale.json.code]).toEqual([412, 'record.stale']);
    expect((await item.call('DELETE', path, { headers: { 'If-Match': etag } })).status).toBe(412);
    expect(
      (await item.call('DELETE', path, { headers: { 'If-Match': String(changed.headers.etag) } })).status,
    ).toBe(204);
  });

  it('an upsert by a unique key creates or changes the record on either gateway', async () => {
    const ann = { username: 'upsert', email: 'upsert@example.test' };
    const created = await item.post('/users?_on_conflict=email', ann);
    expect(created.status).toBe(201);
    const merged = await two.post('/users?_on_conflict=email', { ...ann, bio: 'hi' });
    expect([merged.status, merged.json]).toEqual([200, { ...created.json, bio: 'hi' }]);
    const ignored = await item.post(
      '/users?_on_conflict=email',
      { ...ann, bio: 'no' },
      { Prefer: 'resolution=ignore-duplicates' },
    );
    expect([ignored.status, ignored.json.bio]).toEqual([200, 'hi']);
    const other = await item.post('/users?_on_conflict=email', {
      username: 'upsert',
      email: 'other@example.test',
    });
    expect([other.status, other.json.code]).toEqual([409, 'record.duplicate']);
  });

  it('a write by filter affects the matching rows, and is rejected above its row limit', async () => {
    await item.post(
      '/tags',
      ['a', 'b', 'c'].map((name) => ({ name: `many ${name}` })),
    );
    const rejected = await item.call('PATCH', '/tags?name__startswith=many', {
      body: { description: 'x' },
      headers: { Prefer: 'max-affected=2' },
    });
    expect([rejected.status, rejected.json.code]).toEqual([409, 'record.max_affected']);
    expect(
      (await item.call('PATCH', '/tags?name__startswith=many', { body: { description: 'x' } })).json,
    ).toEqual({ updated: 3 });
    expect((await two.get('/tags?description=x')).json).toHaveLength(3);
    const deletedResponse = await two.call('DELETE', '/tags?description=x', {
      headers: { Prefer: 'return=representation' },
    });
    expect(deletedResponse.json).toHaveLength(3);
    expect((await item.delete('/tags')).status).toBe(422);
  });

  it('a write repeated with its Idempotency-Key on both gateways happens once', async () => {
    const headers = { 'Idempotency-Key': 'journey-1' };
    const replies = await Promise.all(
      [item, two, item, two].map((api) => api.post('/tags', { name: 'written once' }, headers)),
    );
    for (const reply of replies) expect([201, 409]).toContain(reply.status);
    expect((await item.get('/tags?name=written%20once')).json).toHaveLength(1);
    const replay = await two.post('/tags', { name: 'written once' }, headers);
    expect([replay.status, replay.headers['idempotent-replayed']]).toEqual([201, 'true']);
    expect(replay.text).toBe(replies.find((reply) => reply.status === 201)?.text);
    const other = await item.post('/tags', { name: 'another' }, headers);
    expect([other.status, other.json.code]).toEqual([422, 'idempotency.mismatch']);
  });
});
