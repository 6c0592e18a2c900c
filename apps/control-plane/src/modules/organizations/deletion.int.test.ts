import { randomBytes } from 'node:crypto';
import { createAuditChain } from '@rowhouse/credentials';
import { createId } from '@rowhouse/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RequestContext } from '../../access/request-context.js';
import { verifyChain } from '../../audit-chain/verify-chain.js';
import { InvitationService } from './invitation-service.js';
import { OrganizationService } from './organization-service.js';
import { Invitation } from '../../platform-db/entities/invitation.js';
import { Membership } from '../../platform-db/entities/membership.js';
import { startMailServer, type TestMailServer } from '../../testing/start-mail-server.js';
import { startTestControlPlane, type TestControlPlane } from '../../testing/start-test-control-plane.js';
import { TestClient, type TestResponse } from '../../testing/test-client.js';

const PASSWORD = 'correct horse battery';

let mail: TestMailServer;
let plane: TestControlPlane;

beforeAll(async () => {
  mail = await startMailServer();
  plane = await startTestControlPlane({ SMTP_URL: mail.url, MAIL_FROM: 'Rowhouse <house@example.test>' });
}, 60_000);
afterAll(async () => {
  await plane?.stop();
  await mail?.stop();
});

interface Person {
  readonly client: TestClient;
  readonly email: string;
  readonly accountId: string;
  readonly organization: { readonly id: string; readonly name: string };
  readonly projectId: string;
  readonly databaseId: string;
}

async function signUp(name: string): Promise<Person> {
  const client = new TestClient(plane.app);
  const email = `${name}@example.test`;
  const { status, json } = await client.signUp(email, {
    name,
    starter: 'empty',
    project: `House of ${name}`,
  });
  expect(status).toBe(201);
  return {
    client,
    email,
    accountId: json['account'].id,
    organization: json['organization'],
    projectId: json['project'].id,
    databaseId: json['databases'][0].id,
  };
}

async function join(host: Person, guest: Person, role: string): Promise<void> {
  const invited = await host.client.post(`/api/organizations/${host.organization.id}/invitations`, {
    email: guest.email,
    role,
  });
  expect((await guest.client.post('/api/invitations/accept', { token: invited.json['token'] })).status).toBe(
    200,
  );
}

const deleteProject = (user: Person): Promise<TestResponse> =>
  user.client.delete(`/api/projects/${user.projectId}`, { confirm: `House of ${user.organization.name}` });
const deleteOrganization = (user: Person, confirm = user.organization.name): Promise<TestResponse> =>
  user.client.delete(`/api/organizations/${user.organization.id}`, { confirm });
const deleteAccount = (
  user: Person,
  input: { confirm?: string; password?: string } = {},
): Promise<TestResponse> =>
  user.client.delete('/api/me', { confirm: user.email, password: PASSWORD, ...input });
const query = <Row>(sql: string, values: unknown[]): Promise<Row[]> =>
  plane.db.global.query<Row[]>(sql, values);
/** Returns the audit events of an organization with their details. */
const readAudit = (organizationId: string, action: string): Promise<{ target: string; detail: string }[]> =>
  query('SELECT target, detail FROM audit_event WHERE organization_id = ? AND action = ?', [
    organizationId,
    action,
  ]);
const isAuditWhole = async (): Promise<readonly string[]> =>
  (
    await verifyChain(
      plane.db.global,
      { current: [createAuditChain(Buffer.from(plane.config.masterKey.reveal(), 'base64url'))], earlier: [] },
      null,
    )
  ).faults;

describe('organizations of an account', () => {
  it('an account belongs to at most two hundred organizations, created or joined', async () => {
    const [zoe, ned] = [await signUp('xenia'), await signUp('quinn')];
    const memberships = plane.db.global.getRepository(Membership);
    await memberships.insert(
      Array.from({ length: 198 }, (_, index) => ({
        organizationId: `org_many${index}`,
        accountId: zoe.accountId,
        role: 'viewer' as const,
        createdAt: new Date(),
      })),
    );
    expect((await zoe.client.post('/api/organizations', { name: 'The last' })).status).toBe(201);
    const rejected = {
      status: 409,
      json: { code: 'resource.conflict', detail: 'An account can belong to at most 200 organizations.' },
    };
    expect(await zoe.client.post('/api/organizations', { name: 'One more' })).toMatchObject(rejected);
    const { json } = await ned.client.post(`/api/organizations/${ned.organization.id}/invitations`, {
      email: zoe.email,
      role: 'viewer',
    });
    expect(await zoe.client.post('/api/invitations/accept', { token: json['token'] })).toMatchObject(
      rejected,
    );
    await memberships.delete({ accountId: zoe.accountId, role: 'viewer' });
    expect((await zoe.client.post('/api/invitations/accept', { token: json['token'] })).status).toBe(200);
  });
});

describe('an organization', () => {
  it('requests during the deletion of an organization get 404', async () => {
    const [una, vic] = [await signUp('una'), await signUp('vic')];
    const context = {
      reach: { organizationId: 'org_gone', role: 'owner' },
      accountId: una.accountId,
      caller: { account: { name: '', email: una.email } },
    } as unknown as RequestContext;
    const removed = { code: 'resource.not_found' };
    await expect(plane.app.get(OrganizationService).find(context)).rejects.toMatchObject(removed);
    await expect(
      plane.app.get(InvitationService).create(context, { email: vic.email, role: 'viewer' }),
    ).rejects.toMatchObject(removed);
    expect(await query('SELECT id FROM invitation WHERE organization_id = ?', ['org_gone'])).toEqual([]);
  });

  it('only an owner can delete an organization, and only without projects', async () => {
    const [ann, ben, eve] = [await signUp('ann'), await signUp('ben'), await signUp('eve')];
    await join(ann, ben, 'admin');
    const path = `/api/organizations/${ann.organization.id}`;
    expect(await ben.client.delete(path, { confirm: 'ann' })).toMatchObject({
      status: 403,
      json: { code: 'auth.role' },
    });
    expect((await eve.client.delete(path, { confirm: 'ann' })).status).toBe(404);
    expect((await new TestClient(plane.app).delete(path, { confirm: 'ann' })).status).toBe(401);
    expect(await deleteOrganization(ann, 'ben')).toMatchObject({
      status: 422,
      json: { code: 'resource.confirmation' },
    });
    expect(await deleteOrganization(ann)).toMatchObject({
      status: 409,
      json: { code: 'resource.conflict', detail: 'ann still has these projects: House of ann.' },
    });
    expect((await ann.client.get(path)).status).toBe(200);
  });

  it('deleting an organization removes members and invitations but not the audit log', async () => {
    const [cat, dan] = [await signUp('cat'), await signUp('dan')];
    await join(cat, dan, 'developer');
    const open = await cat.client.post(`/api/organizations/${cat.organization.id}/invitations`, {
      email: dan.email,
      role: 'admin',
    });
    expect((await deleteProject(cat)).status).toBe(204);
    expect((await deleteOrganization(cat)).status).toBe(204);
    for (const { client } of [cat, dan]) {
      expect((await client.get(`/api/organizations/${cat.organization.id}`)).status).toBe(404);
      expect(
        (await client.get('/api/me')).json['organizations'].map((item: { id: string }) => item.id),
      ).not.toContain(cat.organization.id);
    }
    expect((await dan.client.post('/api/invitations/accept', { token: open.json['token'] })).status).toBe(
      404,
    );
    expect((await cat.client.post(`/api/projects/${cat.projectId}/restore`)).status).toBe(404);
    expect(await readAudit(cat.organization.id, 'organization.delete')).toEqual([
      { target: cat.organization.id, detail: expect.anything() },
    ]);
    expect((await readAudit(cat.organization.id, 'invitation.create')).length).toBe(2);
    expect(await isAuditWhole()).toEqual([]);
    // A user without an organization can continue with a new one.
    expect(await cat.client.post('/api/projects', { name: 'x' })).toMatchObject({
      status: 403,
      json: { code: 'auth.role' },
    });
    expect((await cat.client.post('/api/organizations', { name: 'Anew' })).status).toBe(201);
    expect((await cat.client.post('/api/projects', { name: 'x' })).status).toBe(201);
  });

  it('an organization is not deleted while a project is being created or restored in it', async () => {
    for (const round of [1, 2, 3, 4]) {
      const user = await signUp(`fay-${round}`);
      expect((await deleteProject(user)).status).toBe(204);
      const making =
        round % 2 === 0
          ? () => user.client.post('/api/projects', { name: 'late', organization_id: user.organization.id })
          : () => user.client.post(`/api/projects/${user.projectId}/restore`);
      const [deletedResponse, created] = await Promise.all([deleteOrganization(user), making()]);
      const left = await query<{ id: string }>('SELECT id FROM organization WHERE id = ?', [
        user.organization.id,
      ]);
      const live = await query<{ id: string }>(
        'SELECT id FROM project WHERE organization_id = ? AND deleted_at IS NULL',
        [user.organization.id],
      );
      expect(
        [deletedResponse.status === 204, left.length, live.length],
        `round ${round}: ${deletedResponse.status} and ${created.status}`,
      ).toEqual(deletedResponse.status === 204 ? [true, 0, 0] : [false, 1, 1]);
    }
  });
});

describe('limits of lists', () => {
  it('the number of open invitations and members of an organization is limited', async () => {
    const [uma, val] = [await signUp('uma'), await signUp('val')];
    const invite = (): Promise<TestResponse> =>
      uma.client.post(`/api/organizations/${uma.organization.id}/invitations`, {
        email: val.email,
        role: 'viewer',
      });
    const first = await invite();
    const invitations = plane.db.global.getRepository(Invitation);
    const row = await invitations.findOneByOrFail({ id: first.json['id'] as string });
    await invitations.insert(
      Array.from({ length: 199 }, () => ({ ...row, id: createId('inv'), tokenHash: randomBytes(32) })),
    );
    expect(await invite()).toMatchObject({ status: 409, json: { code: 'resource.conflict' } });
    expect(
      (await uma.client.get(`/api/organizations/${uma.organization.id}/invitations`)).json['items'].map(
        (item: { id: string }) => item.id,
      ),
    ).toContain(row.id);
    expect(
      (await uma.client.delete(`/api/organizations/${uma.organization.id}/invitations/${row.id}`)).status,
    ).toBe(204);
    const secondResponse = await invite();
    expect(secondResponse.status).toBe(201);
    const memberships = plane.db.global.getRepository(Membership);
    const others = Array.from({ length: 999 }, (_, index) => ({
      organizationId: uma.organization.id,
      accountId: `acc_${index}`,
      role: 'viewer' as const,
      createdAt: new Date(),
    }));
    await memberships.insert(others);
    const accept = (): Promise<TestResponse> =>
      val.client.post('/api/invitations/accept', { token: secondResponse.json['token'] });
    expect(await accept()).toMatchObject({ status: 409, json: { code: 'resource.conflict' } });
    await memberships.delete({ organizationId: uma.organization.id, accountId: 'acc_0' });
    expect((await accept()).status).toBe(200);
  });
});

describe('an account', () => {
  it('deleting an account requires its password and another owner for shared projects', async () => {
    const [gus, hal] = [await signUp('gus'), await signUp('hal')];
    await join(gus, hal, 'admin');
    expect(
      (await new TestClient(plane.app).delete('/api/me', { confirm: gus.email, password: PASSWORD })).status,
    ).toBe(401);
    expect(await deleteAccount(gus, { confirm: hal.email })).toMatchObject({
      status: 422,
      json: { code: 'resource.confirmation' },
    });
    expect(await deleteAccount(gus, { password: 'a guess' })).toMatchObject({
      status: 401,
      json: { code: 'auth.bad_credentials' },
    });
    expect(await deleteAccount(gus)).toMatchObject({
      status: 409,
      json: {
        code: 'resource.conflict',
        detail: 'These organizations would have no owner: gus, which has other members.',
      },
    });
    expect(await deleteAccount(hal)).toMatchObject({
      status: 409,
      json: { detail: 'These organizations would have no owner: hal, with the projects House of hal.' },
    });
    expect((await gus.client.get('/api/me')).status).toBe(200);
  });

  it('deleting an account removes its credentials and organizations without other owners', async () => {
    const [ivy, jay] = [await signUp('ivy'), await signUp('jay')];
    await join(ivy, jay, 'owner');
    const token = (await jay.client.post('/api/tokens', { name: 'ci' })).json['token'] as string;
    const key = await jay.client.post(`/api/databases/${ivy.databaseId}/keys`, { name: 'shop' });
    const minted = await jay.client.post(`/api/databases/${ivy.databaseId}/session-key`);
    expect((await deleteProject(jay)).status).toBe(204);
    const deletedResponse = await deleteAccount(jay);
    expect([deletedResponse.status, deletedResponse.setCookie?.split(';')[0]]).toEqual([204, 'rowhouse=']);
    expect(
      (await new TestClient(plane.app).get('/api/me', { authorization: `Bearer ${token}` })).status,
    ).toBe(401);
    expect(
      (await new TestClient(plane.app).post('/api/auth/login', { email: jay.email, password: PASSWORD }))
        .status,
    ).toBe(401);
    for (const table of ['session', 'personal_access_token', 'email_token', 'membership'])
      expect(await query(`SELECT * FROM ${table} WHERE account_id = ?`, [jay.accountId]), table).toEqual([]);
    const members = (await ivy.client.get(`/api/organizations/${ivy.organization.id}/members`)).json[
      'items'
    ] as { email: string }[];
    expect(members.map(({ email }) => email)).toEqual([ivy.email]);
    const keys = await plane.db.cell.query<{ id: string; is_live: number }[]>(
      'SELECT id, revoked_at IS NULL AS is_live FROM api_key WHERE id IN (?, ?)',
      [key.json['id'], minted.json['id']],
    );
    expect(Object.fromEntries(keys.map(({ id, is_live }) => [id, Number(is_live)]))).toEqual({
      [key.json['id']]: 0,
      [minted.json['id']]: 0,
    });
    expect(await query('SELECT id FROM organization WHERE id = ?', [jay.organization.id])).toEqual([]);
    expect(JSON.stringify(await readAudit(ivy.organization.id, 'member.remove'))).toContain(jay.email);
    expect(
      (
        await query('SELECT id FROM audit_event WHERE action = ? AND target = ?', [
          'account.delete',
          jay.accountId,
        ])
      ).length,
    ).toBe(1);
    expect(await isAuditWhole()).toEqual([]);
    await expect
      .poll(
        () =>
          mail.mails.filter(
            (receivedMail) =>
              receivedMail.to === jay.email && receivedMail.subject === 'Your account was deleted',
          ).length,
        { timeout: 20_000 },
      )
      .toBe(1);
    // The address is free again, and a new account with it sees nothing of the deleted account.
    const again = await signUp('jay');
    expect(again.accountId).not.toBe(jay.accountId);
    expect((await again.client.get(`/api/organizations/${ivy.organization.id}`)).status).toBe(404);
  });

  it('password guesses when deleting an account are limited like sign-in attempts', async () => {
    const kim = await signUp('kim');
    const statuses: number[] = [];
    for (let index = 0; index < 11; index += 1)
      statuses.push((await deleteAccount(kim, { password: `guess ${index}` })).status);
    expect([...new Set(statuses.slice(0, 10)), statuses.at(-1)]).toEqual([401, 429]);
  });

  it('if two owners delete their accounts at once, only one deletion succeeds', async () => {
    const [lee, max] = [await signUp('lee'), await signUp('max')];
    await join(lee, max, 'owner');
    await deleteProject(max);
    const answers = await Promise.all([deleteAccount(lee), deleteAccount(max)]);
    expect(answers.map(({ status }) => status).sort((item, other) => item - other)).toEqual([204, 409]);
    expect(
      (await query('SELECT account_id FROM membership WHERE organization_id = ?', [lee.organization.id]))
        .length,
    ).toBe(1);
  });

  it('an account being deleted cannot join or create anything', async () => {
    const [ned, ola] = [await signUp('ned'), await signUp('ola')];
    await deleteProject(ola);
    const invited = await ned.client.post(`/api/organizations/${ned.organization.id}/invitations`, {
      email: ola.email,
      role: 'owner',
    });
    await Promise.all([
      deleteAccount(ola),
      ola.client.post('/api/invitations/accept', { token: invited.json['token'] }),
      ola.client.post('/api/organizations', { name: 'Late' }),
    ]);
    const exists = (await query('SELECT id FROM account WHERE id = ?', [ola.accountId])).length > 0;
    expect(
      exists || (await query('SELECT * FROM membership WHERE account_id = ?', [ola.accountId])).length === 0,
    ).toBe(true);
  });
});

describe('a project', () => {
  it('only an owner of both organizations can move a project', async () => {
    const [pia, rob] = [await signUp('pia'), await signUp('rob')];
    const move = (user: Person, to: string): Promise<TestResponse> =>
      user.client.post(`/api/projects/${pia.projectId}/move`, { organization_id: to });
    expect(await move(pia, rob.organization.id)).toMatchObject({
      status: 422,
      json: { code: 'body.invalid' },
    });
    await join(rob, pia, 'admin');
    expect(await move(pia, rob.organization.id)).toMatchObject({ status: 403, json: { code: 'auth.role' } });
    expect((await move(rob, rob.organization.id)).status).toBe(404);
    await join(pia, rob, 'admin');
    expect(await move(rob, rob.organization.id)).toMatchObject({ status: 403, json: { code: 'auth.role' } });
    expect((await pia.client.get(`/api/projects/${pia.projectId}`)).json['organization_id']).toBe(
      pia.organization.id,
    );
  });

  it('moving a project keeps its keys, but not its members and audit log', async () => {
    const [sue, tom] = [await signUp('sue'), await signUp('tom')];
    await join(sue, tom, 'developer');
    const other = (await sue.client.post('/api/organizations', { name: 'Elsewhere' })).json['id'] as string;
    const key = await sue.client.post(`/api/databases/${sue.databaseId}/keys`, { name: 'shop' });
    const minted = await tom.client.post(`/api/databases/${sue.databaseId}/session-key`);
    const moved = await sue.client.post(`/api/projects/${sue.projectId}/move`, { organization_id: other });
    expect(moved).toMatchObject({ status: 200, json: { id: sue.projectId, organization_id: other } });
    expect([
      (await tom.client.get(`/api/projects/${sue.projectId}`)).status,
      (await tom.client.post(`/api/databases/${sue.databaseId}/session-key`)).status,
    ]).toEqual([404, 404]);
    const keys = await plane.db.cell.query<{ id: string; is_live: number }[]>(
      'SELECT id, revoked_at IS NULL AS is_live FROM api_key WHERE id IN (?, ?)',
      [key.json['id'], minted.json['id']],
    );
    expect(Object.fromEntries(keys.map(({ id, is_live }) => [id, Number(is_live)]))).toEqual({
      [key.json['id']]: 1,
      [minted.json['id']]: 0,
    });
    const trail = async (path: string): Promise<string[]> =>
      (await sue.client.get(`${path}/audit?limit=50`)).json['items'].map(
        (item: { action: string }) => item.action,
      );
    expect(await trail(`/api/projects/${sue.projectId}`)).toEqual(['project.move']);
    expect(await trail(`/api/organizations/${sue.organization.id}`)).toEqual(
      expect.arrayContaining(['project.move', 'key.create']),
    );
    // Nothing remains in the previous organization, so it can be deleted.
    expect((await deleteOrganization(sue)).status).toBe(204);
  });
});
