import { OPTION_PREVENTS_STATEMENT, SERVER_IS_READ_ONLY } from '@rowhouse/errors';
import { connect, type Socket } from 'node:net';
import type { PlatformAddress } from '@rowhouse/contracts';
import type { Connection, Pool, PoolConnection, PoolOptions } from 'mysql2';
import { toTlsOptions, dropConnection } from '../session/driver-connection.js';

type NodeEndpoint = PlatformAddress['nodes'][number];

/**
 * The connect timeout if there are several servers. It is short, so that one call has time to try the next
 * server.
 */
const CONNECT_TIMEOUT_MS = 1_000;
const CHECK_TIMEOUT_MS = 1_000;
const KEEP_ALIVE_AFTER_MS = 10_000;
const CHECK = 'SELECT @@GLOBAL.read_only AS is_read_only';
/**
 * The errors "is running with the --read-only option" and "Running in read-only mode". They mean that the
 * server is no longer the primary.
 */
const READ_ONLY_NUMBERS = new Set([OPTION_PREVENTS_STATEMENT, SERVER_IS_READ_ONLY]);

/**
 * Returns whether the server rejected a write because it is read-only. The statement did nothing, but the
 * connection is useless for further writes.
 */
export function isReadOnlyServer(error: unknown): boolean {
  return READ_ONLY_NUMBERS.has(Number((error as { errno?: unknown } | null)?.errno));
}

/**
 * The driver options for an address with one or more hosts. Pass the pool that has these options to `aim`
 * before its first use.
 */
export interface AimedAddress {
  readonly options: PoolOptions;
  aim(pool: Pool): void;
}

/**
 * Selects a server among several hosts. New connections go to the host that last accepted writes. A host is
 * skipped if it does not respond or is read-only. If two hosts accept writes, the choice is arbitrary; the
 * failover tool must prevent that state.
 * @param firstIndex the index of the first host to try
 */
export function aimAddress(address: PlatformAddress, firstIndex = 0): AimedAddress {
  const { nodes, user, password, database } = address;
  const login = {
    user,
    password,
    ...(database === '' ? {} : { database }),
    ...(address.tls === 'required' ? { ssl: toTlsOptions() } : {}),
  };
  const [only] = nodes;
  if (only !== undefined && nodes.length === 1)
    return { options: { ...login, host: only.host, port: only.port }, aim: () => undefined };
  const choice = createHostChoice(nodes, firstIndex);
  return {
    options: { ...login, ...choice.current(), connectTimeout: CONNECT_TIMEOUT_MS, stream: choice.open },
    aim: (pool) => aimPool(pool, choice, nodes.length),
  };
}

interface HostChoice {
  current(): NodeEndpoint;
  /** Directs new connections to another host, unless they already go there. */
  leave(endpoint: NodeEndpoint): void;
  /** The driver's hook that receives the settings of one connection. */
  readonly open: (provided: { readonly config: { host?: string; port?: number } }) => Socket;
}

function createHostChoice(nodes: readonly NodeEndpoint[], firstIndex: number): HostChoice {
  let index = firstIndex;
  const current = (): NodeEndpoint => nodes[index % nodes.length] as NodeEndpoint;
  const leave = ({ host, port }: NodeEndpoint): void => {
    if (current().host === host && current().port === port) index += 1;
  };
  return {
    current,
    leave,
    open({ config }) {
      const endpoint = current();
      // The driver verifies the certificate against this host name, and `endpointOf` reads the name later.
      Object.assign(config, endpoint);
      const socket = connect({
        ...endpoint,
        noDelay: true,
        keepAlive: true,
        keepAliveInitialDelay: KEEP_ALIVE_AFTER_MS,
      });
      socket.once('close', () => {
        if (socket.bytesRead === 0) leave(endpoint);
      });
      return socket;
    },
  };
}

/**
 * Makes the pool return only connections to a host that accepts writes. If there is no such host, it fails
 * with the error of the last host tried.
 */
function aimPool(pool: Pool, choice: HostChoice, attempts: number): void {
  const getConnection = pool.getConnection.bind(pool);
  const checked = new WeakSet<PoolConnection>();
  type Done = Parameters<Pool['getConnection']>[0];

  const attempt = (remaining: number, done: Done): void => {
    getConnection((error, connection) => {
      if (error !== null)
        return void (remaining > 1 && isUnreachable(error)
          ? attempt(remaining - 1, done)
          : done(error, connection));
      if (checked.has(connection)) return void done(null, connection);
      connection.query(
        { sql: CHECK, timeout: CHECK_TIMEOUT_MS },
        (fault: NodeJS.ErrnoException | null, rows: unknown) => {
          const rejection = fault ?? (isReadOnly(rows) ? toReadOnlyFault() : null);
          if (rejection === null) {
            checked.add(connection);
            return void done(null, connection);
          }
          choice.leave(endpointOf(connection));
          dropConnection(connection);
          if (remaining > 1) attempt(remaining - 1, done);
          else done(rejection, connection);
        },
      );
    });
  };
  pool.getConnection = (done) => attempt(attempts, done);
}

/** Returns the address that `open` stored in the settings of the connection. */
function endpointOf(connection: Connection): NodeEndpoint {
  const { host, port } = (connection as unknown as { readonly config: NodeEndpoint }).config;
  return { host, port };
}

/**
 * Returns whether the server did not respond at all. A server that rejects the account or has no free
 * connection is reachable.
 */
function isUnreachable(error: NodeJS.ErrnoException): boolean {
  return !('sqlState' in error) && error.code !== 'POOL_CLOSED' && error.code !== undefined;
}

function isReadOnly(rows: unknown): boolean {
  return Number((rows as readonly { readonly is_read_only?: unknown }[])[0]?.is_read_only) !== 0;
}

function toReadOnlyFault(): NodeJS.ErrnoException {
  return Object.assign(new Error('none of the servers in the address accepts writes'), {
    code: 'ECONNREFUSED',
    errno: 0,
  });
}
