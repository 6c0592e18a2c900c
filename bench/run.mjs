// @ts-check
/**
 * Compares the gateway with the hand-written baseline and any `--peer`: `pnpm bench`.
 * It starts the product, fills the example schema and drives the targets in rotation.
 */
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { createConnection, signUp } from '@rowhouse/e2e/support/control';
import { closeHttp } from '@rowhouse/e2e/support/http';
import { findFreePort } from '@rowhouse/local/processes/free-port';
import {
  cursorPage,
  filterInclude,
  like,
  list1000,
  list20,
  listIncludeComments,
  listIncludeUser,
  oneById,
  stream,
} from './cases/reads.mjs';
import { bulkCreate, create, createDelete, update } from './cases/writes.mjs';
import { withProduct } from '@rowhouse/e2e/support/with-product';
import { writeReport } from '@rowhouse/e2e/support/write-report';
import { checkResponses } from './lib/check-responses.mjs';
import { compareTargets, formatTable } from './lib/compare.mjs';
import { countDiskFlushes } from './lib/count-server.mjs';
import { runOne, runRounds } from './lib/run-rounds.mjs';
import { deleteAddedComments, seedBlog } from './lib/seed-blog.mjs';
import { startTarget } from './lib/start-target.mjs';
import { stopFlushing } from './lib/stop-flushing.mjs';
import { reportWhere } from './lib/report-where.mjs';
import { PEERS, startPeer } from './peers/start-peer.mjs';

/**
 * The cases, with the file and the name of each case's export. The name of the export is the case's name in
 * camel case.
 */
const CASES = [
  oneById,
  list20,
  listIncludeUser,
  listIncludeComments,
  filterInclude,
  like,
  cursorPage,
  list1000,
  stream,
  create,
  update,
  createDelete,
  bulkCreate,
].map((benchCase) => ({
  benchCase,
  file: fileURLToPath(new URL(benchCase.isWrite ? 'cases/writes.mjs' : 'cases/reads.mjs', import.meta.url)),
  name: benchCase.name.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase()),
}));

const { values } = parseArgs({
  options: {
    tls: { type: 'boolean', default: false },
    case: { type: 'string', multiple: true },
    peer: { type: 'string', multiple: true },
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '4' },
    warm: { type: 'string', default: '2' },
    connections: { type: 'string', default: '32' },
    seed: { type: 'string', default: '1' },
    'npm-peer': { type: 'string', multiple: true },
    nest: { type: 'boolean', default: false },
    small: { type: 'boolean', default: false },
    engine: { type: 'string', default: 'mariadb' },
    'no-flush': { type: 'boolean', default: false },
    profile: { type: 'string' },
    set: { type: 'string', multiple: true },
    report: { type: 'boolean', default: false },
  },
});
const size = values.small
  ? { users: 100, posts: 500, comments: 1_000, tags: 20 }
  : { users: 10_000, posts: 50_000, comments: 200_000, tags: 200 };
const load = {
  connections: Number(values.connections),
  durationMs: Number(values.seconds) * 1_000,
  seed: Number(values.seed),
};
const npmPeers = (values['npm-peer'] ?? []).map(findPeer);
if (values.engine !== 'mariadb' && values.engine !== 'mysql')
  throw new Error('--engine must be mariadb or mysql');
const { engine } = values;
/** The inspector ports for profiles. */
const ports = { baseline: await findFreePort(), rowhouse: await findFreePort() };
if (values.tls && (values.nest || npmPeers.length > 0))
  throw new Error('--tls only supports the hand-written server. Omit --nest and --npm-peer.');
const cases = CASES.filter(
  (entry) => values.case === undefined || values.case.includes(entry.benchCase.name),
);
if (cases.length === 0)
  throw new Error(`Unknown case. Available: ${CASES.map((entry) => entry.benchCase.name).join(', ')}`);

/** The Nest target has no cursors and no streams. */
const NEST_CASES = CASES.map(({ benchCase }) => benchCase.name).filter(
  (name) => name !== 'cursor-page' && name !== 'stream',
);

/**
 * Parses `name=http://host:port/prefix[,key]`.
 * @param {string} text
 * @returns {import('./lib/bench-case.mjs').BenchTarget}
 */
function parsePeer(text) {
  const [name = '', rest = ''] = text.split(/=(.*)/s);
  const [base = '', key = null] = rest.split(',');
  return { name, base, key, pids: [] };
}

/**
 * Parses `NAME=value`.
 * @param {string} text
 * @returns {[string, string]}
 */
function parseSetting(text) {
  const [name = '', value] = text.split(/=(.*)/s);
  if (value === undefined)
    throw new Error(`Invalid --set ${text}. Expected NAME=value, as in docs/config.md.`);
  return [name, value];
}

/** @param {string} name */
function findPeer(name) {
  const peer = PEERS.get(name);
  if (peer === undefined) throw new Error(`Unknown peer. Available: ${[...PEERS.keys()].join(', ')}`);
  return peer;
}

/** @type {Record<string, string>} */
const inspected =
  values.profile === undefined
    ? {}
    : { ROWHOUSE_UNBUNDLED: '1', NODE_OPTIONS: `--inspect-port=${ports.rowhouse}` };
const settings = Object.fromEntries((values.set ?? []).map(parseSetting));
await withProduct(
  { gateways: 1, engine, databaseTls: values.tls, extraEnv: { ...settings, ...inspected } },
  async (product) => {
    const testUser = await signUp(product.control);
    const gateway = product.gateways[0] ?? '';
    const { database } = await createConnection(testUser, { name: 'bench', role: 'read-only' });
    const { host, port, user, password } = product.mysql.admin;
    const databaseUrl = `mysql://${user}:${encodeURIComponent(password)}@${host}:${port}/${database}`;
    // All targets verify the same certificate.
    const driven = values.tls
      ? `${databaseUrl}?ssl=${encodeURIComponent(JSON.stringify({ rejectUnauthorized: true }))}`
      : databaseUrl;
    /** @type {Record<string, string>} */
    const env = product.databaseCaFile === null ? {} : { NODE_EXTRA_CA_CERTS: product.databaseCaFile };
    console.log(`Seeding ${size.users} users, ${size.posts} posts, ${size.comments} comments`);
    await seedBlog(databaseUrl, size, load.seed);
    if (values['no-flush']) await stopFlushing(databaseUrl);
    const findPid = (/** @type {string} */ name) =>
      product.listProcesses().find((entry) => entry.name === name)?.pid ?? 0;
    const started = [
      await startTarget('baseline', driven, {
        env:
          values.profile === undefined ? env : { ...env, NODE_OPTIONS: `--inspect-port=${ports.baseline}` },
      }),
    ];
    if (values.nest) started.push(await startTarget('nest-typeorm', databaseUrl, { cases: NEST_CASES, env }));
    for (const peer of npmPeers) {
      const item = await startPeer(peer, { host, port, user, password, name: database });
      if (item !== null) started.push(item);
    }
    const targets = [
      ...started.map(({ target }) => target),
      { name: 'rowhouse', base: `${gateway}/v1/-`, key: testUser.key, pids: [findPid('gateway')] },
      ...(values.peer ?? []).map(parsePeer),
    ];
    try {
      for (const entry of cases) {
        await runCase(entry, targets, product.databasePid() ?? 0, product.mysql, databaseUrl);
        if (entry.benchCase.isWrite === true) await deleteAddedComments(databaseUrl, size);
      }
    } finally {
      for (const { stop } of started) await stop();
    }
  },
);
closeHttp();

/**
 * @param {(typeof CASES)[number]} entry
 * @param {import('./lib/bench-case.mjs').BenchTarget[]} all
 * @param {number} databasePid
 * @param {{ engine: string, version: string }} server
 * @param {string} databaseUrl
 */
async function runCase(entry, all, databasePid, server, databaseUrl) {
  const { benchCase } = entry;
  const targets = all.filter(({ cases }) => cases === undefined || cases.includes(benchCase.name));
  console.log(
    `\n${benchCase.name}: ${benchCase.says}; ${load.connections} connections, ${values.rounds} rounds of ${values.seconds} s each`,
  );
  await checkResponses(benchCase, targets, size);
  for (const target of targets)
    await runOne(target, entry, size, databasePid, { ...load, durationMs: Number(values.warm) * 1_000 });
  const figures = await runRounds({
    targets,
    benchCase: entry,
    size,
    databasePid,
    rounds: Number(values.rounds),
    load,
    ...(benchCase.isWrite === true ? { countDiskFlushes: () => countDiskFlushes(databaseUrl) } : {}),
  });
  const rows = compareTargets(figures, 'baseline');
  console.log(formatTable(rows));
  if (values.profile !== undefined) {
    for (const target of targets) {
      const port =
        target.name === 'baseline' ? ports.baseline : target.name === 'rowhouse' ? ports.rowhouse : null;
      if (port !== null)
        await reportWhere({
          target,
          port,
          folder: values.profile,
          databaseUrl,
          databasePid,
          entry,
          size,
          load,
        });
    }
  }
  const ours = rows.find((row) => row.target === 'rowhouse');
  if (!values.report || ours === undefined) return;
  writeReport({
    suite: `bench-${benchCase.name}${values.tls ? '-tls' : ''}${values.nest ? '-nest' : ''}`,
    title: `Speed: ${benchCase.says}${values.tls ? ', with TLS to the database' : ''}${values.nest ? ', also compared with NestJS and TypeORM' : ''}`,
    command: `pnpm bench ${process.argv.slice(2).join(' ')}`,
    seed: load.seed,
    engines: { [server.engine]: server.version },
    skips: [],
    claims: [
      {
        claim: 'at least as many requests per second as the hand-written baseline (floor 1.0)',
        holds: ours.ratio.median >= 1,
        found: `${ours.ratio.median.toFixed(2)} (${ours.ratio.min.toFixed(2)} to ${ours.ratio.max.toFixed(2)})`,
      },
      {
        claim: 'no more CPU per request than the baseline (floor 1.0)',
        holds: (ours.cpuRatio ?? Number.POSITIVE_INFINITY) <= 1,
        found: ours.cpuRatio === null ? 'not measured: no /proc' : ours.cpuRatio.toFixed(2),
      },
      { claim: 'no failed request', holds: ours.failures === 0, found: String(ours.failures) },
      ...(values.nest ? [compareWithNest(rows, ours)] : []),
    ],
    notes: [formatTable(rows)],
    figures: { size, load, rounds: figures },
  });
}

/** @param {ReturnType<typeof compareTargets>} rows @param {ReturnType<typeof compareTargets>[number]} ours */
function compareWithNest(rows, ours) {
  const nest = rows.find((row) => row.target === 'nest-typeorm');
  const ratio = nest === undefined ? Number.NaN : ours.ratio.median / nest.ratio.median;
  return {
    claim: 'more requests per second than NestJS with TypeORM on the same work',
    holds: ratio > 1,
    found: `${ratio.toFixed(2)} times as many`,
  };
}
