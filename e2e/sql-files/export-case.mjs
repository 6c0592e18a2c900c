// @ts-check
import { gunzipSync } from 'node:zlib';
import { introspectRoutines, introspectSchema, quoteName } from '@rowhouse/mysql';
import { nameSnapshot } from '@rowhouse/schema-model';

/** @typedef {import('@rowhouse/mysql').AdminConnection} AdminConnection */
/** @typedef {import('@rowhouse/schema-model').Snapshot} Snapshot */
/** @typedef {'mariadb' | 'mysql'} Engine */

const app = (/** @type {string} */ path) => new URL(`../../apps/${path}`, import.meta.url).href;
const { writeDump, assertWritable = () => undefined } = await import(
  app('control-plane/dist/modules/transfers/write-dump.js')
);
const { makeRowText } = await import(app('migration-worker/dist/transfer/row-text.js'));
const { createChunkWriter } = await import(app('migration-worker/dist/transfer/chunk-writer.js'));
const { readNextNumber } = await import(app('migration-worker/dist/snapshots/table-statistics.js'));

/**
 * @param {AdminConnection} connection
 * @param {string} schema
 * @param {Engine} engine
 * @returns {Promise<Snapshot>}
 */
export async function readSnapshot(connection, schema, engine) {
  const [tables, routines] = [
    await introspectSchema(connection, schema, engine),
    await introspectRoutines(connection, schema),
  ];
  return nameSnapshot({ engine, tables, routines }, null);
}

/**
 * Returns the SQL file of a database, as the worker and the control plane write it together.
 * @param {AdminConnection} connection
 * @param {string} schema
 * @param {Engine} engine
 * @param {string} title
 * @returns {Promise<{ snapshot: Snapshot, text: Buffer }>}
 */
export async function exportCase(connection, schema, engine, title) {
  const snapshot = await readSnapshot(connection, schema, engine);
  await assertWritable(snapshot);
  /** @type {Buffer[]} */
  const chunks = [];
  const writer = createChunkWriter(
    {
      writeChunk: async (/** @type {unknown} */ _file, /** @type {{ body: Buffer }} */ { body }) =>
        void chunks.push(body),
    },
    { id: 'file', generation: 1 },
  );
  const tables = [];
  for (const table of snapshot.tables.filter(({ kind }) => kind === 'table')) {
    const text = makeRowText(table);
    for await (const row of connection.stream(text.select)) {
      const { t, isLax } = /** @type {{ t: string, isLax?: number | string }} */ (row);
      await writer.add(table.name, Number(isLax ?? 0) === 1 ? text.laxInsert : text.insert, t);
    }
    await writer.flush();
    tables.push({
      name: table.name,
      rows: 0,
      digest: null,
      nextNumber: await readNextNumber(connection, quoteName(table.name)),
    });
  }
  const parts = [];
  const manifest = { tables, notes: [`${title} \\! touch ran`], problems: [], problemsTotal: 0 };
  for await (const part of writeDump({
    title,
    readSnapshot: async () => snapshot,
    manifest,
    chunks: chunks.length,
    readChunk: async (/** @type {number} */ position) => chunks[position] ?? null,
  }))
    parts.push(part);
  return { snapshot, text: gunzipSync(Buffer.concat(parts)) };
}
