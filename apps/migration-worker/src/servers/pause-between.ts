import type { AdminConnection } from '@rowhouse/mysql';

const REST_MAX_MS = 20;
/**
 * The shortest pause in milliseconds. Shorter pauses are added up to this length, because a timer takes at
 * least a millisecond.
 */
const REST_MIN_MS = 4;
/**
 * The maximum total pause per wrapped connection in milliseconds, so that reading a large schema is not
 * delayed too long.
 */
const RESTS_MAX_MS = 400;

/**
 * Wraps a worker's session on a server that tenants use. Calls of `run` and `rows` run one after the other.
 * Before each call, the session pauses for as long as the previous calls took, up to a maximum total. The
 * first `firstMs` milliseconds of run time cause no pause.
 */
export function pauseBetween(connection: AdminConnection, firstMs = 0): AdminConnection {
  let restsLeftMs = RESTS_MAX_MS;
  let owedMs = -firstMs;
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
      const delayMs = owedMs;
      owedMs = 0;
      restsLeftMs -= delayMs;
      if (delayMs <= 0) return Promise.resolve();
      return new Promise((resolve) => {
        setTimeout(resolve, delayMs);
      });
    };
    isFree = answer.then(rest, rest);
    return answer;
  }
  return {
    ...connection,
    run: (sql, values) => inTurn(() => connection.run(sql, values)),
    rows: <T>(sql: string, values?: Parameters<AdminConnection['rows']>[1]) =>
      inTurn(() => connection.rows<T>(sql, values)),
  };
}
