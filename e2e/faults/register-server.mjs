// @ts-check
/** Registers another database server with a product. */
import { createServerAccounts } from '@rowhouse/local/platform/server-accounts';
import { makePassword } from '@rowhouse/local/servers/start-mysql-server';
import { expectStatus, signIn, signUp } from '../support/control.mjs';
import { openLedgerTenant } from './fault-stage.mjs';

/** @typedef {import('./fault-stage.mjs').Admin} Admin */

/**
 * Creates the accounts on `admin`'s server and registers it; the platform reaches it at `port`.
 * @param {import('./fault-stage.mjs').FaultEnvironment} environment
 * @param {{ email: string, password: string }} operator
 * @param {{ name: string, admin: Admin, port: number, nodes?: readonly { host: string, port: number }[] }} server
 *   `nodes` lists the other nodes of its cluster
 */
export async function registerServer(environment, operator, { name, admin, port, nodes }) {
  const passwords = { provisioner: makePassword(), observer: makePassword() };
  await createServerAccounts(admin, {
    engine: 'mariadb',
    accountHost: '127.0.0.1',
    provisionerPassword: passwords.provisioner,
    observerPassword: passwords.observer,
  });
  const control = await signIn(environment.control, operator);
  const added = await control.call('POST', '/api/admin/servers', {
    name,
    host: '127.0.0.1',
    port,
    tls: 'off',
    ...(nodes === undefined ? {} : { nodes }),
    provisioner: { user: 'rh_provisioner', password: passwords.provisioner },
    observer: { user: 'rh_observer', password: passwords.observer },
  });
  expectStatus(added, [201], 'add a server');
  const first = (await control.call('GET', '/api/admin/servers')).json.items.find(
    (/** @type {any} */ item) => item.name !== name,
  );
  return {
    control,
    /** @type {string} */
    id: added.json.id,
    /** Creates a tenant whose databases are on this server. */
    async openTenant(/** @type {string} */ tenant) {
      expectStatus(
        await control.call('PATCH', `/api/admin/servers/${first.id}`, { state: 'draining' }),
        [200],
        'drain',
      );
      const user = await signUp(environment.control, { name: tenant, starter: 'empty' });
      expectStatus(
        await control.call('PATCH', `/api/admin/servers/${first.id}`, { state: 'active' }),
        [200],
        'take back',
      );
      return openLedgerTenant(environment, user, admin);
    },
  };
}
