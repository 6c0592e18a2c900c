import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { TestDatabase } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCellDataSource, createGlobalDataSource } from './data-sources.js';
import { prepareInstallation } from '../testing/start-test-control-plane.js';

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
let databases: TestDatabase[];
let env: Record<string, string>;
let folder: string;
const children: ChildProcess[] = [];

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

function start(
  entry: string,
  args: readonly string[] = [],
  changed: Record<string, string> = {},
): { child: ChildProcess; ended: Promise<Ended>; output: () => string } {
  const child = spawn(process.execPath, [join(dist, entry), ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...env, ...changed },
  });
  children.push(child);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += String(chunk)));
  child.stderr.on('data', (chunk: Buffer) => (output += String(chunk)));
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code) => resolve({ code, output }));
  });
  return { child, ended, output: () => output };
}
const run = (
  entry: string,
  args: readonly string[] = [],
  changed: Record<string, string> = {},
): Promise<Ended> => start(entry, args, changed).ended;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'control-plane-'));
  await mkdir(join(folder, 'console', 'assets'), { recursive: true });
  await writeFile(join(folder, 'console', 'index.html'), '<!doctype html><title>Console</title>');
  await writeFile(join(folder, 'console', 'assets', 'index-abc123.js'), 'export {};');
  await writeFile(join(folder, 'console', 'assets', 'index-abc123.js.gz'), gzipSync('export {}; // small'));
  ({ databases, env } = await prepareInstallation({
    CONSOLE_DIR: join(folder, 'console'),
    CONTROL_PORT: '0',
    METRICS_PORT: '0',
  }));
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  for (const database of databases ?? []) await database.drop();
  await rm(folder, { recursive: true, force: true });
});

describe('platform migrations', () => {
  it('platform migrations create all tables and can run twice', async () => {
    expect(await run('platform-db/migrate.js')).toMatchObject({ code: 0 });
    expect(await run('platform-db/migrate.js')).toMatchObject({ code: 0 });
  });
  it('the entity classes of the platform database match its tables', async () => {
    for (const [create, url] of [
      [createGlobalDataSource, env['PLATFORM_GLOBAL_URL']],
      [createCellDataSource, env['PLATFORM_CELL_URL']],
    ] as const) {
      const source = await (await create(url as string)).initialize();
      try {
        const { upQueries } = await source.driver.createSchemaBuilder().log();
        expect(upQueries.map((query) => query.query)).toEqual([]);
      } finally {
        await source.destroy();
      }
    }
  });
  it('platform migrations insert the cell, its routing slots and the change log head', async () => {
    const source = await (await createGlobalDataSource(env['PLATFORM_GLOBAL_URL'] as string)).initialize();
    const ranges = await source.query('SELECT first_slot, last_slot, cell_id FROM slot_range');
    const cells = await source.query('SELECT id FROM cell');
    await source.destroy();
    expect(ranges).toEqual([{ first_slot: 0, last_slot: 65_535, cell_id: env['ROWHOUSE_CELL'] }]);
    expect(cells).toEqual([{ id: env['ROWHOUSE_CELL'] }]);
  });
  it('platform migrations reject a changed secret and name its variable', async () => {
    const other = Buffer.alloc(32, 7).toString('base64url');
    for (const name of ['ROWHOUSE_MASTER_KEY', 'ROWHOUSE_PEPPER']) {
      const { code, output } = await run('platform-db/migrate.js', [], { [name]: other });
      expect(code).toBe(1);
      expect(output).toContain(name);
    }
    expect(await run('main.js', [], { ROWHOUSE_PEPPER: other })).toMatchObject({ code: 1 });
  });
});

describe('register-server', () => {
  const server = {
    name: 'local',
    host: '127.0.0.1',
    port: 3306,
    public_host: '127.0.0.1',
    public_port: 3306,
    tls: 'off',
    provisioner: { user: 'p', password: 'first' },
    observer: { user: 'o', password: 'o' },
  };
  const register = async (body: unknown): Promise<Ended> => {
    const file = join(folder, 'server.json');
    await writeFile(file, JSON.stringify(body));
    return run('admin/register-server.js', ['--file', file]);
  };

  it('register-server adds a server once and then updates it by name', async () => {
    const first = await register(server);
    expect(first.code).toBe(0);
    expect(first.output).not.toContain('first');
    const second = await register({ ...server, port: 3399, provisioner: { user: 'p', password: 'second' } });
    expect(JSON.parse(second.output.trim().split('\n').at(-1) ?? '{}').id).toBe(
      JSON.parse(first.output.trim().split('\n').at(-1) ?? '{}').id,
    );
    const source = await (await createCellDataSource(env['PLATFORM_CELL_URL'] as string)).initialize();
    const rows = await source.query('SELECT name, port FROM server');
    const tasks = await source.query("SELECT kind FROM task WHERE state = 'queued'");
    await source.destroy();
    expect(rows).toEqual([{ name: 'local', port: 3399 }]);
    expect(tasks).toEqual([{ kind: 'probe_server' }, { kind: 'probe_server' }]);
  });
  it('register-server rejects a remote server without TLS', async () => {
    const rejected = await register({ ...server, name: 'far', host: '10.0.0.5' });
    expect(rejected.code).toBe(1);
    expect(rejected.output).toContain('loopback');
  });
});

describe('the process', () => {
  it('the control plane serves console and API, and stops on SIGTERM with open connections', async () => {
    const { child, ended, output } = start('main.js');
    await expect.poll(output, { timeout: 20_000 }).toContain('control plane is listening');
    const line = output()
      .split('\n')
      .find((item) => item.includes('control plane is listening')) as string;
    const { port, ops_port: opsPort } = JSON.parse(line) as { port: number; ops_port: number };
    const base = `http://127.0.0.1:${port}`;
    expect((await fetch(`http://127.0.0.1:${opsPort}/readyz`)).status).toBe(200);
    expect(await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text()).toContain(
      'rowhouse_control_request_seconds',
    );
    await expectConsole(base);
    await expectApiDescription(base);
    // An open keep-alive connection must not delay the stop of the process.
    await fetch(`${base}/api/me`, { headers: { connection: 'keep-alive' } });
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0 });
    expect(output()).not.toContain('stop deadline passed');
    for (const secret of ['ROWHOUSE_MASTER_KEY', 'ROWHOUSE_PEPPER', 'PLATFORM_CELL_URL'])
      expect(output()).not.toContain(env[secret]);
  });
  it('the control plane reports every problem of its environment and exits', async () => {
    const { code, output } = await run('main.js', [], {
      ROWHOUSE_PEPPER: 'short',
      CONTROL_PUBLIC_URL: 'nowhere',
      SIGNUP: 'perhaps',
    });
    expect(code).toBe(78);
    for (const name of ['ROWHOUSE_PEPPER', 'CONTROL_PUBLIC_URL', 'SIGNUP']) expect(output).toContain(name);
  });
});

async function expectConsole(base: string): Promise<void> {
  const page = await fetch(`${base}/projects/prj_x/keys`);
  expect(page.status).toBe(200);
  expect(page.headers.get('cache-control')).toBe('no-cache');
  expect(page.headers.get('content-security-policy')).toContain(
    "default-src 'self';connect-src 'self' http://127.0.0.1:8;",
  );
  expect(await page.text()).toContain('<title>Console</title>');
  const lost = await fetch(`${base}/v1/-/posts`);
  expect([lost.status, await lost.json()]).toEqual([
    404,
    expect.objectContaining({
      code: 'request.not_found',
      hint: 'The data API is served at http://127.0.0.1:8/v1/-/.',
    }),
  ]);
  const asset = await fetch(`${base}/assets/index-abc123.js`);
  expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  const small = await fetch(`${base}/assets/index-abc123.js`, { headers: { 'accept-encoding': 'gzip' } });
  expect(small.headers.get('content-encoding')).toBe('gzip');
  expect(small.headers.get('content-type')).toContain('javascript');
  expect(await small.text()).toBe('export {}; // small');
  const plain = await fetch(`${base}/assets/index-abc123.js`, { headers: { 'accept-encoding': 'identity' } });
  expect(await plain.text()).toBe('export {};');
  expect((await fetch(`${base}/assets/index-gone.js`)).status).toBe(404);
  const robots = await fetch(`${base}/robots.txt`);
  expect(robots.headers.get('content-type')).toContain('text/plain');
  expect(await robots.text()).toContain('Disallow: /');
  for (const path of [
    '/api/nothing',
    '/api',
    '/.well-known',
    '/.well-known/security.txt',
    '/%2e%2e/%2e%2e/etc/passwd?x',
  ]) {
    const res = await fetch(`${base}${path}`);
    expect(await res.text()).not.toContain('root:');
    if (path.startsWith('/api')) expect(res.status).toBe(404);
  }
}

async function expectApiDescription(base: string): Promise<void> {
  const document = (await (await fetch(`${base}/api/openapi.json`)).json()) as {
    openapi: string;
    paths: Record<string, Record<string, { summary: string; operationId: string; responses: object }>>;
  };
  expect(document.openapi).toBe('3.1.0');
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  expect(operations.length).toBeGreaterThan(40);
  for (const operation of operations) expect(operation.summary.length).toBeGreaterThan(5);
  expect(document.paths['/api/projects/{id}/deploy']?.['post']?.operationId).toBe('deploySchema');
}
