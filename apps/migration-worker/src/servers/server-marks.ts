import type { WorkerDirectory, WorkerServer } from '@rowhouse/platform-store';
import type { Logger } from '@rowhouse/runtime';
import type { LoginRejection } from '../accounts/sessions/login-rejection.js';
import type { ServerAccountKind } from './server-access.js';

/** The beginning of the message to the operator about a server that rejects an account. */
export const REJECTED_TOPIC = 'The server refuses the platform';
const AGAIN_AFTER_MS = 30_000;

export interface ServerMarks {
  /**
   * Records for the operator that a server rejects an account. The platform cannot work on that server. Never
   * throws.
   */
  rejected(server: WorkerServer, account: ServerAccountKind, rejection: LoginRejection): void;
}

export function createServerMarks(directory: Pick<WorkerDirectory, 'advise'>, logger: Logger): ServerMarks {
  const noted = new Map<string, number>();
  return {
    rejected(server, account, { errno, reason }) {
      const key = `${server.id} ${account}`;
      if (performance.now() - (noted.get(key) ?? Number.NEGATIVE_INFINITY) < AGAIN_AFTER_MS) return;
      noted.set(key, performance.now());
      const fix =
        'Set the password of the account on the server to the registered one, or register the server ' +
        'again with the same name (POST /api/admin/servers).';
      logger.error({ server: server.id, account, errno, reason, fix }, 'a server refuses the platform');
      const sentence = `${REJECTED_TOPIC}'s ${account} account (${reason}), so its jobs wait. ${fix}`;
      directory
        .advise(server.id, REJECTED_TOPIC, sentence)
        .catch((error: unknown) =>
          logger.warn({ server: server.id, err: error }, 'a server could not be marked'),
        );
    },
  };
}
