import type { PoolAccount, PoolServer } from '../types.js';

/** A server to which no test connects. */
export const TEST_SERVER: PoolServer = {
  id: 'srv_1',
  host: 'a',
  port: 1,
  tls: 'off',
  engine: 'mariadb',
  connectionsMax: 8,
};

export const TEST_ACCOUNT: PoolAccount = { user: 'u', password: () => 'p', schema: 's', connectionsMax: 2 };
