import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { callGateway, readGateway } from './call-gateway.js';

const keys = vi.hoisted(() => ({ read: vi.fn(), drop: vi.fn() }));
vi.mock('./session-keys.js', () => ({ readSessionKey: keys.read, dropSessionKey: keys.drop }));

const DATABASE = { id: 'db_1', base_url: 'http://gateway.test' };

describe('callGateway', () => {
  const fetched = vi.fn<typeof fetch>();
  beforeEach(() => {
    let createdCount = 0;
    keys.read
      .mockReset()
      .mockImplementation(async () => ({ secret: `key ${(createdCount += 1)}`, scopes: [] }));
    keys.drop.mockReset();
    fetched.mockReset();
    vi.stubGlobal('fetch', fetched);
  });
  afterEach(() => vi.unstubAllGlobals());
  const response = (status: number, body: unknown): Response =>
    new Response(JSON.stringify(body), { status, headers: { 'x-request-id': 'req_1' } });
  const sent = (index: number): RequestInit => fetched.mock.calls[index]?.[1] ?? {};

  it('callGateway sends objects as JSON and text unchanged, with the console key', async () => {
    fetched.mockResolvedValueOnce(response(200, { id: 1 })).mockResolvedValueOnce(response(201, null));
    await callGateway(DATABASE, { method: 'POST', path: '/posts', body: { title: 'x' } });
    expect(fetched.mock.calls[0]?.[0]).toBe('http://gateway.test/v1/-/posts');
    expect(sent(0)).toMatchObject({
      method: 'POST',
      body: '{"title":"x"}',
      headers: { Authorization: 'Bearer key 1', 'Content-Type': 'application/json' },
    });
    await callGateway(DATABASE, {
      method: 'POST',
      path: '/posts',
      body: 'title\nx\n',
      headers: { 'Content-Type': 'text/csv' },
    });
    expect(sent(1)).toMatchObject({ body: 'title\nx\n', headers: { 'Content-Type': 'text/csv' } });
  });

  it('readGateway keeps every digit of a number', async () => {
    fetched.mockResolvedValueOnce(new Response('[{"id":9007199254740993}]'));
    expect(JSON.stringify((await readGateway(DATABASE, { path: '/posts' })).body)).toContain(
      '9007199254740993',
    );
  });

  it('callGateway creates one new key when its key is rejected', async () => {
    fetched.mockResolvedValueOnce(response(401, {})).mockResolvedValueOnce(response(200, []));
    expect((await callGateway(DATABASE, { path: '/posts' })).status).toBe(200);
    expect(keys.drop).toHaveBeenCalledWith('db_1', undefined, 'key 1');
    expect(sent(1)).toMatchObject({ headers: { Authorization: 'Bearer key 2' } });
    fetched.mockImplementation(async () => response(401, { code: 'auth.revoked', detail: 'no' }));
    await expect(callGateway(DATABASE, { path: '/posts' })).rejects.toMatchObject({
      status: 401,
      code: 'auth.revoked',
    });
    expect(fetched).toHaveBeenCalledTimes(4);
  });

  it('callGateway rejects with the request id of an error', async () => {
    fetched.mockResolvedValueOnce(response(403, { code: 'auth.scope', detail: 'no' }));
    await expect(callGateway(DATABASE, { path: '/posts' })).rejects.toMatchObject({
      status: 403,
      code: 'auth.scope',
      requestId: 'req_1',
    });
    fetched.mockRejectedValueOnce(new TypeError('fetch failed'));
    await expect(callGateway(DATABASE, { path: '/posts' })).rejects.toMatchObject({
      status: 0,
      code: 'network.failed',
    });
    fetched.mockRejectedValueOnce(new DOMException('stopped', 'AbortError'));
    await expect(callGateway(DATABASE, { path: '/posts' })).rejects.toMatchObject({ name: 'AbortError' });
  });
});
