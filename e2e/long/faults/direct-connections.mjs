// @ts-check
/**
 * Rotates and revokes the passwords of direct TLS connections. It counts the connections that are lost, and
 * measures how long a session of a revoked user lives.
 */
import mysql from 'mysql2/promise';
import { createConnection, expectStatus, signUp } from '../../support/control.mjs';
import { withProduct } from '../../support/with-product.mjs';
import { summarize } from '../../support/write-report.mjs';
import { readCount, runSuite } from '../lib/run-suite.mjs';

const ROTATIONS = readCount('rotations', 50);
const REVOCATIONS = readCount('revocations', 200);
const BAR_MS = 500;
const BIND = '127.0.0.2';
const POLL_MS = 5;

await runSuite(() =>
  withProduct({ gateways: 1, directBind: BIND }, async (product) => {
    const user = await signUp(product.control);
    const rotated = await rotateUnderUse(user);
    /** @type {number[]} */
    const deadMs = [];
    for (let index = 0; index < REVOCATIONS; index += 1) deadMs.push(...(await revokeInUse(user, index)));
    const dead = summarize(deadMs);
    return {
      suite: 'direct-connections',
      title: 'Direct connections over TLS: rotation and revocation under use',
      command: `pnpm test:long direct-connections${ROTATIONS === 50 && REVOCATIONS === 200 ? '' : ` --rotations ${ROTATIONS} --revocations ${REVOCATIONS}`}`,
      seed: null,
      engines: { [product.mysql.engine]: product.mysql.version },
      skips: [],
      claims: [
        {
          claim: `${ROTATIONS} rotations drop no live connection`,
          holds: rotated.dropped === 0,
          found: `${rotated.dropped} of ${rotated.sessions} sessions dropped over ${rotated.statements} statements`,
        },
        {
          claim: 'each new password works over TLS at once, and the previous one still works',
          holds: rotated.refused === 0,
          found: `${rotated.refused} refused`,
        },
        {
          claim: `every session of a revoked user ends within ${BAR_MS} ms of the request`,
          holds: dead.max <= BAR_MS,
          found: `p50 ${dead.p50} ms, p99 ${dead.p99} ms, max ${dead.max} ms over ${deadMs.length} sessions`,
        },
      ],
      notes: [
        'A session has ended when its client notices: its socket is closed, or its next statement fails.',
      ],
      figures: { ...rotated, revoked_session_dead_after_ask_ms: dead },
    };
  }),
);

/** @typedef {{ host: string, port: number, user: string, database: string, ca: string | null }} Made */

/** @param {Made} made @param {string} password */
async function open({ host, port, user, database, ca }, password) {
  if (ca === null) throw new Error('the connection tells no authority');
  const connection = await mysql.createConnection({ host, port, user, password, database, ssl: { ca } });
  const [rows] = await connection.query("SHOW SESSION STATUS LIKE 'Ssl_version'");
  if (!/^TLS/.test(/** @type {any} */ (rows)[0]?.Value)) throw new Error('a session is not encrypted');
  return connection;
}

/** @param {import('../../support/control.mjs').TestUser} user */
async function rotateUnderUse(user) {
  const created = await createConnection(user, { name: 'rotated', role: 'read-write' });
  let [previous, password, statements, dropped, rejected, isFinished] = [
    '',
    created.password,
    0,
    0,
    0,
    false,
  ];
  const sessions = await Promise.all(Array.from({ length: 5 }, () => open(created, password)));
  const loops = sessions.map(async (session) => {
    session.on('error', () => undefined);
    while (!isFinished) {
      try {
        await session.query('SELECT COUNT(*) FROM posts');
        statements += 1;
      } catch {
        dropped += 1;
        return;
      }
    }
    session.destroy();
  });
  for (let index = 0; index < ROTATIONS; index += 1) {
    const response = await user.control.call('POST', `/api/connections/${created.id}/rotate`, {});
    expectStatus(response, [200, 201], 'rotate');
    [previous, password] = [password, response.json.password];
    for (const item of [previous, password])
      await open(created, item).then(
        (connection) => connection.destroy(),
        () => (rejected += 1),
      );
  }
  isFinished = true;
  await Promise.all(loops);
  return { rotations: ROTATIONS, sessions: sessions.length, statements, dropped, refused: rejected };
}

/**
 * Revokes a user with one idle and one active session.
 * @param {import('../../support/control.mjs').TestUser} user
 * @param {number} index
 */
async function revokeInUse(user, index) {
  const created = await createConnection(user, { name: `revoked ${index}`, role: 'read-only' });
  const [idle, busy] = await Promise.all([open(created, created.password), open(created, created.password)]);
  const ends = [waitUntilClosed(idle), repeatUntilRejected(busy)];
  const requestedMs = performance.now();
  const response = await user.control.call('DELETE', `/api/connections/${created.id}`);
  expectStatus(response, [200, 204], 'revoke');
  const endedMs = await Promise.all(ends);
  return endedMs.map((item) => Math.max(0, item - requestedMs));
}

/**
 * @param {import('mysql2/promise').Connection} connection
 * @returns {Promise<number>} the time, by `performance.now()`
 */
function waitUntilClosed(connection) {
  return new Promise((resolve) => {
    for (const event of /** @type {const} */ (['error', 'end']))
      connection.on(event, () => resolve(performance.now()));
  });
}

/**
 * @param {import('mysql2/promise').Connection} connection
 * @returns {Promise<number>} the time, by `performance.now()`
 */
async function repeatUntilRejected(connection) {
  connection.on('error', () => undefined);
  for (;;) {
    try {
      await connection.query('SELECT COUNT(*) FROM posts');
    } catch {
      return performance.now();
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
