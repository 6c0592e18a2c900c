import type { Connection, PrepareStatementInfo } from 'mysql2';

/**
 * The prepared statements of one session. The driver's own lookup needs a second command object, a formatted
 * key and a merge of all options for each call. Here, a known statement takes one map lookup.
 */
export interface PreparedStatements {
  /**
   * Passes the statement on, immediately if it is already prepared. Calls exactly one of the callbacks, once.
   * They must not throw.
   */
  use(
    sql: string,
    onReady: (statement: PrepareStatementInfo) => void,
    onFault: (error: unknown) => void,
  ): void;
  /** Removes a statement whose handle is invalid or whose text is not needed any more. */
  forget(sql: string): void;
  /** Removes all statements after a change of user has dropped them. */
  clear(): void;
}

/**
 * Creates the registry. Its limit must stay below the driver's own, because what the driver evicts leaves
 * dead handles here.
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
