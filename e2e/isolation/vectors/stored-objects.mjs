// @ts-check
/**
 * Attempts by stored objects that would run with more privileges than their author has, and by keys and
 * connections that a removed member created.
 */
import mysql from 'mysql2/promise';
import {
  beginDeploy,
  createConnection,
  createKey,
  openControl,
  waitForMigration,
} from '../../support/control.mjs';
import { openApi } from '../../support/http.mjs';
import { SESSIONS } from '@rowhouse/local/servers/mysql-admin';
import { attempt } from '../attempt.mjs';
import { invite, openFormerMember, isKeyStillAccepted } from '../leaving-stage.mjs';

/** @typedef {import('../attempt.mjs').Isolation} Isolation */
/** @typedef {{ user: string, password: string, host: string, port: number, database: string }} Login */

const VECTOR = 'stored objects';

/**
 * Runs SQL over a new connection of the attacker with this role, and revokes the connection.
 * @template T
 * @param {Isolation} s
 * @param {'owner' | 'read-write' | 'read-only'} role
 * @param {(session: mysql.Connection) => Promise<T>} callback
 */
async function overConnection(s, role, callback) {
  const created = await createConnection(s.attacker.person, { name: `objects ${s.unique()}`, role });
  const session = await openSession(created);
  try {
    return await callback(session);
  } finally {
    session.destroy();
    await s.attacker.person.control.call('DELETE', `/api/connections/${created.id}`);
  }
}

/** @param {Login} login */
async function openSession({ host, port, user, password, database }) {
  const session = await mysql.createConnection({ host, port, user, password, database });
  session.on('error', () => undefined);
  return session;
}

/**
 * Deploys to the attacker's database. Accepts the loss of objects that an earlier attempt left there.
 * @param {Isolation} s
 * @param {string} sql
 */
async function deploy(s, sql) {
  const { person: user } = s.attacker;
  const { state, error } = await waitForMigration(user.control, await beginDeploy(user, sql));
  if (state !== 'published') throw new Error(`the deploy ended ${state}: ${JSON.stringify(error)}`);
}

/** @param {Isolation} s @param {string} sql @param {unknown[]} [values] @returns {Promise<any[]>} */
async function ask(s, sql, values = []) {
  const [found] = await s.admin.query(sql, values);
  return /** @type {any[]} */ (found);
}

/** @param {Isolation} s @param {string} schema @param {string} table */
const hasTable = async (s, schema, table) =>
  (
    await ask(s, 'SELECT 1 FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?', [
      schema,
      table,
    ])
  ).length > 0;

/**
 * `{n}` stands for a new name and `{o}` for the attacker's schema. An attempt has succeeded if the table
 * `{n}t` exists in `schema`.
 */
const DYNAMIC = [
  {
    body: 'CREATE PROCEDURE {n}(IN x TEXT) EXECUTE IMMEDIATE x',
    call: "CALL {n}('CREATE TABLE {n}t (a int)')",
    schema: '{o}',
  },
  {
    body: 'CREATE PROCEDURE {n}(IN x TEXT) BEGIN PREPARE s FROM x; EXECUTE s; END',
    call: "CALL {n}('CREATE TABLE {n}t (a int)')",
    schema: '{o}',
  },
  {
    body: 'CREATE PROCEDURE {n}(IN x TEXT) BEGIN DECLARE EXIT HANDLER FOR SQLEXCEPTION EXECUTE IMMEDIATE x; SIGNAL SQLSTATE "45000"; END',
    call: "CALL {n}('CREATE TABLE {n}t (a int)')",
    schema: '{o}',
  },
].map(({ body, call, schema }) =>
  attempt(VECTOR, ['bodies', 'definer account'], `a deployed ${body}, called as ${call}`, (s) =>
    callDeployed(s, { body, call, schema }),
  ),
);

/** Routines without dynamic SQL, with DDL that a caller with the role read-write may not run. */
const STATIC = [
  'CREATE TABLE {n}t (a int)',
  'CREATE TABLE {n}t LIKE users',
  'CREATE OR REPLACE TABLE {n}t (a int)',
  'CREATE TABLE {n}t AS SELECT id FROM users',
].map((ddl) =>
  attempt(VECTOR, ['definer account'], `a deployed procedure with ${ddl}`, (s) =>
    callDeployed(s, { body: `CREATE PROCEDURE {n}() ${ddl}`, call: 'CALL {n}()', schema: '{o}' }),
  ),
);

/** @param {Isolation} s @param {{ body: string, call: string, schema: string }} plan */
async function callDeployed(s, { body, call, schema }) {
  const name = `p${s.unique()}`;
  const put = (/** @type {string} */ text) =>
    text.replaceAll('{n}', name).replaceAll('{o}', s.attacker.schema);
  try {
    await deploy(s, `${put(body)};`);
  } catch {
    return false;
  }
  await overConnection(s, 'read-write', async (session) => {
    for (const statement of put(call).split(/; (?=CALL)/))
      await session.query(statement).catch(() => undefined);
  });
  return hasTable(s, put(schema), `${name}t`);
}

/**
 * Triggers and views, which also run with the privileges of their definer.
 * @type {readonly (readonly [string, string, string])[]}
 */
const IDENTITIES = [
  [
    'a deployed trigger',
    'CREATE TABLE {n}t (id int PRIMARY KEY, who varchar(200)); CREATE TRIGGER {n} BEFORE INSERT ON {n}t FOR EACH ROW SET NEW.who = CURRENT_USER()',
    'INSERT INTO {n}t (id) VALUES (1)',
  ],
  [
    'a deployed view',
    'CREATE TABLE {n}t (id int PRIMARY KEY, who varchar(200)); CREATE VIEW {n} AS SELECT CURRENT_USER() AS who',
    'INSERT INTO {n}t SELECT 1, who FROM {n}',
  ],
  [
    'a deployed function',
    'CREATE TABLE {n}t (id int PRIMARY KEY, who varchar(200)); CREATE FUNCTION {n}() RETURNS varchar(200) DETERMINISTIC RETURN CURRENT_USER()',
    'INSERT INTO {n}t SELECT 1, {n}()',
  ],
];
const RUN_AS_MIGRATOR = IDENTITIES.map(([what, schema, use]) =>
  attempt(VECTOR, ['definer account'], `${what} that runs as the migrator`, async (s) => {
    const name = `i${s.unique()}`;
    const put = (/** @type {string} */ text) => text.replaceAll('{n}', name);
    await deploy(s, `${put(schema)};`);
    await overConnection(s, 'read-write', (session) => session.query(put(use)));
    const [row] = await ask(s, `SELECT who FROM ${s.attacker.schema}.${name}t`);
    return String(row?.who).startsWith(`${s.attacker.schema}m@`);
  }),
);

/**
 * The platform reads the schema with an account that may read every tenant's rows. A view of the attacker
 * calls a function with that account's privileges.
 */
const TRAP = attempt(
  VECTOR,
  ['routines by deploy'],
  "a function that reads the victim's rows when the platform looks at a view",
  async (s) => {
    const name = `v${s.unique()}`;
    await deploy(s, `CREATE TABLE ${name}t (id int AUTO_INCREMENT PRIMARY KEY, loot text);`);
    await overConnection(s, 'owner', async (session) => {
      const body = `BEGIN DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN END; INSERT INTO ${s.attacker.schema}.${name}t (loot) SELECT pin FROM ${s.victim.schema}.vault LIMIT 1; RETURN 1; END`;
      await session
        .query(
          `CREATE FUNCTION ${name}f(w int) RETURNS int DETERMINISTIC MODIFIES SQL DATA SQL SECURITY INVOKER ${body}`,
        )
        .catch(() => undefined);
      await session
        .query(`CREATE SQL SECURITY INVOKER VIEW ${name} AS SELECT ROUND(1.5, ${name}f(1)) AS x`)
        .catch(() => undefined);
      // A key for one table has its own account. To set the account's privileges, the platform reads the
      // schema, which runs the trap.
      await createKey(s.attacker.person, {
        name,
        scopes: ['read', 'query'],
        tables: { [`${name}t`]: ['read'] },
      });
      await session.query(`DROP VIEW IF EXISTS ${name}`).catch(() => undefined);
    });
    return JSON.stringify(await ask(s, `SELECT loot FROM ${s.attacker.schema}.${name}t`)).includes(
      s.victim.canary,
    );
  },
);

/** MariaDB crashes on a routine that drops itself, and only bodies in a deployment are checked. */
const ROUTINE = attempt(
  VECTOR,
  ['routines by deploy'],
  'a routine that an owner creates over a connection',
  (s) =>
    overConnection(s, 'owner', async (session) => {
      const name = `r${s.unique()}`;
      const isCreated = await session.query(`CREATE PROCEDURE ${name}(IN x TEXT) EXECUTE IMMEDIATE x`).then(
        () => true,
        () => false,
      );
      if (isCreated) await session.query(`DROP PROCEDURE ${name}`);
      return isCreated;
    }),
);

/**
 * Creates each kind of credential as a member. The returned function tells whether the credential still
 * works.
 * @type {Record<string, (s: Isolation, control: import('../../support/control.mjs').Control) => Promise<() => Promise<boolean>>>}
 */
const SECRETS = {
  'an API key': async (s, control) => {
    const created = await control.call('POST', `/api/databases/${s.victim.person.development.id}/keys`, {
      name: 'left behind',
    });
    return () => isKeyStillAccepted(s, created.json.secret);
  },
  'an API key that the member rotated': async (s, control) => {
    const { id } = await createKey(s.victim.person, { name: 'rotated' });
    const created = await control.call('POST', `/api/keys/${id}/rotate`, { overlap_seconds: 0 });
    return () => isKeyStillAccepted(s, created.json.secret);
  },
  'a connection': async (s, control) => {
    const created = await control.call(
      'POST',
      `/api/databases/${s.victim.person.development.id}/connections`,
      { name: `left ${s.unique()}`, role: 'read-only' },
    );
    return () => logsIn(created.json);
  },
  'a connection that the member rotated': async (s, control) => {
    const { id } = await createConnection(s.victim.person, {
      name: `turned ${s.unique()}`,
      role: 'read-only',
    });
    const created = await control.call('POST', `/api/connections/${id}/rotate`, { overlap_seconds: 0 });
    return async () => {
      const isIn = await logsIn(created.json);
      await s.victim.person.control.call('DELETE', `/api/connections/${id}`);
      return isIn;
    };
  },
  'a share link': async (s, control) => {
    const created = await control.call('POST', `/api/projects/${s.victim.person.projectId}/share`, {});
    return async () =>
      (await s.attacker.person.control.call('GET', `/api/clone/${created.json.token}`)).status === 200;
  },
};

/** @param {Login} login */
async function logsIn(login) {
  const session = await openSession(login).catch(() => null);
  session?.destroy();
  return session !== null;
}

const LEFT = Object.entries(SECRETS).map(([what, make]) =>
  attempt('what a removed member leaves', ['credentials of members'], what, async (s) => {
    const formerMember = await openFormerMember(s);
    const { control, answer } = s.victim.person;
    await invite(control, answer.organization.id, formerMember, 'admin');
    const works = await make(s, formerMember.control);
    await control.call('DELETE', `/api/organizations/${answer.organization.id}/members/${formerMember.id}`);
    return works();
  }),
);

/**
 * Checks every account, grant, session, definer and event through which a removed member could still act in a
 * database.
 */
const SEARCH = attempt(
  'what a removed member leaves',
  ['credentials of members', 'adopted objects'],
  'anything at all that an exhaustive search finds',
  async (s) => {
    const formerMember = await openFormerMember(s);
    const { control, answer, development } = s.victim.person;
    await invite(control, answer.organization.id, formerMember, 'admin');
    const works = await Promise.all(Object.values(SECRETS).map((make) => make(s, formerMember.control)));
    const token = (await formerMember.control.call('POST', '/api/tokens', { name: 'left' })).json.token;
    const minted = (await formerMember.control.call('POST', `/api/databases/${development.id}/session-key`))
      .json.secret;
    const owner = (
      await formerMember.control.call('POST', `/api/databases/${development.id}/connections`, {
        name: `owner ${s.unique()}`,
        role: 'owner',
      })
    ).json;
    const name = `l${s.unique()}`;
    const session = await openSession(owner);
    await session.query(`CREATE TABLE ${name}t (id int PRIMARY KEY, a varchar(100))`);
    await session.query(`CREATE VIEW ${name}v AS SELECT * FROM vault`);
    await session.query(
      `CREATE TRIGGER ${name}r BEFORE INSERT ON ${name}t FOR EACH ROW SET NEW.a = CURRENT_USER()`,
    );
    await session.query("SET PASSWORD = PASSWORD('a password of its own')").catch(() => undefined);
    await control.call('DELETE', `/api/organizations/${answer.organization.id}/members/${formerMember.id}`);
    const found = [];
    for (const callback of works) if (await callback()) found.push('a secret');
    if (await isKeyStillAccepted(s, minted)) found.push('a session key');
    for (const caller of [formerMember.control, openControl(s.environment.control, { token })]) {
      for (const path of [
        `/api/projects/${s.victim.person.projectId}`,
        `/api/databases/${development.id}`,
        `/api/organizations/${answer.organization.id}/members`,
      ]) {
        if ((await caller.call('GET', path)).status === 200) found.push(path);
      }
    }
    for (const password of [owner.password, 'a password of its own'])
      if (await logsIn({ ...owner, password })) found.push('an account');
    if (
      await session.query('SELECT 1').then(
        () => true,
        () => false,
      )
    )
      found.push('a session');
    session.destroy();
    found.push(...(await searchServer(s, owner.user)));
    await openApi(s.base, s.victim.person.key).get('/health');
    for (const statement of [`DROP VIEW IF EXISTS ${name}v`, `DROP TABLE IF EXISTS ${name}t`])
      await s.admin.query(`USE ${s.victim.schema}`).then(() => s.admin.query(statement));
    return found.length > 0;
  },
);

/**
 * Lists the accounts, grants, sessions, definers and events in which the server still knows the user.
 * @param {Isolation} s
 * @param {string} user
 */
async function searchServer(s, user) {
  /** @type {Record<string, string>} */
  const locations = {
    account: 'SELECT 1 FROM mysql.user WHERE User = ?',
    grant: "SELECT 1 FROM information_schema.SCHEMA_PRIVILEGES WHERE GRANTEE = CONCAT('''', ?, '''@''%''')",
    session: `SELECT 1 FROM ${SESSIONS} WHERE USER = ?`,
    view: "SELECT 1 FROM information_schema.VIEWS WHERE DEFINER = CONCAT(?, '@%')",
    trigger: "SELECT 1 FROM information_schema.TRIGGERS WHERE DEFINER = CONCAT(?, '@%')",
    routine: "SELECT 1 FROM information_schema.ROUTINES WHERE DEFINER = CONCAT(?, '@%')",
    event: "SELECT 1 FROM information_schema.EVENTS WHERE DEFINER = CONCAT(?, '@%')",
  };
  const found = [];
  for (const [what, sql] of Object.entries(locations))
    if ((await ask(s, sql, [user])).length > 0) found.push(`a ${what}`);
  return found;
}

/**
 * Needs no connection string: a deployed view calls a deployed function, which runs with the privileges of
 * the account that reads the view.
 */
const DEPLOYED_TRAP = attempt(
  VECTOR,
  ['functions as their definer'],
  'a deployed function that the platform runs as its own account',
  async (s) => {
    const name = `d${s.unique()}`;
    const body = `BEGIN DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN END; INSERT INTO ${name}t (who) VALUES (CURRENT_USER()); RETURN 1; END`;
    const sql = `CREATE TABLE ${name}t (id int AUTO_INCREMENT PRIMARY KEY, who varchar(200));
    CREATE FUNCTION ${name}f(w int) RETURNS int DETERMINISTIC MODIFIES SQL DATA SQL SECURITY INVOKER ${body};
    CREATE SQL SECURITY INVOKER VIEW ${name} AS SELECT ROUND(1.5, ${name}f(1)) AS x;`;
    if (
      !(await deploy(s, sql).then(
        () => true,
        () => false,
      ))
    )
      return false;
    await createKey(s.attacker.person, {
      name,
      scopes: ['read', 'query'],
      tables: { [`${name}t`]: ['read'] },
    });
    const callers = await ask(s, `SELECT DISTINCT who FROM ${s.attacker.schema}.${name}t`);
    await deploy(s, `DROP VIEW ${name}; DROP FUNCTION ${name}f;`);
    return callers.some(
      ({ who }) => !String(who).startsWith(`${s.attacker.schema}d@`) && !String(who).startsWith('x'),
    );
  },
);

export const STORED_OBJECTS = [
  ...DYNAMIC,
  ...STATIC,
  ...RUN_AS_MIGRATOR,
  TRAP,
  DEPLOYED_TRAP,
  ROUTINE,
  ...LEFT,
  SEARCH,
];
