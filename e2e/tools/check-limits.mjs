// @ts-check
/** Tests the limits of direct connections that docs/tools.md and the console's Connect page name. */
import mysql from 'mysql2/promise';
import { USER_SESSIONS_MAX } from '@rowhouse/contracts';
import { withSession } from './serve-both-engines.mjs';

/** @typedef {import('./serve-both-engines.mjs').Tenant} Tenant */

/**
 * Statements that the server must reject, with the limit that each one tests.
 * @type {{ limit: string, role: 'owner' | 'reader', sql: string }[]}
 */
const REJECTED = [
  { limit: 'CREATE DATABASE', role: 'owner', sql: 'CREATE DATABASE shadow' },
  { limit: 'Routines and events', role: 'owner', sql: 'CREATE PROCEDURE p () SELECT 1' },
  {
    limit: 'Routines and events',
    role: 'owner',
    sql: 'CREATE FUNCTION f () RETURNS int DETERMINISTIC RETURN 1',
  },
  { limit: 'Routines and events', role: 'owner', sql: 'CREATE EVENT e ON SCHEDULE EVERY 1 DAY DO SELECT 1' },
  { limit: 'Server rights', role: 'owner', sql: "CREATE USER 'x'@'%' IDENTIFIED BY 'Passw0rd!x'" },
  { limit: 'Server rights', role: 'owner', sql: "LOAD DATA INFILE '/etc/hostname' INTO TABLE tags (name)" },
  { limit: 'Server rights', role: 'owner', sql: 'FLUSH TABLES' },
  { limit: 'Roles', role: 'reader', sql: 'LOCK TABLES posts READ' },
  { limit: 'Roles', role: 'reader', sql: "INSERT INTO tags (name) VALUES ('x')" },
  { limit: 'Table engines', role: 'owner', sql: 'CREATE TABLE m (id int) ENGINE=MyISAM' },
];

/** @param {Tenant} tenant @returns {Promise<{ limit: string, holds: boolean, found: string }[]>} */
export async function checkLimits(tenant) {
  const found = [];
  for (const { limit, role, sql } of REJECTED)
    found.push({ limit, ...(await tryStatement(tenant[role], sql)) });
  found.push({ limit: 'Sessions', ...(await countSessions(tenant.owner)) });
  return found;
}

/** @param {Tenant['owner']} connection @param {string} sql */
function tryStatement(connection, sql) {
  return withSession(connection, async (session) => {
    try {
      await session.query(sql);
      return { holds: false, found: `${sql}: allowed` };
    } catch (err) {
      return { holds: true, found: `${sql}: ${/** @type {{ code?: string }} */ (err).code ?? 'refused'}` };
    }
  });
}

/** @param {Tenant['owner']} connection */
async function countSessions({ host, port, user, password, database }) {
  const open = [];
  try {
    for (let count = 0; count <= USER_SESSIONS_MAX; count += 1) {
      const session = await mysql
        .createConnection({ host, port, user, password, database })
        .catch((/** @type {{ code?: string }} */ err) => err);
      if (!('query' in session))
        return {
          holds: open.length === USER_SESSIONS_MAX,
          found: `${open.length} sessions, then ${session.code}`,
        };
      open.push(session);
    }
    return { holds: false, found: `${open.length} sessions` };
  } finally {
    for (const session of open) session.destroy();
  }
}
