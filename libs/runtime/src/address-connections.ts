import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '@rowhouse/errors';
import { toNetwork } from './address-rates.js';
import { createNetworkTest } from './client-address.js';
import { createHeadDeadline } from './head-deadline.js';

export interface AddressConnectionsOptions {
  /** Open connections of one address, or of one IPv6 network of 64 bits. */
  readonly connectionsMax: number;
  /** Proxies stand for many clients and are not counted, nor is this machine. */
  readonly trustedNetworks: readonly string[];
  /** For each connection that has no place. */
  readonly onRefused?: () => void;
  /** So long a connection without a place may stay before the head of its request is there; 2 s unless said. */
  readonly toldMsMax?: number;
  /** Instead of this machine and `trustedNetworks`. */
  readonly isExempt?: (address: string) => boolean;
}

/** How many connections one client may keep open, whether it sends on them or not. */
export interface AddressConnections {
  /** For each request. Null: its connection has a place; else `limit.address` (429), and the connection is to end with the answer. */
  refuse(socket: Socket): AppError | null;
}

const THIS_MACHINE = ['127.0.0.0/8', '::1'];
/** Of a network, beyond its bound: so many are told why on their first request, what comes after them is closed. */
const TOLD_MAX = 32;
const RETRY_SECONDS = 2;

/** Counts the connections of `server` from now on. */
export function limitAddressConnections(server: Server, options: AddressConnectionsOptions): AddressConnections {
  const { connectionsMax, trustedNetworks, onRefused, toldMsMax, isExempt = createNetworkTest([...THIS_MACHINE, ...trustedNetworks]) } = options;
  const open = new Map<string, number>();
  const placeless = new WeakSet<Socket>();
  const expectHead = createHeadDeadline(server, toldMsMax);

  function settle(network: string, change: 1 | -1): number {
    const count = (open.get(network) ?? 0) + change;
    if (count === 0) open.delete(network);
    else open.set(network, count);
    return count;
  }

  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const network = toNetwork(address);
    if (network === null || isExempt(address)) return;
    const count = settle(network, 1);
    socket.once('close', () => settle(network, -1));
    if (count <= connectionsMax) return;
    onRefused?.();
    if (count > connectionsMax + TOLD_MAX) return void socket.destroy();
    placeless.add(socket);
    expectHead(socket);
  });
  return {
    refuse(socket) {
      if (!placeless.has(socket)) return null;
      return new AppError('limit.address', { retryAfterSeconds: RETRY_SECONDS, detail: `This address has ${connectionsMax} connections open already.`, hint: 'Close some, or send more requests on each.' });
    },
  };
}
