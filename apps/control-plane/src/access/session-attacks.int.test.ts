import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listRoutes, type ListedRoute } from '../http/list-routes.js';
import { startTestControlPlane, type TestControlPlane } from '../testing/start-test-control-plane.js';
import { TestClient, type TestResponse } from '../testing/test-client.js';

const PASSWORD = 'correct horse battery';
/** Routes that accept only tokens and ignore cookies. */
const TOKEN_ALONE = new Set(['mcp']);

let plane: TestControlPlane;
let unsafe: ListedRoute[];
let victim: TestClient;
let other: TestClient;

beforeAll(async () => {
  plane = await startTestControlPlane();
  unsafe = listRoutes(plane.app).filter((route) => route.method !== 'GET');
  [victim, other] = [new TestClient(plane.app), new TestClient(plane.app)];
  await victim.signUp('victim@example.test', { starter: 'empty' });
  await other.signUp('other@example.test', { starter: 'empty' });
}, 60_000);
afterAll(() => plane?.stop());

/** Sends a request that a foreign page could send: with the cookie, and with headers that a page may set. */
async function forge(
  route: ListedRoute,
  headers: Record<string, string>,
  payload: string,
): Promise<TestResponse> {
  const page = new TestClient(plane.app);
  page.cookie = victim.cookie;
  return page.send(route.method as 'POST', route.path.replaceAll(/\{\w+\}/g, 'none'), payload, headers);
}

describe('cross-site requests', () => {
  it('every unsafe route requires the CSRF token of the session', async () => {
    const open: string[] = [];
    const guarded = unsafe.filter(({ spec }) => spec.access.kind !== 'public' && !TOKEN_ALONE.has(spec.id));
    expect(guarded.length).toBeGreaterThan(60);
    for (const route of guarded) {
      for (const token of [undefined, '', 'wrong', other.csrf ?? '']) {
        const { status, json } = await forge(
          route,
          token === undefined ? {} : { 'x-csrf-token': token },
          '{}',
        );
        if (status !== 403 || json['code'] !== 'auth.csrf')
          open.push(`${route.spec.id} with ${token}: ${status} ${json['code']}`);
      }
    }
    expect(open).toEqual([]);
  });

  it('forms are not accepted as JSON, even on routes without a session', async () => {
    const taken: string[] = [];
    for (const route of unsafe) {
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
      ]) {
        const { status } = await forge(
          route,
          { 'content-type': type },
          '{"email":"victim@example.test","password":"correct horse battery"}',
        );
        if (status < 400) taken.push(`${route.spec.id} as ${type}: ${status}`);
      }
    }
    expect(taken).toEqual([]);
    expect((await victim.get('/api/me')).status).toBe(200);
  });
});

describe('sessions', () => {
  it('each sign-in creates a new session, so sessions cannot be fixated', async () => {
    const planted = `rhs_${'A'.repeat(40)}`;
    const browser = new TestClient(plane.app);
    browser.cookie = `rowhouse=${planted}`;
    expect((await browser.get('/api/me')).status).toBe(401);
    expect(
      (await browser.post('/api/auth/login', { email: 'victim@example.test', password: PASSWORD })).status,
    ).toBe(200);
    expect(browser.cookie).toMatch(/^rowhouse=rhs_/);
    expect(browser.cookie).not.toContain(planted);
    const attacker = new TestClient(plane.app);
    attacker.cookie = `rowhouse=${planted}`;
    expect((await attacker.get('/api/me')).status).toBe(401);
  });

  it("signing in over an attacker's session gives the victim a new session", async () => {
    const browser = new TestClient(plane.app);
    browser.cookie = other.cookie;
    expect(
      (await browser.post('/api/auth/login', { email: 'victim@example.test', password: PASSWORD })).status,
    ).toBe(200);
    expect(browser.cookie).not.toBe(other.cookie);
    expect((await other.get('/api/me')).json['account']).toMatchObject({ email: 'other@example.test' });
    expect((await browser.get('/api/me')).json['account']).toMatchObject({ email: 'victim@example.test' });
  });

  it('signing out ends the session and its CSRF token on the server', async () => {
    const browser = new TestClient(plane.app);
    await browser.post('/api/auth/login', { email: 'victim@example.test', password: PASSWORD });
    const retained = { cookie: browser.cookie ?? '', 'x-csrf-token': browser.csrf ?? '' };
    expect((await browser.post('/api/auth/logout')).status).toBe(204);
    expect((await new TestClient(plane.app).get('/api/me', retained)).status).toBe(401);
    expect((await new TestClient(plane.app).post('/api/tokens', { name: 'kept' }, retained)).status).toBe(
      401,
    );
  });
});

describe('changing the password', () => {
  const makeToken = async (client: TestClient, name: string): Promise<Record<string, string>> => ({
    authorization: `Bearer ${(await client.post('/api/tokens', { name })).json['token']}`,
  });

  it('changing the password revokes personal access tokens, unless keep_tokens is set', async () => {
    const ann = new TestClient(plane.app);
    await ann.signUp('ann@example.test', { starter: 'empty' });
    const [first, second] = [await makeToken(ann, 'first'), await makeToken(ann, 'second')];
    const outsider = await makeToken(other, 'of another');
    const machine = new TestClient(plane.app);
    expect(
      await ann.post('/api/me/password', {
        current_password: PASSWORD,
        new_password: 'a second password',
        keep_tokens: true,
      }),
    ).toMatchObject({ status: 200, json: { tokens_ended: 0 } });
    expect((await machine.get('/api/me', first)).status).toBe(200);
    expect(
      await ann.post('/api/me/password', {
        current_password: 'a second password',
        new_password: 'a third password',
      }),
    ).toMatchObject({ status: 200, json: { sessions_ended: 0, tokens_ended: 2 } });
    for (const ended of [first, second]) expect((await machine.get('/api/me', ended)).status).toBe(401);
    expect((await machine.get('/api/me', outsider)).status).toBe(200);
  });
});
