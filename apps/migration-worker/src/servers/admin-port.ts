import { TOO_MANY_CONNECTIONS } from '@rowhouse/errors';
import { setTimeout as pause } from 'node:timers/promises';
import {
  openAdminConnection,
  readServerFault,
  type AdminConnection,
  type AdminTarget,
} from '@rowhouse/mysql';
import type { WorkerServer } from '@rowhouse/platform-store';
import { readLoginRejection } from '../accounts/sessions/login-rejection.js';
import { nameNode } from './node-failure-tracker.js';

export type NodeLogin = Omit<AdminTarget, 'host' | 'port' | 'tls'>;
export type NodeAddress = Pick<WorkerServer, 'host' | 'port' | 'adminPort' | 'tls'>;

/** The time in milliseconds for which an admin port is not tried again after it did not respond. */
const AWAY_MS = 30_000;
const ATTEMPTS_MAX = 60;
const RETRY_MS = 25;

export interface AdminPorts {
  /**
   * Opens a session on the node's admin port, which tenants' sessions and half-open logins cannot fill. Uses
   * the node's normal port if the admin port is missing, does not respond, or rejects this account.
   */
  open(node: NodeAddress, login: NodeLogin): Promise<AdminConnection>;
}

export function createAdminPorts(
  open: (target: AdminTarget) => Promise<AdminConnection> = openAdminConnection,
  now: () => number = () => performance.now(),
): AdminPorts {
  const awaySinceMs = new Map<string, number>();
  const isUnavailable = (key: string): boolean =>
    now() - (awaySinceMs.get(key) ?? Number.NEGATIVE_INFINITY) < AWAY_MS;

  return {
    async open(node, login) {
      const { host, port, adminPort, tls } = node;
      if (adminPort !== null) {
        const key = nameNode({ host, port: adminPort });
        try {
          if (!isUnavailable(key)) return await open({ host, port: adminPort, tls, ...login });
        } catch (error) {
          if (readLoginRejection(error) !== null) throw error;
          if (readServerFault(error)?.isConnectionLost === true) awaySinceMs.set(key, now());
        }
      }
      return openWhenFull({ host, port, tls, ...login });
    },
  };

  /**
   * Opens a session, and tries again while the server is full. During a flood of logins, a session is free
   * only for moments.
   */
  async function openWhenFull(target: AdminTarget): Promise<AdminConnection> {
    for (let attempts = 1; ; attempts += 1) {
      try {
        return await open(target);
      } catch (error) {
        if (readServerFault(error)?.errno !== TOO_MANY_CONNECTIONS || attempts === ATTEMPTS_MAX) throw error;
        await pause(RETRY_MS);
      }
    }
  }
}
