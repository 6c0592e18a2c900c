import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SoftwareAuthenticator } from '../../testing/software-authenticator.js';
import { startTestControlPlane, type TestControlPlane } from '../../testing/start-test-control-plane.js';
import { TestClient, type TestResponse } from '../../testing/test-client.js';
import { toSite } from './passkey-verifier.js';

const PASSWORD = 'correct horse battery';
const SITE = { origin: 'http://localhost:9', rpId: 'localhost' };

let plane: TestControlPlane;

beforeAll(async () => {
  plane = await startTestControlPlane();
}, 60_000);
afterAll(() => plane?.stop());

/** A client that keeps the cookies of its session and of a pending sign-in, as a browser does. */
class Browser extends TestClient {
  #session = '';

  override async send(...request: Parameters<TestClient['send']>): Promise<TestResponse> {
    const answer = await super.send(...request);
    const set = answer.setCookie?.split(';')[0] ?? '';
    if (set.startsWith('rowhouse=')) this.#session = set;
    else if (set !== '' && this.#session !== '') this.cookie = `${this.#session}; ${set}`;
    return answer;
  }
}

async function signUp(email: string): Promise<Browser> {
  const client = new Browser(plane.app);
  await client.post('/api/auth/signup', { email, password: PASSWORD, starter: 'empty' });
  return client;
}

async function addPasskey(
  client: Browser,
  isVerified = true,
): Promise<[SoftwareAuthenticator, TestResponse]> {
  const device = new SoftwareAuthenticator();
  const { json } = await client.post('/api/me/passkeys/options', { password: PASSWORD });
  const response = device.create({ ...SITE, challenge: String(json['challenge']), isVerified });
  return [device, await client.post('/api/me/passkeys', { name: 'Phone', response })];
}

const begin = async (client: Browser): Promise<string> =>
  String((await client.post('/api/auth/passkey/options', {})).json['challenge']);
const signIn = (client: Browser, response: unknown): Promise<TestResponse> =>
  client.post('/api/auth/passkey', { response });

describe('passkeys', () => {
  it('a passkey signs in once per challenge, from its browser, with a verified user and the right origin', async () => {
    const owner = await signUp('pat@example.test');
    const [device, created] = await addPasskey(owner);
    expect(created).toMatchObject({ status: 201, json: { name: 'Phone', last_used_at: null } });
    const rejected = { status: 401, json: { code: 'auth.bad_passkey' } };
    const browser = new Browser(plane.app);
    let challenge = await begin(browser);
    expect(await signIn(browser, device.sign({ ...SITE, challenge, isVerified: false }))).toMatchObject(
      rejected,
    );
    const evil = device.sign({ ...SITE, challenge, origin: 'https://evil.example' });
    expect(await signIn(browser, evil)).toMatchObject(rejected);
    expect(await signIn(browser, new SoftwareAuthenticator().sign({ ...SITE, challenge }))).toMatchObject(
      rejected,
    );
    const response = device.sign({ ...SITE, challenge });
    expect(await signIn(new Browser(plane.app), response)).toMatchObject({
      json: { code: 'auth.sign_in_expired' },
    });
    const pending = browser.cookie;
    expect((await signIn(browser, response)).status).toBe(200);
    expect((await browser.get('/api/me')).json['account']).toMatchObject({ email: 'pat@example.test' });
    const replay = new Browser(plane.app);
    replay.cookie = pending;
    expect(await signIn(replay, response)).toMatchObject({ json: { code: 'auth.sign_in_expired' } });
    // A response with an older count comes from a copy of the passkey.
    challenge = await begin(replay);
    const older = device.sign({ ...SITE, challenge });
    await plane.db.global.query('UPDATE passkey SET sign_count = 1000');
    expect(await signIn(replay, older)).toMatchObject(rejected);
    // One of twenty parallel requests signs in.
    await plane.db.global.query('UPDATE passkey SET sign_count = 0');
    const racer = new Browser(plane.app);
    challenge = await begin(racer);
    const last = device.sign({ ...SITE, challenge });
    const cookie = racer.cookie;
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => {
        const copy = new Browser(plane.app);
        copy.cookie = cookie;
        return signIn(copy, last);
      }),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('adding needs the password and a verified user, and a challenge belongs to its account', async () => {
    const owner = await signUp('quinn@example.test');
    expect((await owner.post('/api/me/passkeys/options', { password: 'wrong' })).status).toBe(401);
    expect((await addPasskey(owner, false))[1]).toMatchObject({ json: { code: 'auth.bad_passkey' } });
    const thief = await signUp('thief@example.test');
    const { json } = await owner.post('/api/me/passkeys/options', { password: PASSWORD });
    const response = new SoftwareAuthenticator().create({ ...SITE, challenge: String(json['challenge']) });
    thief.cookie = `${thief.cookie?.split('; ')[0]}; ${owner.cookie?.split('; ')[1]}`;
    expect(await thief.post('/api/me/passkeys', { name: 'Mine', response })).toMatchObject({
      json: { code: 'auth.sign_in_expired' },
    });
    // With two-factor authentication on, the password alone adds no passkey.
    await plane.db.global.query(
      "UPDATE account SET two_factor_at = NOW(3) WHERE email = 'quinn@example.test'",
    );
    expect(await owner.post('/api/me/passkeys/options', { password: PASSWORD })).toMatchObject({
      json: { code: 'auth.bad_code' },
    });
  });

  it('other accounts reach no passkey, and a removed one does not sign in', async () => {
    const owner = await signUp('rae@example.test');
    const [device, { json }] = await addPasskey(owner);
    const path = `/api/me/passkeys/${String(json['id'])}`;
    const stranger = await signUp('sam@example.test');
    expect((await stranger.patch(path, { name: 'x' })).status).toBe(404);
    expect((await stranger.delete(path)).status).toBe(404);
    expect((await owner.patch(path, { name: 'Tablet' })).json).toMatchObject({ name: 'Tablet' });
    const browser = new Browser(plane.app);
    const challenge = await begin(browser);
    expect((await owner.delete(path)).status).toBe(204);
    expect(await signIn(browser, device.sign({ ...SITE, challenge }))).toMatchObject({
      json: { code: 'auth.bad_passkey' },
    });
    expect((await owner.get('/api/me/passkeys')).json['items']).toEqual([]);
  });

  it('the site of passkeys is the host of the console, and loopback counts as localhost', () => {
    expect(toSite('https://rowhouse.example.com/')).toEqual({
      id: 'rowhouse.example.com',
      origin: 'https://rowhouse.example.com',
    });
    expect(toSite('http://127.0.0.1:4000')).toEqual({ id: 'localhost', origin: 'http://localhost:4000' });
    expect([toSite('http://192.0.2.1:4000'), toSite('http://[2001:db8::1]/')]).toEqual([null, null]);
  });
});
