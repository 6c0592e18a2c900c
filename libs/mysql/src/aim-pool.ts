import { connect, type Socket } from 'node:net';
import type { PlatformAddress } from '@rowhouse/contracts';
import type { Connection, Pool, PoolConnection, PoolOptions } from 'mysql2';
import { dropConnection } from './drop-connection.js';
import { toTlsOptions } from './to-tls-options.js';

type Place = PlatformAddress['nodes'][number];

/** Of several, so that the next is tried within the time that a call has. */
const CONNECT_TIMEOUT_MS = 1_000;
const LOOK_TIMEOUT_MS = 1_000;
const KEEP_ALIVE_AFTER_MS = 10_000;
const LOOK = 'SELECT @@GLOBAL.read_only AS is_read_only';
/** "is running with the --read-only option", "Running in read-only mode": what was a primary has become none. */
const READ_ONLY_NUMBERS = new Set([1290, 1836]);

/** The server takes no writes any more: nothing was done, and nothing will be on this connection. */
export function isReadOnlyServer(error: unknown): boolean {
  return READ_ONLY_NUMBERS.has(Number((error as { errno?: unknown } | null)?.errno));
}

/** An address to which a pool connects, and how: to be given to the driver, and the pool to `aim` before anything is taken from it. */
export interface AimedAddress {
  readonly options: PoolOptions;
  aim(pool: Pool): void;
}

/**
 * Of several hosts new connections go to the last one that took writes; one that says nothing to a new connection, or says
 * that it is read only, is left for the next. Nobody is told which of two that both take writes is the right one: that is for
 * whatever makes them primaries to prevent. `firstAt`: where to begin, by the place in the list.
 */
export function aimAddress(address: PlatformAddress, firstAt = 0): AimedAddress {
  const { nodes, user, password, database } = address;
  const login = { user, password, ...(database === '' ? {} : { database }), ...(address.tls === 'required' ? { ssl: toTlsOptions() } : {}) };
  const [only] = nodes;
  if (only !== undefined && nodes.length === 1) return { options: { ...login, host: only.host, port: only.port }, aim: () => undefined };
  const book = createBook(nodes, firstAt);
  return { options: { ...login, ...book.current(), connectTimeout: CONNECT_TIMEOUT_MS, stream: book.open }, aim: (pool) => aimPool(pool, book, nodes.length) };
}

interface Book {
  current(): Place;
  /** New connections go elsewhere, unless they do already. */
  leave(place: Place): void;
  /** The driver's own hook: it hands over the settings of this one connection. */
  readonly open: (given: { readonly config: { host?: string; port?: number } }) => Socket;
}

function createBook(nodes: readonly Place[], firstAt: number): Book {
  let at = firstAt;
  const current = (): Place => nodes[at % nodes.length] as Place;
  const leave = ({ host, port }: Place): void => {
    if (current().host === host && current().port === port) at += 1;
  };
  return {
    current,
    leave,
    open({ config }) {
      const place = current();
      // The certificate is checked against this name, and the connection is known by it.
      Object.assign(config, place);
      const socket = connect({ ...place, noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_AFTER_MS });
      socket.once('close', () => {
        if (socket.bytesRead === 0) leave(place);
      });
      return socket;
    },
  };
}

/** From then on the pool gives out connections that have said they take writes, or fails with what the last one tried had. */
function aimPool(pool: Pool, book: Book, tries: number): void {
  const take = pool.getConnection.bind(pool);
  const fit = new WeakSet<PoolConnection>();
  type Done = Parameters<Pool['getConnection']>[0];

  const attempt = (left: number, done: Done): void => {
    take((error, connection) => {
      if (error !== null) return void (left > 1 && isUnreachable(error) ? attempt(left - 1, done) : done(error, connection));
      if (fit.has(connection)) return void done(null, connection);
      connection.query({ sql: LOOK, timeout: LOOK_TIMEOUT_MS }, (fault: NodeJS.ErrnoException | null, rows: unknown) => {
        const refusal = fault ?? (isReadOnly(rows) ? toReadOnlyFault() : null);
        if (refusal === null) {
          fit.add(connection);
          return void done(null, connection);
        }
        book.leave(placeOf(connection));
        dropConnection(connection);
        if (left > 1) attempt(left - 1, done);
        else done(refusal, connection);
      });
    });
  };
  pool.getConnection = (done) => attempt(tries, done);
}

/** As `open` has noted it. */
function placeOf(connection: Connection): Place {
  const { host, port } = (connection as unknown as { readonly config: Place }).config;
  return { host, port };
}

/** Nothing was said at all; a server that refuses the account, or has no room, is there. */
function isUnreachable(error: NodeJS.ErrnoException): boolean {
  return !('sqlState' in error) && error.code !== 'POOL_CLOSED' && error.code !== undefined;
}

function isReadOnly(rows: unknown): boolean {
  return Number((rows as readonly { readonly is_read_only?: unknown }[])[0]?.is_read_only) !== 0;
}

function toReadOnlyFault(): NodeJS.ErrnoException {
  return Object.assign(new Error('none of the servers that the address names takes writes'), { code: 'ECONNREFUSED', errno: 0 });
}
