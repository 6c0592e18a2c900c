import { type AdminConnection } from '@rowhouse/mysql';

/** The sessions of this process for accounts that only workers use. */
export interface OwnSessions {
  hold(serverId: string, userName: string, connection: AdminConnection): AdminConnection;
  /** Returns the server's ids of the account's sessions. */
  list(serverId: string, userName: string): ReadonlySet<number>;
}

export function createOwnSessions(): OwnSessions {
  const threads = new Map<string, Set<number>>();
  const none: ReadonlySet<number> = new Set();
  return {
    hold(serverId, userName, connection) {
      const key = `${serverId} ${userName}`;
      const held = threads.get(key) ?? new Set();
      threads.set(key, held.add(connection.threadId));
      const leave = (): void => {
        held.delete(connection.threadId);
        if (held.size === 0 && threads.get(key) === held) threads.delete(key);
      };
      return {
        ...connection,
        close: () => connection.close().finally(leave),
        drop() {
          leave();
          connection.drop();
        },
      };
    },
    list: (serverId, userName) => threads.get(`${serverId} ${userName}`) ?? none,
  };
}
