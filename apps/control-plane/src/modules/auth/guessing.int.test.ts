import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from '../../testing/start-test-control-plane.js';
import { TestClient, type TestResponse } from '../../testing/test-client.js';

const PASSWORD = 'correct horse battery';

let plane: TestControlPlane;
let owner: TestClient;
let organization: string;

beforeAll(async () => {
  plane = await startTestControlPlane({ ROWHOUSE_ENV: 'production', SIGNUP: 'open' });
  owner = new TestClient(plane.app);
  organization = (await owner.signUp('owner@example.test', { starter: 'empty' })).json['organization'].id;
}, 60_000);
afterAll(() => plane?.stop());

const count = (answers: readonly TestResponse[]): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};
const tryAll = (times: number, attempt: (index: number) => Promise<TestResponse>): Promise<TestResponse[]> =>
  Promise.all(Array.from({ length: times }, (_, index) => attempt(index)));

describe('limits on guessing', () => {
  it('ten password attempts from one address are allowed, then even the right password is rejected', async () => {
    const thief = new TestClient(plane.app, '198.51.100.1');
    const login = (password: string, from = thief): Promise<TestResponse> =>
      from.post('/api/auth/login', { email: 'owner@example.test', password });
    expect(count(await tryAll(30, (index) => login(`guess ${index}`)))).toEqual({ 401: 10, 429: 20 });
    expect(await login(PASSWORD)).toMatchObject({ status: 429, json: { code: 'limit.sign_in' } });
    // The owner can still sign in from another address.
    expect((await login(PASSWORD, new TestClient(plane.app, '198.51.100.2'))).status).toBe(200);
  });

  it('fifty password attempts per hour from changing addresses are allowed', async () => {
    await new TestClient(plane.app).signUp('wide@example.test', { starter: 'empty' });
    const answers = await tryAll(70, (index) =>
      new TestClient(plane.app, `203.0.113.${index}`).post('/api/auth/login', {
        email: 'wide@example.test',
        password: `guess ${index}`,
      }),
    );
    expect(count(answers)).toEqual({ 401: 50, 429: 20 });
  });

  it('password attempts from one address do not lock out the owner at another address', async () => {
    await new TestClient(plane.app).signUp('stubborn@example.test', { starter: 'empty' });
    const login = (address: string, password: string): Promise<TestResponse> =>
      new TestClient(plane.app, address).post('/api/auth/login', {
        email: 'stubborn@example.test',
        password,
      });
    expect(count(await tryAll(80, (index) => login('198.51.100.7', `guess ${index}`)))).toEqual({
      401: 10,
      429: 70,
    });
    expect((await login('198.51.100.8', PASSWORD)).status).toBe(200);
  });

  it('password attempts from one IPv6 network count as from one address', async () => {
    await new TestClient(plane.app).signUp('six@example.test', { starter: 'empty' });
    const from = (index: number): TestClient =>
      new TestClient(plane.app, `2001:db8:0:6::${(index + 1).toString(16)}`);
    expect(
      count(
        await tryAll(30, (index) =>
          from(index).post('/api/auth/login', { email: 'six@example.test', password: `guess ${index}` }),
        ),
      ),
    ).toEqual({ 401: 10, 429: 20 });
    expect(
      count(
        await tryAll(40, (index) =>
          from(index).post('/api/auth/forgot', { email: `six${index}@example.test` }),
        ),
      ),
    ).toEqual({ 202: 30, 429: 10 });
    expect(
      (
        await new TestClient(plane.app, '2001:db8:0:7::1').post('/api/auth/login', {
          email: 'six@example.test',
          password: PASSWORD,
        })
      ).status,
    ).toBe(200);
  });

  it('email addresses that a collation treats as equal do not reach the account', async () => {
    await new TestClient(plane.app).signUp('anna@example.test', { starter: 'empty' });
    const thief = new TestClient(plane.app, '198.51.100.6');
    for (const email of ['ánna@example.test', 'ａnna@example.test', 'anna@exämple.test']) {
      expect(await thief.post('/api/auth/login', { email, password: PASSWORD })).toMatchObject({
        status: 401,
        json: { code: 'auth.bad_credentials' },
      });
      expect((await thief.post('/api/auth/forgot', { email })).status).toBe(202);
    }
    expect(
      (await thief.post('/api/auth/login', { email: ' ANNA@example.test ', password: PASSWORD })).status,
    ).toBe(200);
    expect(
      await plane.db.global.query('SELECT id FROM email_token WHERE email = ? AND purpose = ?', [
        'anna@example.test',
        'reset',
      ]),
    ).toEqual([]);
  });

  it('a hundred password attempts from one address over many accounts are allowed', async () => {
    const answers = await tryAll(120, (index) =>
      new TestClient(plane.app, '198.51.100.3').post('/api/auth/login', {
        email: `nobody${index}@example.test`,
        password: PASSWORD,
      }),
    );
    expect(count(answers)).toEqual({ 401: 100, 429: 20 });
  });

  it('guesses of the current password with an open session are limited', async () => {
    const left = new TestClient(plane.app, '198.51.100.4');
    await left.signUp('left@example.test', { starter: 'empty' });
    expect(
      count(
        await tryAll(15, (index) =>
          left.post('/api/me/password', {
            current_password: `guess ${index}`,
            new_password: 'a new password',
          }),
        ),
      ),
    ).toEqual({ 401: 10, 429: 5 });
  });

  it('sixty attempts to guess an email token from one address are allowed', async () => {
    const thief = new TestClient(plane.app, '198.51.100.5');
    const token = (index: number): string => `rhm_${String(index).padStart(40, '0')}`;
    const answers = await tryAll(80, (index) =>
      index % 2 === 0
        ? thief.post('/api/auth/reset', { token: token(index), password: 'a new password' })
        : thief.post('/api/auth/verify', { token: token(index) }),
    );
    expect(count(answers)).toEqual({ 404: 60, 429: 20 });
  });
});

describe('invitations', () => {
  const invite = (client: TestClient, to: string, email: string): Promise<TestResponse> =>
    client.post(`/api/organizations/${to}/invitations`, { email, role: 'viewer' });

  it('an account can send fifty invitations an hour', async () => {
    expect(
      count(await tryAll(55, (index) => invite(owner, organization, `guest${index}@example.test`))),
    ).toEqual({ 201: 50, 429: 5 });
    expect(await invite(owner, organization, 'one.more@example.test')).toMatchObject({
      status: 429,
      json: { code: 'limit.rate' },
      headers: { 'retry-after': expect.any(String) },
    });
    const organizations = await owner.post('/api/organizations', { name: 'Another' });
    expect((await invite(owner, organizations.json['id'], 'one.more@example.test')).status).toBe(429);
  });
});
