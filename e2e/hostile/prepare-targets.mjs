// @ts-check
import { randomBytes } from 'node:crypto';
import mysql from 'mysql2/promise';
import { writeBlog } from '../support/schemas/blog.mjs';
import { createKey, deploy, expectStatus, signUp } from '../support/control.mjs';
import { openApi } from '../support/http.mjs';
import { waitFor } from '../support/wait.mjs';

/**
 * A tenant to whose key an attacker has access, with data that the key may not see, and a second tenant.
 * @typedef {object} AttackTarget
 * @property {string} base
 * @property {import('./make-hostile.mjs').HostileContext} context
 * @property {string[]} canaries texts of rows that no response may contain
 * @property {string[]} secrets names that a response may contain only where the request does
 * @property {() => Promise<string>} checksum returns a checksum of every row, the victim's too
 */

/**
 * @param {{ control: string, gateways: readonly string[], mysql: { host: string, port: number, user: string, password: string } }} product
 * @param {number} count
 * @returns {Promise<{ targets: AttackTarget[], close: () => Promise<void> }>}
 */
export async function prepareTargets(product, count) {
  const { host, port, user, password } = product.mysql;
  const admin = await mysql.createConnection({ host, port, user, password });
  const victim = await prepareVictim(product);
  const victimSchema = await findSchema(admin, 'victim_notes');
  /** @type {AttackTarget[]} */
  const targets = [];
  for (let index = 0; index < count; index += 1)
    targets.push(await prepareTarget(product, admin, index, victim, victimSchema));
  return { targets, close: () => admin.end() };
}

/**
 * @param {import('mysql2/promise').Connection} admin
 * @param {string} table a table that only one database has
 */
async function findSchema(admin, table) {
  const [rows] = await admin.query(
    'SELECT table_schema AS name FROM information_schema.tables WHERE table_name = ?',
    [table],
  );
  const schemas = /** @type {{ name: string }[]} */ (rows);
  return schemas.at(-1)?.name ?? '';
}

/** @param {Parameters<typeof prepareTargets>[0]} product */
async function prepareVictim(product) {
  const mark = `canary-victim-${randomBytes(6).toString('hex')}`;
  const user = await signUp(product.control, { name: 'victim' });
  await deploy(
    user,
    'CREATE TABLE victim_notes (id int AUTO_INCREMENT PRIMARY KEY, note varchar(100) NOT NULL)',
  );
  const api = openApi(String(product.gateways[0]), user.key);
  await waitFor('the table is served', async () => (await api.get('/victim-notes')).status === 200);
  await writeBlog(api, mark);
  expectStatus(await api.post('/victim-notes', { note: mark }), [201], 'write the note');
  return { mark, person: user };
}

/**
 * @param {Parameters<typeof prepareTargets>[0]} product
 * @param {import('mysql2/promise').Connection} admin
 * @param {number} index
 * @param {Awaited<ReturnType<typeof prepareVictim>>} victim
 * @param {string} victimSchema
 * @returns {Promise<AttackTarget>}
 */
async function prepareTarget(product, admin, index, victim, victimSchema) {
  const tail = randomBytes(3).toString('hex');
  const [vault, pin, hidden] = [`vault_${tail}`, `pin_${tail}`, `shadow_${tail}`];
  const canaries = ['vault', 'shadow'].map((name) => `canary-${name}-${randomBytes(6).toString('hex')}`);
  const user = await signUp(product.control, { name: 'hostile' });
  await deploy(
    user,
    `ALTER TABLE users ADD COLUMN ${hidden} varchar(100) NULL;
    CREATE TABLE things (id int AUTO_INCREMENT PRIMARY KEY, name varchar(200) NOT NULL, data json NULL, place point NULL, amount decimal(12,3) NULL, kind enum('small','large') NULL, at datetime NULL, \`order\` int NULL, bytes blob NULL, FULLTEXT KEY words (name));
    CREATE TABLE ${vault} (id int AUTO_INCREMENT PRIMARY KEY, user_id int NOT NULL, ${pin} varchar(100) NOT NULL, FOREIGN KEY (user_id) REFERENCES users (id))`,
  );
  const settings = await user.control.call('PATCH', `/api/databases/${user.development.id}`, {
    settings: { hidden_columns: { users: [hidden] }, regex_enabled: true },
  });
  expectStatus(settings, [200], 'hide a column');
  const base = String(product.gateways[index % product.gateways.length]);
  const own = openApi(base, user.key);
  await waitFor(
    'the tables are served',
    async () => (await own.get(`/${vault.replace('_', '-')}`)).status === 200,
  );
  const { users } = await writeBlog(own, `own${tail}`);
  await own.post('/things', {
    name: 'some words',
    data: { a: 1 },
    amount: 1.5,
    kind: 'small',
    at: '2024-01-01T00:00:00',
    place: { type: 'Point', coordinates: [1, 2] },
  });
  expectStatus(
    await own.post(`/${vault.replace('_', '-')}`, { user_id: users.ann.id, [pin]: canaries[0] }),
    [201],
    'fill the vault',
  );
  expectStatus(
    await own.call('PATCH', `/users/${users.ann.id}`, { body: { [hidden]: canaries[1] } }),
    [200],
    'fill the hidden column',
  );
  const rights = Object.fromEntries(
    ['users', 'posts', 'comments', 'tags', 'post_tags', 'things'].map((table) => [
      table,
      ['read', 'write', 'delete'],
    ]),
  );
  const { secret } = await createKey(user, { name: 'attacker', tables: rights });
  await waitFor(
    'the key is known',
    async () =>
      (await openApi(base, secret).get('/posts')).status === 200 &&
      !(await openApi(base, secret).get('/schema')).text.includes(hidden),
  );
  const schema = await findSchema(admin, vault);
  const names = {
    vault,
    pin,
    hidden,
    schema,
    victimSchema,
    victimId: victim.person.development.id,
    victimSlug: victim.person.development.docs_slug,
  };
  const tables = await listTables(admin, [schema, victimSchema]);
  return {
    base,
    context: {
      key: secret,
      host: new URL(base).host,
      victimKey: `${victim.person.key.slice(0, -1)}${victim.person.key.endsWith('0') ? '1' : '0'}`,
      names,
    },
    canaries: [...canaries, victim.mark],
    secrets: [vault, pin, hidden, schema, victimSchema, victim.person.key],
    checksum: async () => JSON.stringify((await admin.query(`CHECKSUM TABLE ${tables.join(', ')}`))[0]),
  };
}

/** @param {import('mysql2/promise').Connection} admin @param {string[]} schemas */
async function listTables(admin, schemas) {
  const [rows] = await admin.query(
    "SELECT table_schema AS s, table_name AS t FROM information_schema.tables WHERE table_schema IN (?) AND table_type = 'BASE TABLE' ORDER BY 1, 2",
    [schemas],
  );
  return /** @type {{ s: string, t: string }[]} */ (rows).map(({ s, t }) => `\`${s}\`.\`${t}\``);
}
