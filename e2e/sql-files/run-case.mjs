// @ts-check
import { setTimeout as pause } from 'node:timers/promises';
import { openAdminConnection } from '@rowhouse/mysql';
import { compareSchemas, readValues } from './compare-case.mjs';
import { exportCase, readSnapshot } from './export-case.mjs';
import { importFile } from './import-file.mjs';
import { loadFile } from './load-file.mjs';
import { makeCase } from './make-case.mjs';

/** @typedef {'mariadb' | 'mysql'} Engine */
/** @typedef {import('./load-file.mjs').Client} Client */
/** @typedef {import('./load-file.mjs').Way} Way */
/** @typedef {import('@rowhouse/mysql').AdminConnection} AdminConnection */
/** @typedef {import('@rowhouse/schema-model').Snapshot} Snapshot */

/**
 * @typedef {object} Bench
 * @property {Engine} engine
 * @property {{ host: string, port: number, user: string, password: string, version: string }} address
 * @property {Client} client
 * @property {string} folder
 */

/**
 * @typedef {object} Outcome
 * @property {number} seed
 * @property {Way} way
 * @property {'equal' | 'no file' | 'faulty'} kind
 * @property {string[]} faults
 * @property {boolean} isImported whether an import loaded the file instead of a client
 * @property {number} objects the number of objects in the file
 * @property {number} leftOut the number of objects that the file names as left out
 */

/**
 * Restores the database that a file must not touch.
 * @param {AdminConnection} root
 */
export async function resetCanary(root) {
  for (const sql of [
    'DROP DATABASE IF EXISTS canary',
    'CREATE DATABASE canary',
    'CREATE TABLE canary.t (a int PRIMARY KEY)',
    'INSERT INTO canary.t VALUES (1), (2)',
  ])
    await root.run(sql);
}

/** @param {AdminConnection} root */
async function inspectCanary(root) {
  const tables = await root.rows(
    "SELECT TABLE_NAME AS t FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'canary' ORDER BY 1",
  );
  const rows = await root.rows('SELECT SUM(a) AS s, COUNT(*) AS n FROM canary.t').catch(() => 'gone');
  return JSON.stringify([tables, rows]);
}

/**
 * Creates a database of hostile texts, writes its file, has a stock client load it, and compares.
 * @param {Bench} bench
 * @param {number} slot
 * @param {number} seed
 * @param {Way} way
 * @param {{ hasSandbox?: boolean, imports?: boolean }} [options]
 * @returns {Promise<Outcome>}
 */
export async function runCase(bench, slot, seed, way, { hasSandbox = true, imports = false } = {}) {
  const { engine, address } = bench;
  const [from, to] = [`sqlfrom${slot}`, `sqlto${slot}`];
  const root = await openAdminConnection(address);
  try {
    for (const name of [from, to])
      for (const sql of [`DROP DATABASE IF EXISTS ${name}`, `CREATE DATABASE ${name} CHARACTER SET utf8mb4`])
        await root.run(sql);
    await makeSource(address, from, seed, engine);
    const source = await openAdminConnection({ ...address, database: from });
    try {
      const exported = await exportCase(source, from, engine, `case ${seed}`).catch((error) => error);
      if (exported instanceof Error)
        return {
          seed,
          way,
          kind: 'no file',
          faults: [exported.message],
          isImported: imports,
          objects: 0,
          leftOut: 0,
        };
      const before = await inspectCanary(root);
      const { snapshot } = exported;
      const text = hasSandbox
        ? exported.text
        : Buffer.from(exported.text.toString('latin1').replace(/^\/\*M!999999.*\n/, ''), 'latin1');
      const loaded = imports
        ? await importFile({ address, database: to, engine, text })
        : await loadFile({
            client: bench.client,
            address,
            database: to,
            text,
            way,
            folder: `${bench.folder}/${slot}`,
          });
      const faults = [];
      if (loaded.code !== 0) faults.push(`the client ended with ${loaded.code}`);
      if (loaded.left.length > 0) faults.push(`files were written: ${loaded.left.join()}`);
      if (
        way === 'interactive source' && !imports
          ? !loaded.output.includes('loaded') || /ERROR/.test(loaded.output)
          : loaded.output !== ''
      )
        faults.push(`the client said ${JSON.stringify(loaded.output.slice(0, 600))}`);
      if ((await inspectCanary(root)) !== before) {
        faults.push('another database was touched');
        await resetCanary(root);
      }
      const omitted = listOmitted(exported.text);
      faults.push(
        ...(await compareWith(address, to, { source, snapshot, engine, omitted }).catch(
          (/** @type {unknown} */ error) => [`the copy cannot be compared: ${String(error)}`],
        )),
      );
      return {
        seed,
        way,
        kind: faults.length === 0 ? 'equal' : 'faulty',
        faults,
        isImported: imports,
        objects: countObjects(snapshot),
        leftOut: omitted.size,
      };
    } finally {
      await source.close();
    }
  } finally {
    await root.close();
  }
}

/** @param {Bench['address']} address @param {string} database @param {number} seed @param {Engine} engine */
async function makeSource(address, database, seed, engine) {
  const connection = await openAdminConnection({ ...address, database });
  const created = makeCase(seed, engine);
  const send = (/** @type {string} */ sql) => connection.run(sql).catch(() => undefined);
  try {
    for (const { sql, mode } of created.objects) {
      await connection.run(`SET SESSION sql_mode = '${mode}'`);
      await send(sql);
    }
    // Some triggers reject or change rows, so the rows that are stored afterwards are the expected ones.
    await connection.run("SET SESSION sql_mode = ''");
    for (const sql of created.inserts) await send(sql);
  } finally {
    await connection.close();
  }
}

/**
 * @param {Bench['address']} address
 * @param {string} to
 * @param {{ source: AdminConnection, snapshot: Snapshot, engine: Engine, omitted: { has: (key: string) => boolean } }} from
 */
async function compareWith(address, to, { source, snapshot, engine, omitted }) {
  const target = await openAdminConnection({ ...address, database: to });
  try {
    const found = await readSnapshot(target, to, engine);
    const faults = compareSchemas(snapshot, found, omitted);
    if (faults.length > 0) return faults;
    const [before, after] = [await readValues(source, snapshot), await readValues(target, snapshot)];
    return before === after ? [] : [`rows differ: ${before.slice(0, 400)} became ${after.slice(0, 400)}`];
  } finally {
    await target.close();
  }
}

/**
 * Lists the objects that a file names as left out, by kind. The file reduces their names to ASCII, so names
 * cannot be compared.
 * @param {Buffer} text
 */
function listOmitted(text) {
  const lines = [...text.toString('latin1').matchAll(/^-- Left out: (\w+ .*?): /gm)].map(
    (match) => match[1] ?? '',
  );
  return {
    size: lines.length,
    has: (/** @type {string} */ key) =>
      lines.some((line) =>
        key
          .replaceAll('\\', '/')
          .replaceAll(/[^\x20-\x7e]/g, ' ')
          .startsWith(line),
      ),
  };
}

/** @param {Snapshot} snapshot */
function countObjects(snapshot) {
  return snapshot.tables.reduce(
    (sum, table) => sum + 1 + (table.triggers ?? []).length,
    (snapshot.routines ?? []).length,
  );
}

/**
 * Runs cases in several slots at once and returns their outcomes in order.
 * @param {number} count
 * @param {number} slotCount
 * @param {(position: number, slot: number) => Promise<Outcome>} run
 */
export async function runAll(count, slotCount, run) {
  /** @type {Outcome[]} */
  const outcomes = [];
  let next = 0;
  const callback = async (/** @type {number} */ slot) => {
    while (next < count) {
      const position = next;
      next += 1;
      outcomes[position] = await run(position, slot);
      if (position % 100 === 99)
        console.log(
          `${position + 1} files, ${outcomes.filter((item) => item?.kind === 'faulty').length} faulty`,
        );
      await pause(0);
    }
  };
  await Promise.all(Array.from({ length: slotCount }, (_, slot) => callback(slot)));
  return outcomes;
}
