import { discoverOAuthServerInfo } from '@modelcontextprotocol/client';
import { DATA_TOOLS } from '@rowhouse/testkit';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startBearerProxy } from '../../mcp/bearer-proxy.mjs';
import { judgeChecks } from '../../mcp/judge-checks.mjs';
import { openHttpClient, openStdioClient } from '../../mcp/open-client.mjs';
import { runConformance } from '../../mcp/run-conformance.mjs';
import { projectsOf, rowsOf, startStdioFront } from '../../mcp/stdio-front.mjs';
import { createKey, signUp, type TestUser } from '../../support/control.mjs';
import { send } from '../../support/http.mjs';
import { readProduct } from '../../support/product.mjs';

type AgentClient = Awaited<ReturnType<typeof openHttpClient>>;

describe('MCP', () => {
  const product = readProduct();
  const [gateway] = product.gateways;
  let testUser: TestUser;
  let outsider: TestUser;
  let token: string;
  const open: AgentClient[] = [];

  const hold = async (opening: Promise<AgentClient>): Promise<AgentClient> => {
    const client = await opening;
    open.push(client);
    return client;
  };

  beforeAll(async () => {
    [testUser, outsider] = await Promise.all([
      signUp(product.control),
      signUp(product.control, { name: 'eve' }),
    ]);
    token = (await testUser.control.call('POST', '/api/tokens', { name: 'agent' })).json.token;
  });

  afterEach(async () => {
    for (const client of open.splice(0)) await client.close();
  });

  it.each(['http', 'stdio'] as const)(
    'an agent creates a table through the control plane and uses it through the gateway, over %s',
    async (transport) => {
      const table = `books_${transport}`;
      const [projects, rows] =
        transport === 'http'
          ? [
              await hold(openHttpClient(`${product.control}/mcp`, token)),
              await hold(openHttpClient(`${gateway}/mcp`, testUser.key)),
            ]
          : [
              await hold(openStdioClient(projectsOf(product.control, token))),
              await hold(openStdioClient(rowsOf(gateway, testUser.key))),
            ];
      expect(await rows.listTools()).toEqual(DATA_TOOLS);
      expect(await projects.listTools()).toHaveLength(10);

      const [project] = (await projects.call('get_projects')).reported.projects;
      const environment = { project_id: project.id };
      const { proposal } = (
        await projects.call('submit_data_modeling_request', {
          ...environment,
          request: `a table ${table} with title, price and a user`,
        })
      ).reported;
      expect(proposal.sql).toContain(`CREATE TABLE \`${table}\``);
      expect(
        (await projects.call('submit_data_modeling_request', { ...environment, sql: proposal.sql })).reported
          .plans[0].steps.length,
      ).toBeGreaterThan(0);
      expect((await projects.call('get_project_schema', environment)).reported.sql).toContain(table);
      expect(
        (await projects.call('deploy_project', { ...environment, preview: true })).reported.plans[0],
      ).toMatchObject({ environment: 'development', loss: [] });
      expect((await projects.call('deploy_project', environment)).reported.migrations).toMatchObject([
        { environment: 'development', state: 'published' },
      ]);
      expect((await projects.call('get_deployed_schema', environment)).reported.sql).toContain(table);
      const hosted = (await projects.call('get_project_hosted_database_details', environment)).reported
        .databases;
      expect(hosted).toMatchObject([
        { environment: 'development', mcp_url: `${gateway}/mcp` },
        { environment: 'production' },
      ]);

      // The client listed the tools before the table existed, but the tools accept the new table.
      await expect
        .poll(async () =>
          (await rows.call('get_schema')).reported.tables.map((item: { name: string }) => item.name),
        )
        .toContain(table);
      const user = (
        await rows.call('create_records', {
          table: 'users',
          records: [{ username: table, email: `${table}@example.org` }],
        })
      ).reported.records[0].id;
      const book = (
        await rows.call('create_records', { table, records: [{ title: 'Rows', price: 12.5, user_id: user }] })
      ).reported.records[0];
      expect(
        (await rows.call('read_records', { table, id: book.id, include: ['user'] })).reported.record,
      ).toMatchObject({ title: 'Rows', user: { username: table } });
      expect(
        (
          await rows.call('update_records', {
            table,
            records: [{ id: book.id, values: { title: 'Houses' } }],
          })
        ).reported.records[0].title,
      ).toBe('Houses');
      expect(
        (await rows.call('query_database', { query: `how many ${table.replace('_', ' ')} are there` }))
          .isError,
      ).toBeTypeOf('boolean');
      expect(
        (await rows.call('query_database', { query: `SELECT title FROM ${table}` })).reported.rows,
      ).toEqual([{ title: 'Houses' }]);
      expect((await rows.call('delete_records', { table, ids: [book.id] })).reported).toMatchObject({
        deleted: 1,
      });
    },
  );

  it.each(['legacy', 'modern'] as const)(
    'MCP requests with the %s protocol need no session on the gateways and the control plane',
    async (era) => {
      for (const base of product.gateways)
        expect(await (await hold(openHttpClient(`${base}/mcp`, testUser.key, era))).listTools()).toEqual(
          DATA_TOOLS,
        );
      const projects = await hold(openHttpClient(`${product.control}/mcp`, token, era));
      expect((await projects.call('get_projects')).reported.projects).toHaveLength(1);
      expect(await (await hold(openStdioClient(rowsOf(gateway, testUser.key), era))).listTools()).toEqual(
        DATA_TOOLS,
      );
    },
  );

  it('a read-only key cannot use any MCP tool that writes over stdio', async () => {
    const key = await createKey(testUser, { name: 'reader', scopes: ['read', 'query', 'schema'] });
    const reader = await hold(openStdioClient(rowsOf(gateway, key.secret)));
    expect(await reader.listTools()).toEqual(['get_schema', 'query_database', 'read_records']);
    for (const [name, args] of [
      ['create_records', { records: [{ name: 'x' }] }],
      ['update_records', { filter: { id__gt: 0 }, values: { name: 'x' } }],
      ['delete_records', { filter: { id__gt: 0 } }],
    ] as const) {
      expect((await reader.call(name, { table: 'tags', ...args })).reported.error.code, name).toBe(
        'auth.scope',
      );
    }
    expect(
      (await reader.call('query_database', { query: 'DELETE FROM tags WHERE id > 0' })).reported.error.code,
    ).toBe('query.not_allowed');
  });

  it('the official MCP client finds no authorization server at the MCP address', async () => {
    for (const server of [gateway, product.control]) {
      for (const name of [
        'oauth-protected-resource',
        'oauth-protected-resource/mcp',
        'oauth-authorization-server',
        'openid-configuration',
      ]) {
        const { status, json } = await send(server, 'GET', `/.well-known/${name}`);
        expect([server, name, status, json]).toEqual([
          server,
          name,
          404,
          expect.objectContaining({ hint: expect.stringContaining('OAuth is not supported') }),
        ]);
      }
      expect(await discoverOAuthServerInfo(`${server}/mcp`)).toMatchObject({
        authorizationServerMetadata: undefined,
        resourceMetadata: undefined,
      });
    }
  });

  it("MCP gives a tenant no access to another tenant's project or rows", async () => {
    const rows = await hold(openHttpClient(`${gateway}/mcp`, testUser.key));
    const theirs = await hold(openHttpClient(`${gateway}/mcp`, outsider.key));
    const [tag] = (await rows.call('create_records', { table: 'tags', records: [{ name: 'of one' }] }))
      .reported.records;
    expect(
      (await theirs.call('read_records', { table: 'tags', filter: { name: 'of one' } })).reported.records,
    ).toEqual([]);
    expect((await theirs.call('delete_records', { table: 'tags', ids: [tag.id] })).reported.error.code).toBe(
      'record.not_found',
    );
    const strange = (await outsider.control.call('POST', '/api/tokens', { name: 'agent' })).json.token;
    const projects = await hold(openHttpClient(`${product.control}/mcp`, strange));
    for (const name of [
      'get_project_details',
      'get_project_schema',
      'get_deployed_schema',
      'deploy_project',
      'get_project_hosted_database_details',
    ]) {
      expect((await projects.call(name, { project_id: testUser.projectId })).reported.error.code, name).toBe(
        'resource.not_found',
      );
    }
    await expect(openHttpClient(`${gateway}/mcp`, token)).rejects.toThrow();
    await expect(openHttpClient(`${product.control}/mcp`, testUser.key)).rejects.toThrow();
  });

  it('the MCP servers pass the official 2026 suite over HTTP and the 2025 suite over stdio', async () => {
    const proxy = await startBearerProxy(`${gateway}/mcp`, testUser.key);
    const http = judgeChecks(
      await runConformance({ suite: 'conformance-2026', url: proxy.url, revision: '2026-07-28' }),
      { transport: 'http' },
    );
    await proxy.close();
    expect(http.failed).toEqual([]);
    expect(http.passed.length).toBeGreaterThan(40);
    const front = await startStdioFront(rowsOf(gateway, testUser.key));
    const stdio = judgeChecks(
      await runConformance({ suite: 'conformance-2025', url: front.url, revision: '2025-11-25' }),
      { transport: 'stdio' },
    );
    await front.close();
    expect(stdio.failed).toEqual([]);
    expect(stdio.passed.map((check) => check.scenario)).toEqual(
      expect.arrayContaining(['server-initialize', 'ping', 'tools-list']),
    );
  });
});
