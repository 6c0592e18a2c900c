import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '@rowhouse/errors';
import { createHeadDeadline, createNetworkTest, THIS_MACHINE, toNetwork } from '@rowhouse/runtime';

export interface AddressConnectionsOptions {
  /** The maximum number of open connections for one IP address, or for one IPv6 network of 64 bits. */
  readonly connectionsMax: number;
  /**
   * The networks of proxies, each of which serves many clients. They are not limited. Neither is this
   * machine.
   */
  readonly trustedNetworks: readonly string[];
  /** Called for each rejected connection. */
  readonly onRejected?: () => void;
  /**
   * The maximum time in milliseconds for which a rejected connection waits for the end of its request
   * headers. The default is 2 s.
   */
  readonly responseMsMax?: number;
  /**
   * Reports whether an address has no limit. It replaces the default, which is this machine and
   * `trustedNetworks`.
   */
  readonly isExempt?: (address: string) => boolean;
}

/** Limits the number of open connections of each client, whether they are in use or not. */
export interface AddressConnections {
  /**
   * Call it for each request. Returns null if the request's connection was accepted. Otherwise returns
   * `limit.address` (429), and the connection must be closed after the response.
   */
  reject(socket: Socket): AppError | null;
}

/**
 * The maximum number of rejected connections per network that receive an error response. Further ones are
 * closed immediately.
 */
const REJECTED_MAX = 32;
const RETRY_SECONDS = 2;

/** Limits the connections of `server` from now on. */
export function limitAddressConnections(
  server: Server,
  options: AddressConnectionsOptions,
): AddressConnections {
  const {
    connectionsMax,
    trustedNetworks,
    onRejected,
    responseMsMax,
    isExempt = createNetworkTest([...THIS_MACHINE, ...trustedNetworks]),
  } = options;
  const open = new Map<string, number>();
  const excess = new WeakSet<Socket>();
  const expectHead = createHeadDeadline(server, responseMsMax);

  function count(network: string, change: 1 | -1): number {
    const connections = (open.get(network) ?? 0) + change;
    if (connections === 0) open.delete(network);
    else open.set(network, connections);
    return connections;
  }

  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const network = toNetwork(address);
    if (network === null || isExempt(address)) return;
    const connections = count(network, 1);
    socket.once('close', () => count(network, -1));
    if (connections <= connectionsMax) return;
    onRejected?.();
    if (connections > connectionsMax + REJECTED_MAX) return void socket.destroy();
    excess.add(socket);
    expectHead(socket);
  });
  return {
    reject(socket) {
      if (!excess.has(socket)) return null;
      return new AppError('limit.address', {
        retryAfterSeconds: RETRY_SECONDS,
        detail: `This IP address already has ${connectionsMax} open connections.`,
        hint: 'Close some connections, or send more requests over each.',
      });
    },
  };
}
