// @ts-check
/** Guards that the database server enforces. A GRANT turns them off, so no program has to be changed. */
import { openOwner } from './vectors/sql.mjs';

/** @typedef {import('./stage.mjs').Isolation} Isolation */
/** @typedef {{ down: () => Promise<void>, up: () => Promise<void> }} DatabaseGuard */

/**
 * @param {Isolation} s
 * @returns {Promise<{ guards: Record<string, DatabaseGuard>, owner: Awaited<ReturnType<typeof openOwner>> }>}
 */
export async function openDatabaseGuards(s) {
  const owner = await openOwner(s.attacker);
  const [rows] = await s.platform.query(
    "SELECT user_name AS user FROM rowhouse_cell.database_account WHERE database_id = ? AND kind = 'query'",
    [s.attacker.person.development.id],
  );
  const readers = /** @type {{ user: string }[]} */ (rows).map(({ user }) => `'${user}'@'%'`);
  const owners = `'${owner.user}'@'%'`;
  const each = async (/** @type {(reader: string) => string} */ toSql) => {
    for (const reader of readers) await s.admin.query(toSql(reader));
  };
  return {
    owner,
    guards: {
      grants: {
        down: () => each((reader) => `GRANT SELECT ON ${s.victim.schema}.* TO ${reader}`),
        up: () => each((reader) => `REVOKE SELECT ON ${s.victim.schema}.* FROM ${reader}`),
      },
      'own grants': await ownGrants(s),
      'server rights': serverRights(s, owners),
      'platform account': {
        async down() {
          await s.platform.query('CREATE USER ?@? IDENTIFIED BY ?', [owner.user, '%', owner.password]);
          await s.platform.query('GRANT SELECT ON *.* TO ?@?', [owner.user, '%']);
        },
        up: async () => void (await s.platform.query('DROP USER ?@?', [owner.user, '%'])),
      },
      // While this guard is off, `lendIdempotency` copies records as if both tenants shared one table.
      'side schema': { down: async () => undefined, up: async () => undefined },
    },
  };
}

/**
 * Returns a guard for the privileges of an owner's account on the whole server.
 * @param {Isolation} s
 * @param {string} account
 * @returns {DatabaseGuard}
 */
function serverRights(s, account) {
  /** @type {string[]} */
  let before = [];
  return {
    async down() {
      const [rows] = await s.admin.query(`SHOW GRANTS FOR ${account}`);
      before = /** @type {Record<string, string>[]} */ (rows).map((row) => Object.values(row)[0] ?? '');
      await s.admin.query(`GRANT ALL PRIVILEGES ON *.* TO ${account} WITH GRANT OPTION`);
    },
    async up() {
      for (const right of ['ALL PRIVILEGES', 'GRANT OPTION'])
        await s.admin.query(`REVOKE ${right} ON *.* FROM ${account}`);
      // MySQL also revokes the privileges on schemas.
      for (const grant of before) if (!grant.startsWith('GRANT USAGE')) await s.admin.query(grant);
    },
  };
}

/**
 * Returns a guard for the limited key's account: the account has privileges for that key's tables only.
 * @param {Isolation} s
 * @returns {Promise<DatabaseGuard>}
 */
async function ownGrants(s) {
  const [rows] = await s.platform.query(
    "SELECT user_name AS user FROM rowhouse_cell.database_account WHERE database_id = ? AND kind = 'query' AND rights_hash <> ''",
    [s.attacker.person.development.id],
  );
  const limited = /** @type {{ user: string }[]} */ (rows).map(({ user }) => `'${user}'@'%'`);
  const each = async (/** @type {string} */ verb, /** @type {string} */ to) => {
    for (const reader of limited)
      await s.admin.query(`${verb} SELECT ON ${s.attacker.schema}.* ${to} ${reader}`);
  };
  return { down: () => each('GRANT', 'TO'), up: () => each('REVOKE', 'FROM') };
}
