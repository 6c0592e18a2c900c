import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { findFreePort } from '../../local/processes/free-port.mjs';
import { withConnection } from '../../local/servers/mysql-admin.mjs';
import { isStillRunning } from '../../local/processes/process-identity.mjs';
import { chooseFastFolder } from '../../test-servers/start-test-servers.mjs';
import { root } from '../vitest-base.mjs';

/**
 * @typedef {object} Launched
 * @property {import('node:child_process').ChildProcess} child
 * @property {() => string} output
 * @property {Promise<number | null>} ended
 */

const dataDir = mkdtempSync(join(chooseFastFolder(), 'rowhouse-launcher-'));
/**
 * Ports that were free when this run started. A default port could be taken by another program at any time.
 */
const ports = { control: await findFreePort(), gateway: 0 };
ports.gateway = await findFreePort(new Set([ports.control]));
/** @type {Launched | null} */
let running = null;

/**
 * @param {string[]} [args]
 * @param {Record<string, string>} [env]
 * @returns {Launched}
 */
function launch(args = [], env = {}) {
  const {
    MYSQL_URL: _mysql,
    PLATFORM_MYSQL_URL: _platform,
    REDIS_URL: _redis,
    CONTROL_PORT: _control,
    GATEWAY_PORT: _gateway,
    ...rest
  } = process.env;
  const child = spawn(process.execPath, [join(root, 'infra', 'local', 'start.mjs'), ...args], {
    cwd: root,
    env: {
      ...rest,
      ROWHOUSE_DATA_DIR: dataDir,
      CONTROL_PORT: String(ports.control),
      GATEWAY_PORT: String(ports.gateway),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  return {
    child,
    output: () => output,
    ended: new Promise((resolve) => child.once('exit', (code) => resolve(code))),
  };
}

/**
 * @param {string[]} [args]
 * @param {Record<string, string>} [env]
 */
async function launchUntilUp(args, env) {
  running = launch(args, env);
  const { output, child } = running;
  while (!output().includes('Rowhouse is up')) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`the launcher ended:\n${output()}`);
    await sleep(50);
  }
  return running;
}

/** @returns {{name: string, pid: number, startTime: string}[]} */
function readProcesses() {
  return JSON.parse(readFileSync(join(dataDir, 'processes.json'), 'utf8'));
}

/** @param {ReturnType<typeof readProcesses>} processes @param {number} withinMs */
async function listSurvivors(processes, withinMs) {
  const deadlineMs = Date.now() + withinMs;
  while (processes.some((item) => isStillRunning(item)) && Date.now() < deadlineMs) await sleep(50);
  return processes.filter((item) => isStillRunning(item)).map((item) => item.name);
}

async function readFirstPost() {
  const run = JSON.parse(readFileSync(join(dataDir, 'run.json'), 'utf8'));
  const res = await fetch(`${run.gateway_url}/v1/-/posts/1?include=user,comments,tags`, {
    headers: { authorization: `Bearer ${run.demo.api_key}` },
  });
  return { status: res.status, run };
}

/** Expects that each database server rejects the accounts of the other one, including root. */
async function expectSeparateAccounts() {
  const { ports: own, passwords } = JSON.parse(readFileSync(join(dataDir, 'state.json'), 'utf8'));
  const tryIn = (/** @type {string} */ server, /** @type {string} */ user, /** @type {string} */ password) =>
    withConnection({ host: '127.0.0.1', port: own[server], user, password }, async () => 'in').catch(
      (err) => err.code,
    );
  const accounts = {
    platform: ['rh_migrate', 'rh_control', 'rh_worker', 'rh_gateway'],
    mysql: ['rh_provisioner', 'rh_observer'],
  };
  for (const [server, other] of /** @type {const} */ ([
    ['platform', 'mysql'],
    ['mysql', 'platform'],
  ])) {
    for (const user of accounts[server]) {
      const found = [await tryIn(server, user, passwords[user]), await tryIn(other, user, passwords[user])];
      expect([user, ...found]).toEqual([user, 'in', 'ER_ACCESS_DENIED_ERROR']);
    }
    const root = passwords[server === 'platform' ? 'platform_root' : 'root'];
    expect([server, await tryIn(server, 'root', root), await tryIn(other, 'root', root)]).toEqual([
      server,
      'in',
      'ER_ACCESS_DENIED_ERROR',
    ]);
  }
}

afterEach(async () => {
  if (running !== null && running.child.exitCode === null && running.child.signalCode === null) {
    running.child.kill('SIGTERM');
    await running.ended;
  }
  running = null;
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

describe('the launcher', () => {
  it('the launcher starts all processes, protects its secrets and prints a working command', async () => {
    const { output } = await launchUntilUp();
    const { status, run } = await readFirstPost();
    expect(status).toBe(200);
    expect(output()).toContain(run.console_url);
    expect(output()).toContain(`curl -H "Authorization: Bearer ${run.demo.api_key}"`);
    expect(Object.keys(run).sort()).toEqual(['console_url', 'control_url', 'demo', 'gateway_url']);
    expect(Object.keys(run.demo).sort()).toEqual([
      'api_key',
      'database_id',
      'docs_url',
      'email',
      'password',
      'project_id',
    ]);
    for (const file of ['run.json', 'demo.json', 'secrets.json', 'state.json'])
      expect([file, statSync(join(dataDir, file)).mode & 0o077]).toEqual([file, 0]);
    expect(
      readProcesses()
        .map((item) => item.name)
        .sort(),
    ).toEqual(['control-plane', 'gateway', 'mariadb', 'mariadb-platform', 'migration-worker', 'redis']);
    await expectSeparateAccounts();
  });

  it('the launcher rejects a second start of a used folder, and SIGTERM stops all processes', async () => {
    const first = await launchUntilUp();
    const processes = readProcesses();
    const second = launch();
    expect(await second.ended).toBe(1);
    expect(second.output()).toContain(`already running on ${dataDir} (process ${first.child.pid})`);
    const reset = launch(['--reset']);
    expect(await reset.ended).toBe(1);
    expect((await readFirstPost()).status).toBe(200);
    first.child.kill('SIGTERM');
    expect(await first.ended).toBe(0);
    expect(await listSurvivors(processes, 0)).toEqual([]);
  });

  it('the launcher restarts a process that was killed', async () => {
    await launchUntilUp();
    for (const name of ['gateway', 'redis', 'mariadb', 'mariadb-platform']) {
      const victim = readProcesses().find((item) => item.name === name);
      if (victim !== undefined) process.kill(victim.pid, 'SIGKILL');
    }
    const deadlineMs = Date.now() + 30_000;
    let status = 0;
    while (status !== 200 && Date.now() < deadlineMs) {
      await sleep(200);
      status = await readFirstPost().then(
        (answer) => answer.status,
        () => 0,
      );
    }
    expect(status).toBe(200);
  });

  it('a killed launcher leaves no orphaned process and can be started again', async () => {
    const first = await launchUntilUp();
    const processes = readProcesses();
    expect(processes).toHaveLength(6);
    first.child.kill('SIGKILL');
    await first.ended;
    expect(await listSurvivors(processes, 10_000)).toEqual([]);
    await launchUntilUp();
    expect((await readFirstPost()).status).toBe(200);
  });

  it('the launcher can be stopped during startup and started right after it was killed', async () => {
    for (const signal of /** @type {const} */ (['SIGTERM', 'SIGKILL'])) {
      const first = launch();
      while (!existsSync(join(dataDir, 'processes.json')) && first.child.exitCode === null) await sleep(5);
      await sleep(60);
      const processes = readProcesses();
      first.child.kill(signal);
      await first.ended;
      expect(await listSurvivors(processes, 3_000)).toEqual([]);
    }
    const second = await launchUntilUp();
    second.child.kill('SIGKILL');
    await launchUntilUp();
    expect((await readFirstPost()).status).toBe(200);
  });

  it('the launcher reports a requested port that another program is using', async () => {
    const port = await findFreePort();
    const other = createServer();
    await new Promise((resolve) => other.listen(port, '127.0.0.1', () => resolve(undefined)));
    const rejected = launch([], { CONTROL_PORT: String(port) });
    expect(await rejected.ended).toBe(1);
    expect(rejected.output()).toContain(`Port ${port} (control) is taken by another program.`);
    other.close();
  });

  it('a backup restored into a new folder keeps API keys, rows and accounts', async () => {
    await launchUntilUp();
    const { run } = await readFirstPost();
    let base = run.gateway_url;
    const call = (/** @type {string} */ method, /** @type {string} */ path, /** @type {unknown} */ body) =>
      fetch(`${base}/v1/-${path}`, {
        method,
        headers: { authorization: `Bearer ${run.demo.api_key}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    expect((await call('POST', '/tags', { name: 'kept in the backup' })).status).toBe(201);
    const command = (
      /** @type {string} */ name,
      /** @type {string[]} */ args,
      /** @type {string} */ folder,
    ) =>
      spawnSync(process.execPath, [join(root, 'infra', 'local', `${name}.mjs`), ...args], {
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], ROWHOUSE_DATA_DIR: folder },
      });
    const [backup, fresh] = [`${dataDir}-backup`, `${dataDir}-fresh`];
    try {
      expect(command('backup', [backup], dataDir)).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('Stop Rowhouse first'),
      });
      running?.child.kill('SIGTERM');
      await running?.ended;
      expect(command('backup', [backup], dataDir).stderr).toBe('');
      expect(command('restore', [backup], dataDir)).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('is not empty'),
      });
      expect(command('restore', [backup], fresh).stderr).toBe('');
      const keyBefore = JSON.parse(readFileSync(join(fresh, 'secrets.json'), 'utf8')).masterKey;
      expect(command('rotate-master-key', [], fresh).stderr).toBe('');
      await launchUntilUp([], {
        ROWHOUSE_DATA_DIR: fresh,
        GATEWAY_PORT: String(await findFreePort(new Set(Object.values(ports)))),
      });
      const moved = JSON.parse(readFileSync(join(fresh, 'run.json'), 'utf8'));
      base = moved.gateway_url;
      expect([
        base === run.gateway_url,
        moved.demo.docs_url.startsWith(`${base}/`),
        (await fetch(moved.demo.docs_url)).status,
      ]).toEqual([false, true, 200]);
      const retained = await call('GET', '/tags?name=kept%20in%20the%20backup', undefined);
      expect([retained.status, (await retained.json()).length]).toEqual([200, 1]);
      const login = (/** @type {string} */ password) =>
        fetch(`${run.control_url}/api/auth/login`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ email: run.demo.email, password }),
        });
      expect((await login(run.demo.password)).status).toBe(200);
      // The demo credentials that the next start prints work.
      expect(command('reset-password', [run.demo.email], fresh).stderr).toBe('');
      const { password } = JSON.parse(readFileSync(join(fresh, 'demo.json'), 'utf8'));
      expect([password === run.demo.password, (await login(password)).status]).toEqual([false, 200]);
      const secrets = JSON.parse(readFileSync(join(fresh, 'secrets.json'), 'utf8'));
      expect([secrets.previousMasterKeys, secrets.masterKey === keyBefore]).toEqual([undefined, false]);
      expect(command('verify-audit', [], fresh)).toMatchObject({
        status: 0,
        stdout: expect.stringContaining('The log is complete'),
      });
      running?.child.kill('SIGTERM');
      await running?.ended;
    } finally {
      for (const folder of [backup, fresh]) rmSync(folder, { recursive: true, force: true });
    }
  }, 240_000);

  it('`start --reset` creates a new installation in an emptied folder', async () => {
    await launchUntilUp();
    const before = (await readFirstPost()).run;
    running?.child.kill('SIGTERM');
    await running?.ended;
    await launchUntilUp(['--reset']);
    const after = (await readFirstPost()).run;
    expect(after.demo.project_id).not.toBe(before.demo.project_id);
    expect((await readFirstPost()).status).toBe(200);
    running?.child.kill('SIGTERM');
    await running?.ended;
    rmSync(join(dataDir, 'secrets.json'));
    const rejected = launch();
    expect(await rejected.ended).toBe(1);
    expect(rejected.output()).toContain('secrets.json is missing');
    expect(existsSync(join(dataDir, 'secrets.json'))).toBe(false);
  });
});
