// @ts-check
/** Provides two tenants, an attacker and a victim, and everything of the victim that an attempt may name. */
import { randomBytes } from 'node:crypto';
import { openAdmin } from '../faults/fault-stage.mjs';
import { createConnection, createKey, deploy, expectStatus, openControl, signIn, signUp, uniqueEmail } from '../support/control.mjs';
import { openApi } from '../support/http.mjs';
import { waitFor } from '../support/wait.mjs';
import { writeBlog } from '../support/blog.mjs';

/**
 * @typedef {import('../support/control.mjs').Person} Person
 * @typedef {import('../support/control.mjs').Control} Control
 * @typedef {import('../support/http.mjs').Answer} Answer
 * @typedef {{ control: string, gateways: readonly string[], admin: import('../faults/fault-stage.mjs').Admin, platform: import('../faults/fault-stage.mjs').Admin, redisUrl: string, operator: { email: string, password: string } }} IsolationPlace
 */

/** Both databases have these tables under the same names, so the text in a response shows whose row it is. */
const TABLES = `ALTER TABLE users ADD COLUMN shadow varchar(100) NULL;
  CREATE TABLE vault (id int AUTO_INCREMENT PRIMARY KEY, user_id int NULL, pin varchar(100) NOT NULL, FOREIGN KEY (user_id) REFERENCES users (id))`;

/** @param {IsolationPlace} place */
export async function openIsolation(place) {
  const mark = randomBytes(5).toString('hex');
  const base = String(place.gateways[0]);
  const victim = await openTenant(place, 'victim', `canary-victim-${mark}`);
  const attacker = await openTenant(place, 'attacker', `own-attacker-${mark}`);
  const operator = await signIn(place.control, place.operator);
  const server = (await operator.call('GET', '/api/admin/servers')).json.items[0];
  const members = Object.fromEntries(await Promise.all(['viewer', 'developer', 'admin'].map(async (role) => [role, await join(place, victim.person, role)])));
  const ids = { ...(await listIds(victim)), server: server.id, 'own project': attacker.person.projectId, 'own database': attacker.person.development.id, 'own organization': attacker.person.answer.organization.id };
  const [admin, platform] = [await openAdmin(place.admin), await openAdmin(place.platform)];
  const tokenOf = async (/** @type {Person} */ person) => (await person.control.call('POST', '/api/tokens', { name: 'attempt' })).json;
  const token = await tokenOf(attacker.person);
  const limited = await limitKey(attacker, base);
  let count = 0;
  return {
    place, base, victim, attacker, members, ids, admin, platform, limited,
    byToken: openControl(place.control, { token: token.token }),
    victimToken: await tokenOf(victim.person),
    /** Returns a different text at each call. */
    unique: () => `${mark.slice(0, 4)}${(count += 1)}`,
    async close() {
      await Promise.all([admin.end(), platform.end()]);
    },
  };
}

/** @typedef {Awaited<ReturnType<typeof openIsolation>>} Isolation */

/** @param {IsolationPlace} place @param {string} name @param {string} canary */
async function openTenant(place, name, canary) {
  const person = await signUp(place.control, { name });
  await deploy(person, TABLES);
  const api = openApi(String(place.gateways[0]), person.key);
  await waitFor('the tables are served', async () => (await api.get('/vault')).status === 200);
  const { users, posts } = await writeBlog(api, canary);
  expectStatus(await api.post('/vault', { user_id: users.ann.id, pin: `pin ${canary}` }), [201], 'fill the vault');
  expectStatus(await api.call('PATCH', `/users/${users.ann.id}`, { body: { shadow: `shadow ${canary}` } }), [200], 'fill the hidden column');
  const platform = await openAdmin(place.platform);
  const [rows] = await platform.query('SELECT schema_name FROM rowhouse_cell.tenant_database WHERE id = ?', [person.development.id]);
  await platform.end();
  return { person, api, canary, users, posts, schema: /** @type {any[]} */ (rows)[0].schema_name };
}

/** @typedef {Awaited<ReturnType<typeof openTenant>>} IsolatedTenant */

/**
 * Creates a member of the victim's organization.
 * @param {IsolationPlace} place
 * @param {Person} owner
 * @param {string} role
 * @returns {Promise<Control>}
 */
async function join(place, owner, role) {
  const email = uniqueEmail(role);
  const invited = await owner.control.call('POST', `/api/organizations/${owner.answer.organization.id}/invitations`, { email, role });
  expectStatus(invited, [201], `invite a ${role}`);
  const control = openControl(place.control);
  expectStatus(await control.call('POST', '/api/auth/signup', { email, password: `pass-${randomBytes(9).toString('hex')}`, invitation: invited.json.token }), [201, 202], `sign up a ${role}`);
  return control;
}

/** @param {IsolatedTenant} tenant @returns {Promise<Record<string, string>>} */
async function listIds(tenant) {
  const { person } = tenant;
  const migrations = await person.control.call('GET', `/api/databases/${person.development.id}/migrations`);
  const fresh = Object.fromEntries(await Promise.all(Object.entries(MAKERS).map(async ([name, make]) => [name, await make(tenant, `first${name}`)])));
  return { ...fresh, project: person.projectId, database: person.development.id, organization: person.answer.organization.id, migration: migrations.json.items[0].id };
}

/**
 * Functions that create what a call may delete, by name.
 * @type {Record<string, (tenant: IsolatedTenant, unique: string) => Promise<string>>}
 */
export const MAKERS = {
  key: async ({ person }) => (await createKey(person, { name: 'to be ended' })).id,
  connection: ({ person }, unique) => makeConnection(person, unique.startsWith('first') ? 'kept' : 'to be ended'),
  synonym: ({ person }, unique) => make(person, `/api/projects/${person.projectId}/synonyms`, { phrase: `people${unique.replaceAll(/[^a-z0-9]/g, '')}`, table: 'users' }),
  query: ({ person }, unique) => make(person, `/api/databases/${person.development.id}/saved-queries`, { name: `query ${unique}`, query: 'SELECT 1' }),
  accepted: ({ person }, unique) => make(person, `/api/databases/${person.development.id}/accepted-questions`, { question: `how many users ${unique}`, sql: 'SELECT COUNT(*) FROM users' }),
  share: ({ person }) => make(person, `/api/projects/${person.projectId}/share`, {}),
  invitation: ({ person }, unique) => make(person, `/api/organizations/${person.answer.organization.id}/invitations`, { email: uniqueEmail(`i${unique}`.toLowerCase()), role: 'viewer' }),
  async file({ person }) {
    const id = await make(person, `/api/databases/${person.development.id}/export`, {});
    await waitFor('the export', async () => (await person.control.call('GET', `/api/projects/${person.projectId}/files/${id}`)).json.state === 'ready');
    return id;
  },
};

/**
 * Creates a connection. Older ones of the same name are deleted, because a database has at most twenty.
 * @param {Person} person
 * @param {string} name
 */
async function makeConnection(person, name) {
  const { items } = (await person.control.call('GET', `/api/databases/${person.development.id}/connections`)).json;
  for (const one of items) if (one.name === name) await person.control.call('DELETE', `/api/connections/${one.id}`);
  return (await createConnection(person, { name, role: 'read-only' })).id;
}

/** @param {Person} person @param {string} path @param {unknown} body */
async function make(person, path, body) {
  const answer = await person.control.call('POST', path, body);
  expectStatus(answer, [200, 201, 202], `POST ${path}`);
  return String(answer.json.id);
}

/**
 * Creates a key of the attacker with limited rights.
 * @param {IsolatedTenant} attacker
 * @param {string} base
 */
async function limitKey({ person }, base) {
  expectStatus(await person.control.call('PATCH', `/api/databases/${person.development.id}`, { settings: { hidden_columns: { users: ['shadow'] }, docs_enabled: true } }), [200], 'hide a column');
  const { secret } = await createKey(person, { name: 'limited', scopes: ['read', 'query', 'schema'], tables: { users: ['read'], posts: ['read'], comments: ['read'], tags: ['read'], post_tags: ['read'] } });
  await waitFor('the key is known', async () => {
    const answer = await openApi(base, secret).get('/schema');
    return answer.status === 200 && !answer.text.includes('shadow') && (await openApi(base, secret).query('SELECT 1')).status === 200;
  });
  return secret;
}

/**
 * Fills in the names in braces. An object for `{fresh …}` is created.
 * @param {Isolation} s
 * @param {string} text
 * @returns {Promise<string>}
 */
export async function fillIn(s, text) {
  let filled = text;
  for (const [whole, name = ''] of text.matchAll(/\{([a-z ]+)\}/g)) {
    const value = name === 'unique' ? s.unique() : name.startsWith('fresh ') ? await MAKERS[name.slice(6)]?.(s.victim, s.unique()) : s.ids[/** @type {keyof typeof s.ids} */ (name)];
    if (value === undefined) throw new Error(`nothing is called ${name}`);
    filled = filled.replace(whole, value);
  }
  return filled;
}
