// @ts-check
/**
 * Creates two tenants, an attacker and a victim, and one object of each kind for the victim, so that attempts
 * can name its id.
 */
import { randomBytes } from 'node:crypto';
import { openAdmin } from '../faults/fault-stage.mjs';
import {
  createConnection,
  createKey,
  deploy,
  expectStatus,
  openControl,
  signIn,
  signUp,
  uniqueEmail,
} from '../support/control.mjs';
import { openApi } from '../support/http.mjs';
import { waitFor } from '../support/wait.mjs';
import { writeBlog } from '../support/schemas/blog.mjs';

/**
 * @typedef {import('../support/control.mjs').TestUser} User
 * @typedef {import('../support/control.mjs').Control} Control
 * @typedef {import('../support/http.mjs').HttpResponse} TestResponse
 * @typedef {{ control: string, gateways: readonly string[], admin: import('../faults/fault-stage.mjs').Admin, platform: import('../faults/fault-stage.mjs').Admin, redisUrl: string, operator: { email: string, password: string } }} IsolationEnvironment
 */

/** Both databases have these tables under the same names, so the text in a response shows whose row it is. */
const TABLES = `ALTER TABLE users ADD COLUMN shadow varchar(100) NULL;
  CREATE TABLE vault (id int AUTO_INCREMENT PRIMARY KEY, user_id int NULL, pin varchar(100) NOT NULL, FOREIGN KEY (user_id) REFERENCES users (id))`;

/** @param {IsolationEnvironment} environment */
export async function openIsolation(environment) {
  const mark = randomBytes(5).toString('hex');
  const base = String(environment.gateways[0]);
  const victim = await openTenant(environment, 'victim', `canary-victim-${mark}`);
  const attacker = await openTenant(environment, 'attacker', `own-attacker-${mark}`);
  const operator = await signIn(environment.control, environment.operator);
  const server = (await operator.call('GET', '/api/admin/servers')).json.items[0];
  const members = Object.fromEntries(
    await Promise.all(
      ['viewer', 'developer', 'admin'].map(async (role) => [
        role,
        await join(environment, victim.person, role),
      ]),
    ),
  );
  const ids = {
    ...(await listIds(victim)),
    server: server.id,
    'own project': attacker.person.projectId,
    'own database': attacker.person.development.id,
    'own organization': attacker.person.answer.organization.id,
  };
  const [admin, platform] = [await openAdmin(environment.admin), await openAdmin(environment.platform)];
  const tokenOf = async (/** @type {User} */ user) =>
    (await user.control.call('POST', '/api/tokens', { name: 'attempt' })).json;
  const token = await tokenOf(attacker.person);
  const limited = await limitKey(attacker, base);
  let count = 0;
  return {
    environment,
    base,
    victim,
    attacker,
    members,
    ids,
    admin,
    platform,
    limited,
    byToken: openControl(environment.control, { token: token.token }),
    victimToken: await tokenOf(victim.person),
    /** Returns a different text at each call. */
    unique: () => `${mark.slice(0, 4)}${(count += 1)}`,
    async close() {
      await Promise.all([admin.end(), platform.end()]);
    },
  };
}

/** @typedef {Awaited<ReturnType<typeof openIsolation>>} Isolation */

/** @param {IsolationEnvironment} environment @param {string} name @param {string} canary */
async function openTenant(environment, name, canary) {
  const user = await signUp(environment.control, { name });
  await deploy(user, TABLES);
  const api = openApi(String(environment.gateways[0]), user.key);
  await waitFor('the tables are served', async () => (await api.get('/vault')).status === 200);
  const { users, posts } = await writeBlog(api, canary);
  expectStatus(
    await api.post('/vault', { user_id: users.ann.id, pin: `pin ${canary}` }),
    [201],
    'fill the vault',
  );
  expectStatus(
    await api.call('PATCH', `/users/${users.ann.id}`, { body: { shadow: `shadow ${canary}` } }),
    [200],
    'fill the hidden column',
  );
  const platform = await openAdmin(environment.platform);
  const [rows] = await platform.query('SELECT schema_name FROM rowhouse_cell.tenant_database WHERE id = ?', [
    user.development.id,
  ]);
  await platform.end();
  return { person: user, api, canary, users, posts, schema: /** @type {any[]} */ (rows)[0].schema_name };
}

/** @typedef {Awaited<ReturnType<typeof openTenant>>} IsolatedTenant */

/**
 * Creates a member of the victim's organization.
 * @param {IsolationEnvironment} environment
 * @param {User} owner
 * @param {string} role
 * @returns {Promise<Control>}
 */
async function join(environment, owner, role) {
  const email = uniqueEmail(role);
  const invited = await owner.control.call(
    'POST',
    `/api/organizations/${owner.answer.organization.id}/invitations`,
    { email, role },
  );
  expectStatus(invited, [201], `invite a ${role}`);
  const control = openControl(environment.control);
  expectStatus(
    await control.call('POST', '/api/auth/signup', {
      email,
      password: `pass-${randomBytes(9).toString('hex')}`,
      invitation: invited.json.token,
    }),
    [201, 202],
    `sign up a ${role}`,
  );
  return control;
}

/** @param {IsolatedTenant} tenant @returns {Promise<Record<string, string>>} */
async function listIds(tenant) {
  const { person: user } = tenant;
  const migrations = await user.control.call('GET', `/api/databases/${user.development.id}/migrations`);
  const fresh = Object.fromEntries(
    await Promise.all(
      Object.entries(MAKERS).map(async ([name, make]) => [name, await make(tenant, `first${name}`)]),
    ),
  );
  return {
    ...fresh,
    project: user.projectId,
    database: user.development.id,
    organization: user.answer.organization.id,
    migration: migrations.json.items[0].id,
  };
}

/**
 * Functions that create what a call may delete, by name.
 * @type {Record<string, (tenant: IsolatedTenant, unique: string) => Promise<string>>}
 */
export const MAKERS = {
  key: async ({ person: user }) => (await createKey(user, { name: 'to be ended' })).id,
  connection: ({ person: user }, unique) =>
    makeConnection(user, unique.startsWith('first') ? 'kept' : 'to be ended'),
  synonym: ({ person: user }, unique) =>
    make(user, `/api/projects/${user.projectId}/synonyms`, {
      phrase: `people${unique.replaceAll(/[^a-z0-9]/g, '')}`,
      table: 'users',
    }),
  query: ({ person: user }, unique) =>
    make(user, `/api/databases/${user.development.id}/saved-queries`, {
      name: `query ${unique}`,
      query: 'SELECT 1',
    }),
  accepted: ({ person: user }, unique) =>
    make(user, `/api/databases/${user.development.id}/accepted-questions`, {
      question: `how many users ${unique}`,
      sql: 'SELECT COUNT(*) FROM users',
    }),
  share: ({ person: user }) => make(user, `/api/projects/${user.projectId}/share`, {}),
  invitation: ({ person: user }, unique) =>
    make(user, `/api/organizations/${user.answer.organization.id}/invitations`, {
      email: uniqueEmail(`i${unique}`.toLowerCase()),
      role: 'viewer',
    }),
  async file({ person: user }) {
    const id = await make(user, `/api/databases/${user.development.id}/export`, {});
    await waitFor(
      'the export',
      async () =>
        (await user.control.call('GET', `/api/projects/${user.projectId}/files/${id}`)).json.state ===
        'ready',
    );
    return id;
  },
};

/**
 * Creates a connection. Older ones of the same name are deleted, because a database has at most twenty.
 * @param {User} user
 * @param {string} name
 */
async function makeConnection(user, name) {
  const { items } = (await user.control.call('GET', `/api/databases/${user.development.id}/connections`))
    .json;
  for (const item of items)
    if (item.name === name) await user.control.call('DELETE', `/api/connections/${item.id}`);
  return (await createConnection(user, { name, role: 'read-only' })).id;
}

/** @param {User} user @param {string} path @param {unknown} body */
async function make(user, path, body) {
  const response = await user.control.call('POST', path, body);
  expectStatus(response, [200, 201, 202], `POST ${path}`);
  return String(response.json.id);
}

/**
 * Creates a key of the attacker with limited rights.
 * @param {IsolatedTenant} attacker
 * @param {string} base
 */
async function limitKey({ person: user }, base) {
  expectStatus(
    await user.control.call('PATCH', `/api/databases/${user.development.id}`, {
      settings: { hidden_columns: { users: ['shadow'] }, docs_enabled: true },
    }),
    [200],
    'hide a column',
  );
  const { secret } = await createKey(user, {
    name: 'limited',
    scopes: ['read', 'query', 'schema'],
    tables: { users: ['read'], posts: ['read'], comments: ['read'], tags: ['read'], post_tags: ['read'] },
  });
  await waitFor('the key is known', async () => {
    const response = await openApi(base, secret).get('/schema');
    return (
      response.status === 200 &&
      !response.text.includes('shadow') &&
      (await openApi(base, secret).query('SELECT 1')).status === 200
    );
  });
  return secret;
}

/**
 * Replaces each name in braces by the victim's id. For `{fresh key}`, first creates a new key of the victim.
 * @param {Isolation} s
 * @param {string} text
 * @returns {Promise<string>}
 */
export async function fillIn(s, text) {
  let filled = text;
  for (const [whole, name = ''] of text.matchAll(/\{([a-z ]+)\}/g)) {
    const value =
      name === 'unique'
        ? s.unique()
        : name.startsWith('fresh ')
          ? await MAKERS[name.slice(6)]?.(s.victim, s.unique())
          : s.ids[/** @type {keyof typeof s.ids} */ (name)];
    if (value === undefined) throw new Error(`nothing is called ${name}`);
    filled = filled.replace(whole, value);
  }
  return filled;
}
