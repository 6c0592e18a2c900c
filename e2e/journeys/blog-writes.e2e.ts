import { beforeAll, describe, expect, it } from 'vitest';
import { create } from '../support/blog.mjs';
import { signUp } from '../support/control.mjs';
import { openApi, type Api } from '../support/http.mjs';
import { readProduct } from '../support/product.mjs';

describe('writes beyond the plain ones, on the example schema', () => {
  const product = readProduct();
  let one: Api;
  let two: Api;

  beforeAll(async () => {
    const person = await signUp(product.control);
    one = openApi(product.gateways[0], person.key);
    two = openApi(product.gateways[1], person.key);
  });

  it('gives a record one version on both gateways, and refuses a write on an older one', async () => {
    const tag = await create(one, '/tags', { name: 'versioned' });
    const path = `/tags/${tag.id}`;
    const etag = String((await one.get(path)).headers.etag);
    expect((await two.get(path)).headers.etag).toBe(etag);
    expect((await two.get(path, { 'If-None-Match': etag })).status).toBe(304);
    const changed = await two.call('PATCH', path, { body: { description: 'two' }, headers: { 'If-Match': etag } });
    expect(changed.status).toBe(200);
    const stale = await one.call('PUT', path, { body: { description: 'one' }, headers: { 'If-Match': etag } });
    expect([stale.status, stale.json.code]).toEqual([412, 'record.stale']);
    expect((await one.call('DELETE', path, { headers: { 'If-Match': etag } })).status).toBe(412);
    expect((await one.call('DELETE', path, { headers: { 'If-Match': String(changed.headers.etag) } })).status).toBe(204);
  });
});
