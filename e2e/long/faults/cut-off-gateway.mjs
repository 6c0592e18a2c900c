// @ts-check
/**
 * Stops one of two gateways (SIGSTOP) beyond its lease, while a column is dropped, narrowed, renamed or made
 * required. When the gateway continues, each response matches the current schema, or is an error that the
 * gateway has not caught up yet.
 *
 * Options: `--times 3`, `--engine mariadb|mysql`.
 */
import { createConnection, deploy, openProject, signUp, waitForMigration } from '../../support/control.mjs';
import { openApi } from '../../support/http.mjs';
import { waitFor } from '../../support/wait.mjs';
import { withProduct } from '../../support/with-product.mjs';
import { readCount, readWords, runSuite } from '../lib/run-suite.mjs';

const TIMES = readCount('times', 3);
const ENGINES = /** @type {('mariadb' | 'mysql')[]} */ (readWords('engine') ?? ['mariadb', 'mysql']);
/** The number of requests that wait at the stopped gateway, and of requests sent after its return. */
const WAITING = 40;
const TABLE =
  'CREATE TABLE items (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(40) NOT NULL, note VARCHAR(40) NULL, size BIGINT NULL)';
const ROWS = "INSERT INTO items (name, note, size) VALUES ('a', 'x', 1), ('b', 'y', 2), ('c', 'z', 3)";

/**
 * A schema change after which some requests that were valid before are invalid.
 * @typedef {{ name: string, sql: string, members: string[], refused: Record<string, unknown>, column?: string }}
 *   Destruction `members` are the members of a record after the change; `refused` is a body that was valid
 *   before and is invalid afterwards
 */
/** @type {Destruction[]} */
const DESTRUCTIONS = [
  {
    name: 'a column is dropped',
    sql: 'ALTER TABLE items DROP COLUMN note',
    members: ['id', 'name', 'size'],
    refused: { name: 'n', note: 'late' },
  },
  {
    name: 'a column is renamed',
    sql: 'ALTER TABLE items RENAME COLUMN note TO remark',
    members: ['id', 'name', 'remark', 'size'],
    refused: { name: 'n', note: 'late' },
  },
  {
    name: 'a column becomes narrower',
    sql: 'ALTER TABLE items MODIFY COLUMN size SMALLINT NULL',
    members: ['id', 'name', 'note', 'size'],
    refused: { name: 'n', size: 5_000_000_000 },
  },
  {
    name: 'a column becomes required',
    sql: 'ALTER TABLE items MODIFY COLUMN note VARCHAR(40) NOT NULL',
    members: ['id', 'name', 'note', 'size'],
    refused: { name: 'n', note: null },
  },
];

await runSuite(async () => {
  /** @type {Record<string, string>} */
  const engines = {};
  /** @type {string[]} */
  const wrong = [];
  /** @type {Record<string, number>} */
  const answers = {};
  let changes = 0;
  for (const engine of ENGINES) {
    await withProduct({ gateways: 2, engine }, async (product) => {
      engines[engine] = product.mysql.version;
      const owner = await signUp(product.control, { name: 'cut-off', starter: 'empty' });
      for (const destruction of Array.from({ length: TIMES }, () => DESTRUCTIONS).flat()) {
        const found = await cutOff(product, owner, destruction);
        changes += 1;
        for (const status of found.statuses) answers[status] = (answers[status] ?? 0) + 1;
        wrong.push(...found.wrong.map((item) => `${engine}, ${destruction.name}: ${item}`));
        console.log(
          `${engine} ${destruction.name}: ${found.statuses.length} answers, ${found.wrong.length} wrong${found.wrong
            .slice(0, 5)
            .map((item) => `\n  ${item}`)
            .join('')}`,
        );
      }
    });
  }
  return {
    suite: 'cut-off-gateway',
    title: 'A gateway that is stopped during a destructive change',
    command: `pnpm test:long cut-off-gateway${process.argv.length > 2 ? ` ${process.argv.slice(2).join(' ')}` : ''}`,
    seed: null,
    engines,
    skips: ENGINES.length === 2 ? [] : ['the other engine'],
    claims: [
      {
        claim: `${changes} destructive changes while one of two gateways is stopped: each of its later responses is correct for the new schema, or 503`,
        holds: changes > 0 && wrong.length === 0,
        found: wrong.slice(0, 5).join(' | ') || JSON.stringify(answers),
      },
    ],
    notes: [
      `${WAITING} requests are sent to the gateway while it is stopped, and ${WAITING} when it continues: reads, and writes that were valid before the change. A write that is no longer valid must not be stored.`,
    ],
    figures: { changes, answers, wrong: wrong.slice(0, 50) },
  };
});

/**
 * @param {import('../../support/with-product.mjs').RunningProduct} product
 * @param {import('../../support/control.mjs').TestUser} owner
 * @param {Destruction} destruction
 */
async function cutOff(product, owner, { sql, members, refused: rejected }) {
  const user = await openProject(owner, { name: 'cut-off' });
  await deploy(user, TABLE);
  const { connection_string } = await createConnection(user, { name: 'look', role: 'owner' });
  const mysql = (await import('mysql2/promise')).default;
  const direct = await mysql.createConnection(connection_string);
  await direct.query(ROWS);
  const [first, second] = product.gateways.map((base) => openApi(base, user.key));
  const pid = product.listProcesses().find(({ name }) => name === 'gateway-2')?.pid;
  if (first === undefined || second === undefined || pid === undefined)
    throw new Error('two gateways are needed');
  for (const api of [first, second])
    await waitFor('the table is served', async () => (await api.get('/items')).status === 200);
  /** @type {Promise<string[]>[]} */
  const judged = [];
  /** @type {string[]} */
  const statuses = [];
  const sendRequest = () => {
    for (let index = 0; index < WAITING; index += 1)
      judged.push(
        index % 2 === 0 ? judgeRead(second, members, statuses) : judgeWrite(second, rejected, statuses),
      );
  };
  process.kill(pid, 'SIGSTOP');
  try {
    sendRequest();
    const response = await user.control.call('POST', `/api/projects/${user.projectId}/deploy`, {
      targets: [{ database: user.development.id }],
      sql,
      accept_loss: true,
    });
    const migration = await waitForMigration(user.control, response.json.migrations[0].id, 120_000);
    if (migration.state !== 'published')
      throw new Error(`${sql} ended ${migration.state}: ${JSON.stringify(migration.error)}`);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  sendRequest();
  const wrong = (await Promise.all(judged)).flat();
  const [rows] = await direct.query('SELECT COUNT(*) AS n FROM items');
  if (Number(/** @type {any[]} */ (rows)[0].n) !== 3)
    wrong.push('a write was stored that is no longer valid');
  await direct.end();
  return { wrong, statuses };
}

/** @param {import('../../support/http.mjs').Api} api @param {string[]} members @param {string[]} statuses */
async function judgeRead(api, members, statuses) {
  const response = await api.get('/items?sort=id').catch((/** @type {Error} */ err) => err);
  if (response instanceof Error) return [`no answer: ${response.message}`];
  statuses.push(String(response.status));
  if (response.status === 503) return [];
  if (response.status !== 200) return [`${response.status} ${response.text.slice(0, 200)}`];
  const found = Object.keys(response.json[0] ?? {})
    .sort()
    .join();
  return found === [...members].sort().join() ? [] : [`a record with ${found}`];
}

/**
 * @param {import('../../support/http.mjs').Api} api
 * @param {Record<string, unknown>} body
 * @param {string[]} statuses
 */
async function judgeWrite(api, body, statuses) {
  const response = await api.post('/items', body).catch((/** @type {Error} */ err) => err);
  if (response instanceof Error) return [`no answer: ${response.message}`];
  statuses.push(String(response.status));
  return response.status === 503 || (response.status >= 400 && response.status < 500)
    ? []
    : [`a write that is no longer valid: ${response.status} ${response.text.slice(0, 200)}`];
}
