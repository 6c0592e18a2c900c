import http from 'node:http';
import mysql from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeBlog } from '../../support/schemas/blog.mjs';
import {
  createConnection,
  createKey,
  expectStatus,
  openControl,
  signUp,
  type Control,
  type TestUser,
} from '../../support/control.mjs';
import { openApi, send, type HttpResponse } from '../../support/http.mjs';
import { readProduct } from '../../support/product.mjs';
import { waitFor } from '../../support/wait.mjs';

/** A credential or open connection of the member. `use` resolves to whether it can still read or write. */
interface Access {
  readonly name: string;
  readonly use: () => Promise<boolean>;
}

const MCP_HEADERS = { Accept: 'application/json, text/event-stream' };

describe('a removed member', () => {
  const product = readProduct();
  const accesses: Access[] = [];
  const sessions: mysql.Connection[] = [];
  let owner: TestUser;
  let member: TestUser;
  let userNames: string[];
  let finishUpload: () => Promise<number>;

  const organizationId = (): string => owner.answer.organization.id;
  const add = (name: string, use: Access['use']): void => void accesses.push({ name, use });
  const isOk = ({ status }: { status: number }): boolean => status < 300;

  /** Adds accesses that read and write the control API with one credential. */
  const addControl = (name: string, control: Control): void => {
    add(`${name}: project`, async () => isOk(await control.call('GET', `/api/projects/${owner.projectId}`)));
    add(`${name}: new key`, async () =>
      isOk(await control.call('POST', `/api/databases/${owner.development.id}/keys`, { name: 'later' })),
    );
    add(`${name}: exports`, async () => {
      const { json } = await control.call('GET', `/api/projects/${owner.projectId}/files`);
      const id = json.items?.find((file: { kind: string }) => file.kind === 'export')?.id;
      const path = `/api/projects/${owner.projectId}/files/${id}/download`;
      return id !== undefined && isOk(await control.call('GET', path));
    });
  };

  const addKey = (name: string, secret: string): void => {
    for (const [index, base] of product.gateways.entries()) {
      const api = openApi(base, secret);
      add(`${name}: read at gateway ${index}`, async () => isOk(await api.get('/posts?limit=1')));
      add(`${name}: MCP at gateway ${index}`, async () =>
        isOk(
          await send(base, 'POST', '/v1/-/mcp', {
            headers: { Authorization: `Bearer ${secret}`, ...MCP_HEADERS },
            body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
          }),
        ),
      );
    }
  };

  const addConnection = async (name: string, uri: string): Promise<void> => {
    const session = await mysql.createConnection(uri);
    session.on('error', () => undefined);
    sessions.push(session);
    const reads = (connection: mysql.Connection): Promise<boolean> =>
      connection.query('SELECT COUNT(*) FROM posts').then(
        () => true,
        () => false,
      );
    add(`${name}: open session`, () => reads(session));
    add(`${name}: login`, async () => {
      const connection = await mysql.createConnection(uri).catch(() => null);
      const isRead = connection !== null && (await reads(connection));
      connection?.destroy();
      return isRead;
    });
  };

  /**
   * Starts an upload and leaves it unfinished. The returned function sends the rest and resolves to the
   * status.
   */
  const holdUpload = (token: string): (() => Promise<number>) => {
    const { hostname, port } = new URL(product.control);
    const req = http.request({
      hostname,
      port,
      method: 'POST',
      path: `/api/projects/${owner.projectId}/schema/import`,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/sql' },
    });
    const status = new Promise<number>((resolve) => {
      req.on('error', () => resolve(0));
      req.on('response', (res) => resolve(res.resume().statusCode ?? 0));
    });
    req.write('CREATE TABLE left_behind (id INT PRIMARY KEY);\n');
    return () => (req.end('\n'), status);
  };

  beforeAll(async () => {
    owner = await signUp(product.control, { name: 'owner' });
    member = await signUp(product.control, { name: 'member', starter: 'empty' });
    await writeBlog(openApi(product.gateways[0], owner.key), 'secret');
    const invite = async (control: Control, email: string, role: string): Promise<string> => {
      const path = `/api/organizations/${organizationId()}/invitations`;
      const invited = await control.call('POST', path, { email, role });
      expectStatus(invited, [201], 'invite');
      return invited.json.token;
    };
    const post = async (control: Control, path: string, body: unknown): Promise<HttpResponse['json']> => {
      const response = await control.call('POST', path, body);
      expectStatus(response, [200, 201, 202], path);
      return response.json;
    };
    const token = await invite(owner.control, member.email, 'owner');
    await post(member.control, '/api/invitations/accept', { token });
    const guest: TestUser = { ...owner, control: member.control };

    await post(member.control, `/api/databases/${owner.development.id}/export`, {});
    await waitFor('the export is ready', async () => {
      const { json } = await member.control.call('GET', `/api/projects/${owner.projectId}/files`);
      return json.items[0]?.state === 'ready';
    });
    addControl('session', member.control);
    const pat = (await post(member.control, '/api/tokens', { name: 'script' })).token as string;
    addControl('token', openControl(product.control, { token: pat }));
    add('token: MCP of the control plane', async () => {
      const params = { name: 'get_deployed_schema', arguments: { project_id: owner.projectId } };
      const { text } = await send(product.control, 'POST', '/mcp', {
        headers: { Authorization: `Bearer ${pat}`, ...MCP_HEADERS },
        body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
      });
      return text.includes('posts');
    });

    const own = await createKey(guest, { name: 'own' });
    addKey('own key', own.secret);
    const shared = await createKey(owner, { name: 'shared' });
    addKey(
      'rotated key',
      (await post(member.control, `/api/keys/${shared.id}/rotate`, { overlap_seconds: 3_600 })).secret,
    );
    const replaced = await createKey(guest, { name: 'replaced' });
    await post(owner.control, `/api/keys/${replaced.id}/rotate`, { overlap_seconds: 3_600 });
    addKey('key in its overlap', replaced.secret);
    addKey(
      'console key',
      (await post(member.control, `/api/databases/${owner.development.id}/session-key`, {})).secret,
    );

    const reader = await createConnection(guest, { name: 'reader', role: 'read-only' });
    const definer = await createConnection(guest, { name: 'definer', role: 'owner' });
    await addConnection('read-only connection', reader.connection_string);
    await addConnection('owner connection', definer.connection_string);
    const rotated = await createConnection(guest, { name: 'rotated', role: 'read-write' });
    await post(owner.control, `/api/connections/${rotated.id}/rotate`, { overlap_seconds: 3_600 });
    await addConnection('connection in its overlap', rotated.connection_string);
    userNames = [reader.user, definer.user, rotated.user];
    await sessions[1]?.query('CREATE TRIGGER own_trigger BEFORE INSERT ON tags FOR EACH ROW SET @seen = 1');
    await sessions[1]?.query('CREATE VIEW own_view AS SELECT id FROM posts');

    const link = await post(member.control, `/api/projects/${owner.projectId}/share`, {});
    add('share link', async () => isOk(await member.control.call('GET', `/api/clone/${link.token}`)));
    const invitation = await invite(owner.control, 'nobody@example.test', 'viewer').then(() =>
      invite(member.control, member.email, 'owner'),
    );
    add('invitation', async () => isOk(await member.control.call('GET', `/api/invitations/${invitation}`)));
    finishUpload = holdUpload(pat);
  }, 90_000);
  afterAll(() => {
    for (const session of sessions) session.destroy();
  });

  /** Returns the names of the accesses that still work. */
  const findWorking = async (): Promise<string[]> => {
    const working: string[] = [];
    for (const { name, use } of accesses) if (await use()) working.push(name);
    return working;
  };

  it('no credential or open connection of a removed member reads or writes anything', async () => {
    expect(await findWorking()).toEqual(accesses.map(({ name }) => name));
    const path = `/api/organizations/${organizationId()}/members/${member.answer.account.id}`;
    expect((await owner.control.call('DELETE', path)).status).toBe(204);
    await waitFor('every gateway knows', async () => (await findWorking()).length === 0, {
      timeoutMs: 10_000,
    });
    expect(await finishUpload()).toBe(409);
    const schema = await owner.control.call('GET', `/api/projects/${owner.projectId}/schema`);
    expect(schema.text).not.toContain('left_behind');
  });

  it('no database account of a removed member exists on the server or as a definer', async () => {
    const { host, port, user, password } = product.mysql;
    const server = await mysql.createConnection({ host, port, user, password });
    const placeholders = userNames.map(() => '?').join(', ');
    const [accounts] = await server.query(
      `SELECT User FROM mysql.user WHERE User IN (${placeholders})`,
      userNames,
    );
    expect(accounts).toEqual([]);
    for (const [table, schema] of [
      ['TRIGGERS', 'TRIGGER_SCHEMA'],
      ['VIEWS', 'TABLE_SCHEMA'],
      ['ROUTINES', 'ROUTINE_SCHEMA'],
      ['EVENTS', 'EVENT_SCHEMA'],
    ]) {
      const [rows] = await server.query(
        `SELECT DEFINER FROM information_schema.${table} WHERE SUBSTRING_INDEX(DEFINER, '@', 1) IN (${placeholders}) AND ${schema} <> ''`,
        userNames,
      );
      expect(rows, table).toEqual([]);
    }
    await server.end();
  });

  it('the credentials of other members still work after a member is removed', async () => {
    for (const base of product.gateways) {
      const api = openApi(base, owner.key);
      expect((await api.post('/tags', { name: `after ${base}` })).status).toBe(201);
    }
  });
});
