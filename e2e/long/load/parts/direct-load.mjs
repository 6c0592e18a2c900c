// @ts-check
/**
 * Runs sessions of connection users that are always active, in a separate process. The parent process sends a
 * `LoadOrder` to start the load and `stop` to end it. This process then replies with the number of statements
 * and the errors.
 */
import mysql from 'mysql2/promise';

/** @typedef {{ host: string, port: number, user: string, password: string, database: string, ca: string | null }} Login */
/**
 * @typedef {{ logins: Login[], sessions: number, kind: 'mix' | 'hold' }} LoadOrder `hold` means sessions that
 *   only stay open
 */
/** @typedef {{ statements: number, open: number, errors: Record<string, number> }} LoadResult */

const RETRY_MS = 50;
const MIX = [
  'SELECT SUM(CRC32(CONCAT(a.title, b.content))) AS n FROM posts a JOIN posts b ON b.id <= 400',
  'SELECT id, SHA2(REVERSE(content), 256) AS k FROM posts ORDER BY k, content DESC LIMIT 5000',
  "INSERT INTO posts (title, content, user_id) SELECT CONCAT('load ', id), content, user_id FROM posts LIMIT 200",
  "DELETE FROM posts WHERE title LIKE 'load %' LIMIT 200",
];

process.on('disconnect', () => process.exit(0));
process.once('message', (message) => void run(/** @type {LoadOrder} */ (message)));

/** @param {LoadOrder} order */
async function run({ logins, sessions, kind }) {
  /** @type {LoadResult} */
  const result = { statements: 0, open: 0, errors: {} };
  let isFinished = false;
  process.on('message', () => (isFinished = true));
  const loops = logins.flatMap((login) =>
    Array.from({ length: sessions }, (_, index) => keepBusy(login, index)),
  );
  process.send?.('started');
  await Promise.all(loops);
  process.send?.(result, undefined, undefined, () => process.exit(0));

  /** @param {Login} login @param {number} first */
  async function keepBusy(login, first) {
    let iteration = first;
    while (!isFinished) {
      /** @type {import('mysql2/promise').Connection | undefined} */
      let session;
      try {
        session = await open(login);
        session.on('error', () => undefined);
        result.open += 1;
        while (!isFinished) {
          if (kind === 'hold') await session.query('DO SLEEP(0.5)');
          else await session.query(MIX[(iteration += 1) % MIX.length] ?? '');
          result.statements += 1;
        }
      } catch (error) {
        const code = /** @type {{ code?: string }} */ (error).code ?? 'unknown';
        result.errors[code] = (result.errors[code] ?? 0) + 1;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      } finally {
        session?.destroy();
      }
    }
  }
}

/** @param {Login} login */
function open({ ca, ...address }) {
  return mysql.createConnection({
    ...address,
    connectTimeout: 5_000,
    ...(ca === null ? {} : { ssl: { ca } }),
  });
}
