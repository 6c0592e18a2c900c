import type { AdminConnection } from '@rowhouse/mysql';

const REST_MAX_MS = 20;
/** A timer takes a millisecond at least: short statements rest together, after a few of them. */
const REST_MIN_MS = 4;
/** Of one wrapped connection, so that a big schema does not wait for itself. */
const RESTS_MAX_MS = 400;

/**
 * A worker's session on a server that tenants use: `run` and `rows` go one after the other, and before the next the tenants
 * have the server for as long as the last ones took, up to a sum.
 */
export function restBetween(connection: AdminConnection): AdminConnection {
  let restsLeftMs = RESTS_MAX_MS;
  let owedMs = 0;
  let isFree: Promise<void> = Promise.resolve();
  function inTurn<T>(send: () => Promise<T>): Promise<T> {
    let startedAt = 0;
    const answer = isFree.then(() => {
      startedAt = performance.now();
      return send();
    });
    const rest = (): Promise<void> => {
      owedMs = Math.min(owedMs + Math.min(performance.now() - startedAt, REST_MAX_MS), restsLeftMs);
      if (owedMs < REST_MIN_MS && owedMs < restsLeftMs) return Promise.resolve();
      const restMs = owedMs;
      owedMs = 0;
      restsLeftMs -= restMs;
      if (restMs <= 0) return Promise.resolve();
      return new Promise((resolve) => {
        setTimeout(resolve, restMs);
      });
    };
    isFree = answer.then(rest, rest);
    return answer;
  }
  return {
    ...connection,
    run: (sql, values) => inTurn(() => connection.run(sql, values)),
    rows: <T>(sql: string, values?: Parameters<AdminConnection['rows']>[1]) => inTurn(() => connection.rows<T>(sql, values)),
  };
}
