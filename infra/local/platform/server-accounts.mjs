import { withConnection } from '../servers/mysql-admin.mjs';
import { listAccountStatements } from './platform-accounts.mjs';

/**
 * The privileges that the provisioner can pass on to a database's own accounts. FILE, SUPER and EVENT are not
 * among them.
 */
const GRANTABLE =
  'SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, DROP, INDEX, REFERENCES, CREATE VIEW, SHOW VIEW, TRIGGER, CREATE ROUTINE, ALTER ROUTINE, EXECUTE, LOCK TABLES, CREATE TEMPORARY TABLES';

/**
 * With these privileges, the provisioner creates accounts, sees all sessions in order to end some of them,
 * and sees all schemas.
 */
const PROVISIONER_EXTRA = 'CREATE USER, PROCESS, SHOW DATABASES, RELOAD';

/**
 * With this privilege, the provisioner ends sessions of others and can log in when the server is full. Not
 * every version or managed service has it.
 */
const CONNECTION_RIGHT = { mariadb: 'CONNECTION ADMIN', mysql: 'CONNECTION_ADMIN' };
/** The privilege to log in on MySQL's admin port. MariaDB's extra port needs none. */
const ADMIN_PORT_RIGHT = { mariadb: [], mysql: ['SERVICE_CONNECTION_ADMIN'] };
/**
 * When the worker rebuilds a table, it creates the table's triggers again with their original DEFINER.
 * Without these privileges, a table with triggers of another definer is not rebuilt.
 */
const DEFINER_RIGHTS = { mariadb: ['SET USER'], mysql: ['SET_ANY_DEFINER', 'ALLOW_NONEXISTENT_DEFINER'] };

/** The limit covers four workers with 24 jobs each, which hold up to four sessions, and their watchers. */
const PROVISIONER_CONNECTIONS_MAX = 400;
const OBSERVER_CONNECTIONS_MAX = 60;

/** The privilege to see prepared transactions that were left behind. MariaDB shows them to everyone. */
const PREPARED_RIGHT = { mariadb: [], mysql: ['XA_RECOVER_ADMIN'] };

/**
 * Creates the provisioner and observer accounts on a server that will host databases. The observer
 * sees every definition and no rows.
 * @param {import('../servers/mysql-admin.mjs').MysqlAddress} admin
 * @param {{engine: 'mariadb' | 'mysql', accountHost: string, provisionerPassword: string, observerPassword: string}} options
 * @returns {Promise<{refused: string[]}>} privileges that this server does not know or that `admin` may not
 *   grant
 */
export async function createServerAccounts(admin, options) {
  const { engine, accountHost } = options;
  const provisioner = `'rh_provisioner'@'${accountHost}'`;
  const observer = `'rh_observer'@'${accountHost}'`;
  /** @type {string[]} */
  const rejected = [];
  await withConnection(admin, async (connection) => {
    const required = [
      ...listAccountStatements('rh_provisioner', accountHost, options.provisionerPassword),
      ...listAccountStatements('rh_observer', accountHost, options.observerPassword),
      `ALTER USER ${provisioner} WITH MAX_USER_CONNECTIONS ${PROVISIONER_CONNECTIONS_MAX}`,
      `ALTER USER ${observer} WITH MAX_USER_CONNECTIONS ${OBSERVER_CONNECTIONS_MAX}`,
      `GRANT ${GRANTABLE} ON *.* TO ${provisioner} WITH GRANT OPTION`,
      `GRANT ${PROVISIONER_EXTRA} ON *.* TO ${provisioner}`,
      `GRANT PROCESS, REFERENCES ON *.* TO ${observer}`,
      `GRANT SELECT ON performance_schema.* TO ${observer}`,
    ];
    for (const statement of required) await connection.query(statement);
    const optional = [provisioner, observer].flatMap((account) =>
      [CONNECTION_RIGHT[engine], ...ADMIN_PORT_RIGHT[engine]].map((right) => ({ right, account })),
    );
    optional.push(
      ...[...DEFINER_RIGHTS[engine], ...PREPARED_RIGHT[engine]].map((right) => ({
        right,
        account: provisioner,
      })),
    );
    for (const { right, account } of optional) {
      await connection
        .query(`GRANT ${right} ON *.* TO ${account}`)
        .catch(() => rejected.push(`${right} for ${account}`));
    }
  });
  return { refused: rejected };
}
