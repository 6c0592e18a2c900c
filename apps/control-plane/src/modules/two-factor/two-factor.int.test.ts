import { generate } from 'otplib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMailServer, type ReceivedMail, type TestMailServer } from '../../testing/start-mail-server.js';
import { startTestControlPlane, type TestControlPlane } from '../../testing/start-test-control-plane.js';
import { TestClient, type TestResponse } from '../../testing/test-client.js';

const PASSWORD = 'correct horse battery';
const STEP_SECONDS = 30;

let plane: TestControlPlane;
let mails: TestMailServer;
let addresses = 0;

beforeAll(async () => {
  mails = await startMailServer();
  plane = await startTestControlPlane({ SMTP_URL: mails.url });
}, 60_000);
afterAll(async () => {
  await plane?.stop();
  await mails?.stop();
});

/** A user with two-factor authentication, and everything that the user knows. */
interface Protected {
  readonly client: TestClient;
  readonly email: string;
  readonly secret: string;
  readonly codes: string[];
}

/** Returns a client with an address that no other test uses, because attempts are counted by address. */
function openClient(): TestClient {
  addresses += 1;
  return new TestClient(plane.app, `198.18.${Math.floor(addresses / 250)}.${(addresses % 250) + 1}`);
}

/** Returns the code of the time step that is `steps` after the current one. */
function codeOf(secret: string, steps = 0): Promise<string> {
  return generate({ secret, epoch: Math.floor(Date.now() / 1_000) + steps * STEP_SECONDS });
}

/** Makes all codes of the current time step valid again, as if time had passed. */
async function passTime(): Promise<void> {
  await plane.db.global.query('UPDATE totp_secret SET last_step = NULL');
}

async function protect(email: string): Promise<Protected> {
  const client = openClient();
  await client.signUp(email, { starter: 'empty' });
  const begun = await client.post('/api/me/two-factor', { password: PASSWORD });
  const secret = String(begun.json['secret']);
  const confirmed = await client.post('/api/me/two-factor/confirm', { code: await codeOf(secret) });
  await passTime();
  return { client, email, secret, codes: confirmed.json['recovery_codes'] as string[] };
}

async function findMail(to: string, subject: string): Promise<ReceivedMail> {
  const find = (): ReceivedMail | undefined =>
    mails.mails.findLast((mail) => mail.to === to && mail.subject === subject);
  await expect.poll(find, { timeout: 20_000 }).toBeDefined();
  return find() as ReceivedMail;
}

const logIn = (client: TestClient, email: string, password = PASSWORD): Promise<TestResponse> =>
  client.post('/api/auth/login', { email, password });
const finish = (client: TestClient, code: string): Promise<TestResponse> =>
  client.post('/api/auth/second-factor', { code });
const count = (answers: readonly TestResponse[], code: string): number =>
  answers.filter(({ status, json }) => String(json['code'] ?? status) === code).length;

describe('two-factor authentication', () => {
  it('is turned on by the password and a code, and then sign-in takes two steps', async () => {
    const client = openClient();
    await client.signUp('ada@example.test', { starter: 'empty' });
    expect((await client.get('/api/me/two-factor')).json).toEqual({
      enabled_at: null,
      recovery_codes_left: 0,
    });
    expect(await client.post('/api/me/two-factor', { password: 'wrong' })).toMatchObject({
      status: 401,
      json: { code: 'auth.bad_credentials' },
    });
    const begun = await client.post('/api/me/two-factor', { password: PASSWORD });
    const secret = String(begun.json['secret']);
    expect(begun.json['uri']).toContain(`secret=${secret}`);
    // The secret is encrypted, and has no effect before it is confirmed.
    const [row] = await plane.db.global.query<{ secret_sealed: Buffer }[]>(
      'SELECT secret_sealed FROM totp_secret',
    );
    expect(row?.secret_sealed.toString('latin1')).not.toContain(secret);
    expect((await logIn(openClient(), 'ada@example.test')).status).toBe(200);
    expect(await client.post('/api/me/two-factor/confirm', { code: '000000' })).toMatchObject({
      status: 401,
      json: { code: 'auth.bad_code' },
    });
    const code = await codeOf(secret);
    const confirmed = await client.post('/api/me/two-factor/confirm', { code });
    expect(new Set(confirmed.json['recovery_codes'])).toHaveProperty('size', 10);
    expect((await client.get('/api/me')).json['account']).toMatchObject({ has_two_factor: true });
    expect((await client.post('/api/me/two-factor', { password: PASSWORD })).status).toBe(409);

    const other = openClient();
    expect(await logIn(other, 'ada@example.test')).toMatchObject({
      status: 401,
      json: { code: 'auth.second_factor_required', means: ['totp', 'recovery_code'] },
      setCookie: expect.stringMatching(/^rowhouse-sign-in=.*HttpOnly/),
    });
    expect((await other.get('/api/me')).status).toBe(401);
    // The code that confirmed the secret cannot be used again.
    expect(await finish(other, code)).toMatchObject({ status: 401, json: { code: 'auth.bad_code' } });
    expect((await finish(other, await codeOf(secret, 1))).status).toBe(200);
    expect((await other.get('/api/me')).json['account']).toMatchObject({ email: 'ada@example.test' });
    await findMail('ada@example.test', 'Two-factor authentication is on');
  });

  it('a pending sign-in works only in its browser, once, and only with the same password', async () => {
    const { client, email, codes } = await protect('bound@example.test');
    expect(await finish(openClient(), String(codes[0]))).toMatchObject({
      status: 401,
      json: { code: 'auth.sign_in_expired' },
    });
    const first = openClient();
    await logIn(first, email);
    const cookie = first.cookie;
    expect((await finish(first, String(codes[0]))).status).toBe(200);
    first.cookie = cookie;
    expect(await finish(first, String(codes[1]))).toMatchObject({ json: { code: 'auth.sign_in_expired' } });

    const late = openClient();
    await logIn(late, email);
    await client.post('/api/me/password', { current_password: PASSWORD, new_password: 'another horse 7' });
    expect(await finish(late, String(codes[1]))).toMatchObject({ json: { code: 'auth.sign_in_expired' } });
    expect(await logIn(openClient(), email, 'another horse 7')).toMatchObject({
      json: { code: 'auth.second_factor_required' },
    });
  });

  it('of parallel uses, a recovery code and a code of the app work once each', async () => {
    const { email, secret, codes } = await protect('race@example.test');
    for (const [length, code] of [
      [20, String(codes[0])],
      [5, await codeOf(secret)],
    ] as const) {
      const browsers = await Promise.all(
        Array.from({ length }, async () => {
          const browser = openClient();
          expect((await logIn(browser, email)).status).toBe(401);
          return browser;
        }),
      );
      const answers = await Promise.all(browsers.map((browser) => finish(browser, code)));
      expect(count(answers, '200')).toBe(1);
      const sessions = await Promise.all(browsers.map((browser) => browser.get('/api/me')));
      expect(sessions.filter(({ status }) => status === 200)).toHaveLength(1);
    }
    await findMail(email, 'A recovery code was used');
  });

  it('guesses of codes are limited by address and account, and other accounts cannot share codes', async () => {
    const victim = await protect('guessed@example.test');
    const stranger = await protect('stranger2@example.test');
    const thief = openClient();
    await logIn(thief, victim.email);
    expect(await finish(thief, String(stranger.codes[0]))).toMatchObject({ json: { code: 'auth.bad_code' } });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => finish(thief, String(100_000 + index))),
    );
    expect(count(answers, 'auth.bad_code')).toBe(4);
    expect(count(answers, 'limit.sign_in')).toBe(16);
    // A new first step does not reset the attempts, and the owner can still sign in from another address.
    await logIn(thief, victim.email);
    expect((await finish(thief, String(victim.codes[0]))).status).toBe(429);
    const owner = openClient();
    await logIn(owner, victim.email);
    expect((await finish(owner, ` ${String(victim.codes[0]).toUpperCase()} `)).status).toBe(200);
  });

  it('turning off and new recovery codes need the password and a code', async () => {
    const { client, email, codes } = await protect('change@example.test');
    const renew = (password: string, code: string): Promise<TestResponse> =>
      client.post('/api/me/two-factor/recovery-codes', { password, code });
    expect(await renew('wrong', String(codes[0]))).toMatchObject({ json: { code: 'auth.bad_credentials' } });
    expect(await renew(PASSWORD, 'wrong-code0')).toMatchObject({ json: { code: 'auth.bad_code' } });
    const renewed = (await renew(PASSWORD, String(codes[0]))).json['recovery_codes'] as string[];
    expect(renewed).toHaveLength(10);
    const turnOff = (password: string, code: string): Promise<TestResponse> =>
      client.delete('/api/me/two-factor', { password, code });
    expect(await turnOff(PASSWORD, String(codes[1]))).toMatchObject({ json: { code: 'auth.bad_code' } });
    expect(await turnOff('wrong', String(renewed[0]))).toMatchObject({ status: 401 });
    expect((await turnOff(PASSWORD, String(renewed[0]))).status).toBe(204);
    expect((await logIn(openClient(), email)).status).toBe(200);
    const actions = await plane.db.global.query<{ action: string }[]>(
      "SELECT action FROM audit_event WHERE action LIKE 'account.%' AND account_id = (SELECT id FROM account WHERE email = ?) ORDER BY id",
      [email],
    );
    expect(actions.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['account.two_factor_on', 'account.recovery_codes', 'account.two_factor_off']),
    );
    await findMail(email, 'Two-factor authentication is off');
  });

  it('a password reset does not bypass the second factor', async () => {
    const { email } = await protect('forgot@example.test');
    await openClient().post('/api/auth/forgot', { email });
    const { text } = await findMail(email, 'Set a new password');
    const token = /reset\/(rhm_\w+)/.exec(text)?.[1];
    const password = 'a completely new one';
    expect((await openClient().post('/api/auth/reset', { token, password })).status).toBe(200);
    const client = openClient();
    expect(await logIn(client, email, password)).toMatchObject({
      json: { code: 'auth.second_factor_required' },
    });
    expect((await client.get('/api/me')).status).toBe(401);
  });
});

describe('sign out other devices', () => {
  it('ends all other sessions, their console keys and pending sign-ins', async () => {
    const { client, email, codes } = await protect('devices@example.test');
    const [other, pending, stranger] = [openClient(), openClient(), openClient()];
    await stranger.signUp('devices2@example.test', { starter: 'empty' });
    await logIn(other, email);
    await finish(other, String(codes[0]));
    await logIn(pending, email);
    expect(await client.delete('/api/sessions')).toMatchObject({
      status: 200,
      json: { sessions_ended: 1 },
    });
    expect((await other.get('/api/me')).status).toBe(401);
    expect(await finish(pending, String(codes[1]))).toMatchObject({
      json: { code: 'auth.sign_in_expired' },
    });
    for (const untouched of [client, stranger]) expect((await untouched.get('/api/me')).status).toBe(200);
    expect((await new TestClient(plane.app).delete('/api/sessions')).status).toBe(401);
  });
});

describe('organizations that require two-factor authentication', () => {
  it('are out of reach for members without it, except for the page that sets it up', async () => {
    const { client: owner } = await protect('boss@example.test');
    const own = (await owner.get('/api/me')).json['organizations'] as { id: string }[];
    const organization = `/api/organizations/${own[0]?.id}`;
    const project = (await owner.get('/api/projects')).json['items'][0] as {
      id: string;
      databases: { id: string }[];
    };
    const database = `/api/databases/${project.databases[0]?.id}`;
    const invited = await owner.post(`${organization}/invitations`, {
      email: 'worker@example.test',
      role: 'admin',
    });
    const member = openClient();
    await member.signUp('worker@example.test', { starter: 'empty', invitation: invited.json['token'] });
    const { token } = (await member.post('/api/tokens', { name: 'ci' })).json as { token: string };
    const bearer = { authorization: `Bearer ${token}` };
    const program = openClient();
    const key = await member.post(`${database}/session-key`, {});
    expect(key.status).toBe(201);
    const require = (client: TestClient, required: boolean): Promise<TestResponse> =>
      client.put(`${organization}/two-factor`, { required });

    expect(await require(member, true)).toMatchObject({ status: 403, json: { code: 'auth.role' } });
    const outsider = openClient();
    await outsider.signUp('outsider@example.test', { starter: 'empty' });
    expect((await require(outsider, true)).status).toBe(404);
    const theirs = (await outsider.get('/api/me')).json['organizations'][0] as { id: string };
    const ownRule = await outsider.put(`/api/organizations/${theirs.id}/two-factor`, { required: true });
    expect(ownRule).toMatchObject({ status: 409, json: { code: 'resource.conflict' } });

    expect((await require(owner, true)).json).toMatchObject({ requires_two_factor: true });
    const members = (await owner.get(`${organization}/members`)).json['items'] as Record<string, unknown>[];
    expect(members.map(({ email, has_two_factor: has }) => [email, has])).toEqual([
      ['boss@example.test', true],
      ['worker@example.test', false],
    ]);
    const [row] = await plane.db.cell.query<{ revoked_at: Date | null }[]>(
      'SELECT revoked_at FROM api_key WHERE id = ?',
      [key.json['id']],
    );
    expect(row?.revoked_at).not.toBeNull();
    const rejection = { status: 403, json: { code: 'auth.two_factor_required' } };
    for (const path of [organization, `${organization}/members`, `/api/projects/${project.id}`, database]) {
      expect(await member.get(path)).toMatchObject(rejection);
      expect(await program.get(path, bearer)).toMatchObject(rejection);
    }
    const body = { name: 'Side door', organization_id: own[0]?.id };
    expect(await member.post('/api/projects', body)).toMatchObject(rejection);
    expect(await member.post(`${database}/session-key`, {})).toMatchObject(rejection);
    const listed = (await member.get('/api/projects')).json['items'] as { id: string }[];
    expect(listed.map(({ id }) => id)).not.toContain(project.id);
    expect((await outsider.get(database)).status).toBe(404);

    const begun = await member.post('/api/me/two-factor', { password: PASSWORD });
    const secret = String(begun.json['secret']);
    await member.post('/api/me/two-factor/confirm', { code: await codeOf(secret) });
    expect((await member.get(database)).status).toBe(200);
    expect((await program.get(database, bearer)).status).toBe(200);
    await passTime();
    const proof = { password: PASSWORD, code: await codeOf(secret) };
    expect((await member.delete('/api/me/two-factor', proof)).status).toBe(204);
    expect(await member.get(database)).toMatchObject(rejection);
    expect((await require(owner, false)).status).toBe(200);
    expect((await member.get(database)).status).toBe(200);
  });
});
