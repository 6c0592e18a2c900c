// @ts-check
/** A second database server behind a slow wire, with a tenant of its own: what happens to it must not reach the first one's. */
import { join } from 'node:path';
import { findMariadb } from '@rowhouse/local/find-servers';
import { findFreePort } from '@rowhouse/local/free-port';
import { createTerminalReport } from '@rowhouse/local/report';
import { createServerAccounts } from '@rowhouse/local/server-accounts';
import { makePassword, startMysqlServer } from '@rowhouse/local/start-mysql-server';
import { startTcpProxy } from '@rowhouse/testkit';
import { expectStatus, signIn, signUp } from '../support/control.mjs';
import { openLedgerTenant } from './fault-stage.mjs';

/**
 * @param {import('./fault-stage.mjs').Place} place
 * @param {{ email: string, password: string }} operator
 * @param {{ homeDir?: string }} [options] `homeDir`: of its data
 */
export async function startSecondServer(place, operator, { homeDir = join(place.dataDir, 'second') } = {}) {
  const options = { engine: /** @type {const} */ ('mariadb'), program: await findMariadb(createTerminalReport()), homeDir, logFile: join(place.dataDir, 'logs', 'second.log'), port: await findFreePort(), password: makePassword() };
  let server = await startMysqlServer(options);
  const wire = await startTcpProxy('127.0.0.1', options.port);
  const stop = async () => {
    await wire.stop();
    if (!server.child.exited) process.kill(server.child.pid, 'SIGCONT');
    await server.stop(5_000);
  };
  const registered = await register(place, operator, { ...options, wirePort: wire.port }).catch(async (/** @type {unknown} */ err) => {
    await stop();
    throw err;
  });
  const { admin, control, id, first } = registered;
  return {
    admin, wire, control, homeDir, id, stop,
    /** A tenant whose databases lie here. */
    async openTenant(/** @type {string} */ name) {
      expectStatus(await control.call('PATCH', `/api/admin/servers/${first.id}`, { state: 'draining' }), [200], 'drain');
      const person = await signUp(place.control, { name, starter: 'empty' });
      expectStatus(await control.call('PATCH', `/api/admin/servers/${first.id}`, { state: 'active' }), [200], 'take back');
      return openLedgerTenant(place, person, admin);
    },
    pause: () => void process.kill(server.child.pid, 'SIGSTOP'),
    resume: () => void process.kill(server.child.pid, 'SIGCONT'),
    isRunning: () => !server.child.exited,
    /** In order, as for maintenance. */
    async restart() {
      await server.stop(20_000);
      server = await startMysqlServer(options);
    },
  };
}

/** @typedef {Awaited<ReturnType<typeof startSecondServer>>} SecondServer */

/** Makes it known to the product. @param {import('./fault-stage.mjs').Place} place @param {{ email: string, password: string }} operator @param {{ port: number, password: string, wirePort: number }} options */
async function register(place, operator, options) {
  const admin = { host: '127.0.0.1', port: options.port, user: 'root', password: options.password };
  const passwords = { provisioner: makePassword(), observer: makePassword() };
  await createServerAccounts(admin, { engine: 'mariadb', accountHost: '127.0.0.1', provisionerPassword: passwords.provisioner, observerPassword: passwords.observer });
  const control = await signIn(place.control, operator);
  const added = await control.call('POST', '/api/admin/servers', {
    name: 'second', host: '127.0.0.1', port: options.wirePort, tls: 'off',
    provisioner: { user: 'rh_provisioner', password: passwords.provisioner }, observer: { user: 'rh_observer', password: passwords.observer },
  });
  expectStatus(added, [201], 'add a server');
  const first = (await control.call('GET', '/api/admin/servers')).json.items.find((/** @type {any} */ one) => one.name !== 'second');
  return { admin, control, id: added.json.id, first };
}
