import { randomBytes } from 'node:crypto';
import { runStatements, type MysqlAddress } from '@rowhouse/local/servers/mysql-admin';

export interface TestDatabase extends MysqlAddress {
  readonly name: string;
  /** Runs statements in order with the root account of the server. */
  readonly run: (statements: readonly string[]) => Promise<void>;
  /**
   * Creates an account with `rights` on this database and returns its name. The default for `rights` is
   * `ALL`. `login` is the clause after CREATE USER. The password is `secret` unless `login` sets another.
   */
  readonly addUser: (options?: { readonly rights?: string; readonly login?: string }) => Promise<string>;
  /** Drops the database and its accounts. */
  readonly drop: () => Promise<void>;
}

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/**
 * Returns a name that no other test uses. It contains only letters and digits, so it can be the name of a
 * schema in a GRANT, the name of an account or the id of a cell.
 */
export function makeUniqueName(prefix = 't', lengthMax = 16): string {
  const random = [...randomBytes(lengthMax)].map((byte) => BASE32[byte & 31] ?? 'a').join('');
  return `${prefix}${random}`.slice(0, lengthMax);
}

/** Creates an empty utf8mb4 database with a unique name. Drop it in `afterAll`. */
export async function createTestDatabase(server: MysqlAddress, prefix = 't'): Promise<TestDatabase> {
  const name = makeUniqueName(prefix, 20);
  const { host, port, user, password } = server;
  const address = { host, port, user, password };
  await runStatements(address, [`CREATE DATABASE \`${name}\` CHARACTER SET utf8mb4`]);
  const users: string[] = [];
  return {
    ...address,
    name,
    run: async (statements) => {
      await runStatements({ ...address, database: name }, statements);
    },
    addUser: async ({ rights = 'ALL', login = "IDENTIFIED BY 'secret'" } = {}) => {
      const own = makeUniqueName('u', 16);
      await runStatements(address, [
        `CREATE USER ${own} ${login}`,
        `GRANT ${rights} ON \`${name}\`.* TO ${own}`,
      ]);
      users.push(own);
      return own;
    },
    drop: async () => {
      await runStatements(address, [
        ...users.map((own) => `DROP USER IF EXISTS ${own}`),
        `DROP DATABASE IF EXISTS \`${name}\``,
      ]);
    },
  };
}
