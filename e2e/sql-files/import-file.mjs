// @ts-check
import { gunzipSync } from 'node:zlib';
import { openAdminConnection, quoteName } from '@rowhouse/mysql';

/** @typedef {'mariadb' | 'mysql'} Engine */

const worker = (/** @type {string} */ path) =>
  new URL(`../../apps/migration-worker/dist/transfer/${path}`, import.meta.url).href;
const { readDump } = await import(worker('import/read-dump.js'));
const { createImportReport } = await import(worker('import/import-report.js'));
const { createChunkWriter } = await import(worker('chunk-writer.js'));

/**
 * Imports a file as the product does: its DDL over the scratch database, its rows over the session of a load.
 * Triggers do not fire for the imported rows.
 * @param {{ address: { host: string, port: number, user: string, password: string, version: string }, database: string, engine: Engine, text: Buffer }} load
 */
export async function importFile({ address, database, engine, text }) {
  const connection = await openAdminConnection({ ...address, database });
  /** @type {string[]} */
  const chunks = [];
  const writer = createChunkWriter(
    {
      writeChunk: async (/** @type {unknown} */ _file, /** @type {{ body: Buffer }} */ { body }) =>
        void chunks.push(gunzipSync(body).toString('utf8').replace(/;\n$/, '')),
    },
    { id: 'file', generation: 1 },
  );
  const report = createImportReport();
  try {
    await connection.run('SET SESSION foreign_key_checks = 0');
    const parts = (async function* () {
      yield { text: text.toString('latin1'), isUnicode: false };
    })();
    await readDump(parts, {
      scratch: { schemaName: database, connection },
      server: { engine, engineVersion: address.version },
      writer,
      report,
    });
    const triggers = await connection.rows(
      `SELECT TRIGGER_NAME AS name FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = '${database}'`,
    );
    const texts = [];
    for (const { name } of /** @type {{ name: string }[]} */ (triggers)) {
      const [visible] = await connection.rows(`SHOW CREATE TRIGGER ${quoteName(name)}`);
      texts.push(String(/** @type {Record<string, unknown>} */ (visible)['SQL Original Statement']));
      await connection.run(`DROP TRIGGER ${quoteName(name)}`);
    }
    await connection.run(
      "SET SESSION sql_mode = 'STRICT_TRANS_TABLES,NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES,NO_ENGINE_SUBSTITUTION'",
    );
    for (const chunk of chunks) await connection.run(chunk);
    for (const sql of texts) await connection.run(sql);
    const { problems } = report.close();
    return { code: 0, output: problems.length === 0 ? '' : JSON.stringify(problems), left: [] };
  } catch (error) {
    return { code: 1, output: String(error), left: [] };
  } finally {
    await connection.close();
  }
}
