import type { Connection, PrepareStatementInfo } from 'mysql2';

/**
 * The prepared statements of one session. For a statement that is already prepared, this takes one map
 * lookup. The driver's own lookup creates a second command object, formats a key and merges all options in
 * each call.
 */
export interface PreparedStatements {
  /**
   * Passes the prepared statement to a callback. This happens immediately if the statement is already
   * prepared. Exactly one of the callbacks is called, once. They must not throw.
   */
  use(
    sql: string,
    onReady: (statement: PrepareStatementInfo) => void,
    onFault: (error: unknown) => void,
  ): void;
  /** Removes a statement because its handle is invalid or its SQL text is no longer needed. */
  forget(sql: string): void;
  /** Removes all statements after a change of user has dropped them. */
  clear(): void;
}

/**
 * Creates the registry. Its limit must stay below the driver's own limit. A statement that the driver evicts
 * first would leave an invalid handle here.
 */
export function createPreparedStatements(
  connection: Connection,
  limits: { readonly statementsPerSessionMax: number },
): PreparedStatements {
  /** Ordered by use once it is more than half full. */
  const known = new Map<string, PrepareStatementInfo>();

  function keep(sql: string, statement: PrepareStatementInfo): void {
    const [oldest] = known.keys();
    if (oldest !== undefined && known.size >= limits.statementsPerSessionMax) forget(oldest);
    known.set(sql, statement);
  }

  function forget(sql: string): void {
    known.delete(sql);
    connection.unprepare(sql);
  }

  return {
    use(sql, onReady, onFault) {
      const found = known.get(sql);
      if (found === undefined) {
        connection.prepare(sql, (error, statement) => {
          if (error !== null && error !== undefined) return onFault(error);
          keep(sql, statement);
          onReady(statement);
        });
        return;
      }
      if (known.size > limits.statementsPerSessionMax / 2) {
        known.delete(sql);
        known.set(sql, found);
      }
      onReady(found);
    },
    forget,
    clear: () => known.clear(),
  };
}
