import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { RequestContext } from '../../access/request-context.js';
import { SessionService } from '../auth/session-service.js';
import { FailureNotices } from '../mail/failure-notices.js';
import { TokenService } from '../tokens/token-service.js';
import { Account } from '../../platform-db/entities/account.js';
import { SessionRow } from '../../platform-db/entities/session-row.js';
import { startMailServer, type ReceivedMail, type TestMailServer } from '../../testing/start-mail-server.js';
import { startTestControlPlane, type TestControlPlane } from '../../testing/start-test-control-plane.js';
import { TestClient } from '../../testing/test-client.js';

let mail: TestMailServer;
let plane: TestControlPlane;

beforeAll(async () => {
  mail = await startMailServer(1);
  plane = await startTestControlPlane({ SMTP_URL: mail.url, MAIL_FROM: 'Rowhouse <house@example.test>' });
}, 60_000);
afterAll(async () => {
  await plane?.stop();
  await mail?.stop();
});

const find = async (to: string, subject: string): Promise<ReceivedMail> => {
  let found: ReceivedMail | undefined;
  await expect
    .poll(
      () =>
        (found = mail.mails.findLast(
          (receivedMail) => receivedMail.to === to && receivedMail.subject.includes(subject),
        )) !== undefined,
      { timeout: 20_000 },
    )
    .toBe(true);
  return found as ReceivedMail;
};
const tokenIn = (letter: ReceivedMail): string => /\/(rh[mi]_\w+)/.exec(letter.text)?.[1] ?? '';
const signUp = async (email: string): Promise<TestClient> => {
  const client = new TestClient(plane.app);
  expect((await client.signUp(email, { starter: 'empty' })).status).toBe(201);
  return client;
};

describe('email address', () => {
  it('the link in the sign-up email confirms the address once', async () => {
    const ann = await signUp('ann@example.test');
    expect((await ann.get('/api/me')).json['account']).toMatchObject({
      email_verified: false,
      wants_notices: true,
    });
    const letter = await find('ann@example.test', 'Confirm');
    expect(letter.from).toContain('house@example.test');
    const token = tokenIn(letter);
    expect((await new TestClient(plane.app).post('/api/auth/verify', { token })).status).toBe(204);
    expect((await ann.get('/api/me')).json['account']).toMatchObject({ email_verified: true });
    expect(await ann.post('/api/auth/verify', { token })).toMatchObject({
      status: 404,
      json: { code: 'auth.bad_token' },
    });
    expect((await ann.post('/api/me/verification')).status).toBe(409);
  });

  it('only the newest confirmation email confirms an address', async () => {
    const ben = await signUp('ben@example.test');
    const first = tokenIn(await find('ben@example.test', 'Confirm'));
    expect((await ben.post('/api/me/verification')).status).toBe(202);
    await expect
      .poll(
        () =>
          mail.mails.filter(
            (receivedMail) =>
              receivedMail.to === 'ben@example.test' && receivedMail.subject.includes('Confirm'),
          ).length,
        { timeout: 20_000 },
      )
      .toBe(2);
    const second = tokenIn(await find('ben@example.test', 'Confirm'));
    expect((await ben.post('/api/auth/verify', { token: first })).status).toBe(404);
    expect((await ben.post('/api/auth/reset', { token: second, password: 'another password' })).status).toBe(
      404,
    );
    expect((await ben.post('/api/auth/verify', { token: second })).status).toBe(204);
  });
});

describe('forgotten password', () => {
  it('the reset email sets a new password once and ends every session', async () => {
    const cat = await signUp('cat@example.test');
    const outsider = new TestClient(plane.app);
    const answers = [
      await outsider.post('/api/auth/forgot', { email: 'CAT@example.test' }),
      await outsider.post('/api/auth/forgot', { email: 'nobody@example.test' }),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([202, 202]);
    expect(answers[0]?.json).toEqual(answers[1]?.json);
    const token = tokenIn(await find('cat@example.test', 'Set a new password'));
    expect(await outsider.post('/api/auth/reset', { token, password: 'short' })).toMatchObject({
      status: 422,
    });
    vi.spyOn(plane.db, 'nowMs').mockReturnValue(Date.now() + 3_601_000);
    expect((await outsider.post('/api/auth/reset', { token, password: 'a late password' })).status).toBe(404);
    vi.restoreAllMocks();
    expect((await outsider.post('/api/auth/reset', { token, password: 'a new password' })).status).toBe(200);
    expect((await cat.get('/api/me')).status).toBe(401);
    expect((await outsider.post('/api/auth/reset', { token, password: 'once more please' })).status).toBe(
      404,
    );
    expect(
      (
        await outsider.post('/api/auth/login', {
          email: 'cat@example.test',
          password: 'correct horse battery',
        })
      ).status,
    ).toBe(401);
    expect(
      (await outsider.post('/api/auth/login', { email: 'cat@example.test', password: 'a new password' }))
        .status,
    ).toBe(200);
    await find('cat@example.test', 'was changed');
    expect(mail.mails.some((receivedMail) => receivedMail.to === 'nobody@example.test')).toBe(false);
  });

  it('an expired reset token is rejected, and only token hashes are stored', async () => {
    await signUp('dan@example.test');
    await new TestClient(plane.app).post('/api/auth/forgot', { email: 'dan@example.test' });
    const token = tokenIn(await find('dan@example.test', 'Set a new password'));
    const rows = await plane.db.global.query<Record<string, unknown>[]>('SELECT * FROM email_token');
    expect(JSON.stringify(rows)).not.toContain(token);
    await plane.db.global.query(
      "UPDATE email_token SET expires_at = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND WHERE email = 'dan@example.test'",
    );
    expect(
      (await new TestClient(plane.app).post('/api/auth/reset', { token, password: 'a new password' })).status,
    ).toBe(404);
  });

  it('the number of reset emails per address is limited', async () => {
    const client = new TestClient(plane.app);
    const statuses: number[] = [];
    for (let requestCount = 0; requestCount < 6; requestCount += 1)
      statuses.push((await client.post('/api/auth/forgot', { email: 'eve@example.test' })).status);
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429]);
  });
});

describe('sessions', () => {
  it('changing the password ends other sessions, including those that are not listed', async () => {
    const kim = await signUp('kim@example.test');
    const old = new TestClient(plane.app);
    await old.post('/api/auth/login', { email: 'kim@example.test', password: 'correct horse battery' });
    const rows = plane.db.global.getRepository(SessionRow);
    const { id: accountId } = (await kim.get('/api/me')).json['account'] as { id: string };
    const [session] = await rows.findBy({ accountId });
    const later = new Date((session?.lastSeenAt.getTime() ?? 0) + 60_000);
    await rows.insert(
      Array.from({ length: 210 }, (_, index) => ({
        ...session,
        id: `ses_kim${index}`,
        tokenHash: randomBytes(32),
        lastSeenAt: later,
      })),
    );
    expect((await old.get('/api/me')).status).toBe(200);
    expect(
      (
        await kim.post('/api/me/password', {
          current_password: 'correct horse battery',
          new_password: 'a new password',
        })
      ).status,
    ).toBe(200);
    expect([(await kim.get('/api/me')).status, (await old.get('/api/me')).status]).toEqual([200, 401]);
  });
});

describe('changing the password', () => {
  it('a failed password change leaves the old password and the reset email valid', async () => {
    const lee = await signUp('lee@example.test');
    const { token } = (await lee.post('/api/tokens', { name: 'ci' })).json as { token: string };
    const outsider = new TestClient(plane.app);
    await outsider.post('/api/auth/forgot', { email: 'lee@example.test' });
    const mailed = tokenIn(await find('lee@example.test', 'Set a new password'));
    const isIn = async (password: string): Promise<boolean> =>
      (await new TestClient(plane.app).post('/api/auth/login', { email: 'lee@example.test', password }))
        .status === 200;
    await plane.db.global.query('RENAME TABLE personal_access_token TO away_token');
    const failed = [
      await lee.post('/api/me/password', {
        current_password: 'correct horse battery',
        new_password: 'a new password',
      }),
      await outsider.post('/api/auth/reset', { token: mailed, password: 'a new password' }),
    ];
    await plane.db.global.query('RENAME TABLE away_token TO personal_access_token');
    expect(failed.map(({ status }) => status >= 500)).toEqual([true, true]);
    expect([await isIn('a new password'), await isIn('correct horse battery')]).toEqual([false, true]);
    expect((await outsider.get('/api/me', { authorization: `Bearer ${token}` })).status).toBe(200);
    expect(
      (await outsider.post('/api/auth/reset', { token: mailed, password: 'a new password' })).status,
    ).toBe(200);
    expect([
      await isIn('a new password'),
      await isIn('correct horse battery'),
      (await outsider.get('/api/me', { authorization: `Bearer ${token}` })).status,
    ]).toEqual([true, false, 401]);
  });

  it('a sign-in with the old password during a password change fails', async () => {
    const ned = await signUp('ned@example.test');
    const checked = await plane.db.global
      .getRepository(Account)
      .findOneByOrFail({ email: 'ned@example.test' });
    expect(
      (
        await ned.post('/api/me/password', {
          current_password: 'correct horse battery',
          new_password: 'a new password',
        })
      ).status,
    ).toBe(200);
    const context = { userAgent: 'test', address: '127.0.0.1' } as RequestContext;
    await expect(plane.app.get(SessionService).open(checked, context)).rejects.toMatchObject({
      code: 'auth.bad_credentials',
    });
  });

  it('an access token whose creation overlaps a password change is not stored', async () => {
    const ola = await signUp('ola@example.test');
    const account = await plane.db.global
      .getRepository(Account)
      .findOneByOrFail({ email: 'ola@example.test' });
    expect(
      (
        await ola.post('/api/me/password', {
          current_password: 'correct horse battery',
          new_password: 'a new password',
        })
      ).status,
    ).toBe(200);
    const context = new RequestContext(
      { account, via: 'session', sessionId: null, sessionToken: null, tokenId: null },
      null,
      { userAgent: 'test', address: '127.0.0.1', requestId: 'r' },
    );
    await expect(plane.app.get(TokenService).create(context, { name: 'left behind' })).rejects.toMatchObject({
      code: 'resource.conflict',
    });
    expect((await ola.get('/api/tokens')).json['items']).toEqual([]);
    expect((await ola.post('/api/tokens', { name: 'new' })).status).toBe(201);
  });

  it('an account has at most two hundred access tokens, all listed and revocable', async () => {
    const pia = await signUp('pia@example.test');
    for (let index = 0; index < 195; index += 1)
      expect((await pia.post('/api/tokens', { name: `t${index}` })).status).toBe(201);
    const last = await Promise.all(
      Array.from({ length: 10 }, (_, index) => pia.post('/api/tokens', { name: `last ${index}` })),
    );
    expect([201, 409].map((status) => last.filter((answer) => answer.status === status).length)).toEqual([
      5, 5,
    ]);
    const items = (await pia.get('/api/tokens')).json['items'] as { id: string }[];
    expect(items.length).toBe(200);
    expect((await pia.delete(`/api/tokens/${items[0]?.id}`)).status).toBeLessThan(300);
    expect((await pia.post('/api/tokens', { name: 'again' })).status).toBe(201);
  });

  it('only one of two concurrent password changes succeeds', async () => {
    const max = await signUp('max@example.test');
    const change = (password: string): ReturnType<typeof max.post> =>
      max.post('/api/me/password', { current_password: 'correct horse battery', new_password: password });
    const changed = await Promise.all([change('one new password'), change('other new password')]);
    expect(changed.map(({ status }) => status).sort((item, other) => item - other)).toEqual([200, 401]);
  });
});

describe('account', () => {
  it('changing the password of an account ends its other sessions only', async () => {
    const fay = await signUp('fay@example.test');
    const other = new TestClient(plane.app);
    await other.post('/api/auth/login', { email: 'fay@example.test', password: 'correct horse battery' });
    expect((await fay.patch('/api/me', { name: 'Fay', wants_notices: false })).json).toMatchObject({
      name: 'Fay',
      wants_notices: false,
    });
    expect(
      await fay.post('/api/me/password', { current_password: 'wrong', new_password: 'a new password' }),
    ).toMatchObject({ status: 401, json: { code: 'auth.bad_credentials' } });
    expect((await other.get('/api/me')).status).toBe(200);
    expect(
      (
        await fay.post('/api/me/password', {
          current_password: 'correct horse battery',
          new_password: 'a new password',
        })
      ).status,
    ).toBe(200);
    expect((await other.get('/api/me')).status).toBe(401);
    expect((await fay.get('/api/me')).status).toBe(200);
  });
});

describe('team', () => {
  it('a member is invited by email with a role that forbids deploys, and the audit log shows it', async () => {
    const owner = await signUp('owner@example.test');
    const me = await owner.get('/api/me');
    const organizationId = me.json['organizations'][0].id as string;
    const projectId = (await owner.get('/api/projects')).json['items'][0].id as string;
    const invited = await owner.post(`/api/organizations/${organizationId}/invitations`, {
      email: 'gus@example.test',
      role: 'viewer',
    });
    expect(invited.json).toMatchObject({
      is_mailed: true,
      url: expect.stringContaining('/invitations/rhi_'),
    });
    const letter = await find('gus@example.test', 'Invitation');
    const gus = await signUp('gus@example.test');
    const outsider = await signUp('stranger@example.test');
    expect((await outsider.get(`/api/invitations/${tokenIn(letter)}`)).status).toBe(404);
    expect((await gus.get(`/api/invitations/${tokenIn(letter)}`)).json).toMatchObject({
      role: 'viewer',
      organization: { id: organizationId },
    });
    expect((await gus.post('/api/invitations/accept', { token: tokenIn(letter) })).status).toBe(200);
    expect(
      await gus.post(`/api/projects/${projectId}/deploy`, { sql: 'CREATE TABLE notes (id int)' }),
    ).toMatchObject({ status: 403, json: { code: 'auth.role' } });
    expect((await gus.get(`/api/organizations/${organizationId}/audit`)).status).toBe(403);
    const audit = await owner.get(`/api/organizations/${organizationId}/audit?action=invitation&limit=10`);
    expect(
      audit.json['items'].map((item: { action: string; account_email: string }) => [
        item.action,
        item.account_email,
      ]),
    ).toEqual([
      ['invitation.accept', 'gus@example.test'],
      ['invitation.create', 'owner@example.test'],
    ]);
    expect(
      (
        await owner.get(
          `/api/organizations/${organizationId}/audit?account=${me.json['account'].id}&action=invitation.accept`,
        )
      ).json['items'],
    ).toEqual([]);
    expect(
      (await owner.get(`/api/organizations/${organizationId}/audit?since=2099-01-01T00:00:00Z`)).json[
        'items'
      ],
    ).toEqual([]);
    expect((await owner.get(`/api/organizations/${organizationId}/audit?action=Key'--`)).status).toBe(422);
  });

  it('an invitation is void when its creator may no longer invite', async () => {
    const head = await signUp('head@example.test');
    const jay = await signUp('jay@example.test');
    const { id: organizationId } = (await head.get('/api/me')).json['organizations'][0] as { id: string };
    const invitations = `/api/organizations/${organizationId}/invitations`;
    const invited = await head.post(invitations, { email: 'jay@example.test', role: 'admin' });
    expect((await jay.post('/api/invitations/accept', { token: invited.json['token'] })).status).toBe(200);
    const retained = await jay.post(invitations, { email: 'jay@example.test', role: 'admin' });
    const member = `/api/organizations/${organizationId}/members/${(await jay.get('/api/me')).json['account'].id}`;
    expect((await head.patch(member, { role: 'viewer' })).status).toBe(200);
    expect((await head.get(invitations)).json['items']).toEqual([]);
    expect((await jay.post('/api/invitations/accept', { token: retained.json['token'] })).status).toBe(404);
    expect((await head.delete(member)).status).toBe(204);
    expect((await jay.post('/api/invitations/accept', { token: retained.json['token'] })).status).toBe(404);
    expect((await jay.get(`/api/organizations/${organizationId}`)).status).toBe(404);
  });

  it('accepting two invitations at once gives the higher role', async () => {
    const host = await signUp('host@example.test');
    const kit = await signUp('kit@example.test');
    const { id: organizationId } = (await host.get('/api/me')).json['organizations'][0] as { id: string };
    for (let round = 0; round < 5; round += 1) {
      const invited = await Promise.all(
        ['viewer', 'admin', 'developer'].map((role) =>
          host.post(`/api/organizations/${organizationId}/invitations`, { email: 'kit@example.test', role }),
        ),
      );
      const accepted = await Promise.all(
        invited.map(({ json }) => kit.post('/api/invitations/accept', { token: json['token'] })),
      );
      expect(accepted.map(({ status }) => status)).toEqual([200, 200, 200]);
      const [, member] = (await host.get(`/api/organizations/${organizationId}/members`)).json['items'] as {
        account_id: string;
        role: string;
      }[];
      expect(member?.role).toBe('admin');
      expect(
        (await host.delete(`/api/organizations/${organizationId}/members/${member?.account_id}`)).status,
      ).toBe(204);
    }
  });

  it('a failed migration is reported once to its author and to subscribed owners and admins', async () => {
    const hal = await signUp('hal@example.test');
    const ivy = await signUp('ivy@example.test');
    const project = (await hal.get('/api/projects')).json['items'][0] as {
      id: string;
      organization_id: string;
    };
    const invited = await hal.post(`/api/organizations/${project.organization_id}/invitations`, {
      email: 'ivy@example.test',
      role: 'admin',
    });
    await ivy.post('/api/invitations/accept', { token: invited.json['token'] });
    await ivy.patch('/api/me', { wants_notices: false });
    const deployed = await hal.post(`/api/projects/${project.id}/deploy`, {
      sql: 'CREATE TABLE notes (id int)',
    });
    const id = deployed.json['migrations'][0].id as string;
    await expect
      .poll(async () => (await hal.get(`/api/migrations/${id}`)).json['state'], { timeout: 20_000 })
      .toBe('published');
    await plane.db.cell.query(
      `UPDATE migration SET state = 'failed', error = '{"code":"db.refused","detail":"A row stands against it."}', finished_at = UTC_TIMESTAMP(3) WHERE id = ?`,
      [id],
    );
    const notices = plane.app.get(FailureNotices);
    await Promise.all([notices.sendAll(), notices.sendAll()]);
    await notices.sendAll();
    const letter = await find('hal@example.test', 'failed');
    expect(letter.text).toContain('A row stands against it.');
    expect(letter.text).toContain(`/migrations/${id}`);
    expect(
      mail.mails
        .filter((receivedMail) => receivedMail.subject.includes('failed'))
        .map((receivedMail) => receivedMail.to),
    ).toEqual(['hal@example.test']);
  });
});
