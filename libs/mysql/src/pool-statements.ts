import type { Connection, PrepareStatementInfo } from 'mysql2';

/**
 * The statements that one session has prepared. The driver's own look-up costs a second command object, a formatted
 * key and a merge of all options for each call; here a known statement is one look-up in a map.
 */
export interface PreparedStatements {
  /** Hands the statement over: at once when it is prepared already. One of the two is called, once; neither may throw. */
  use(sql: string, onReady: (statement: PrepareStatementInfo) => void, onFault: (error: unknown) => void): void;
  /** The handle is gone, or the text is not wanted any more. */
  forget(sql: string): void;
  /** A change of user has dropped them all. */
  clear(): void;
}

/** The bound must stay below the driver's own: what the driver evicts leaves dead handles behind. */
export function createPreparedStatements(connection: Connection, limits: { readonly statementsPerSessionMax: number }): PreparedStatements {
  /** In order of use once it is filled above a half. */
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
