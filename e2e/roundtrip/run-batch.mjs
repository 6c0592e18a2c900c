// @ts-check
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { openAdminConnection } from '@rowhouse/mysql';
import { loadFile } from '../sql-files/load-file.mjs';
import { openProject } from '../support/control.mjs';
import { waitFor } from '../support/wait.mjs';
import { compareContents, readContents } from './compare-copies.mjs';
import { makeBatch } from './make-batch.mjs';

/** @typedef {import('../support/control.mjs').TestUser} User */
/** @typedef {{ host: string, port: number, user: string, password: string }} Admin */
/** @typedef {{ engine: 'mariadb' | 'mysql', control: string, admin: Admin, platform: Admin, plain: Admin, client: import('../sql-files/load-file.mjs').Client, folder: string }} Stage */
/** @typedef {{ seed: number, schemas: number, tables: number, values: number, refused: number, faults: { codePath: string, faults: string[] }[] }} Outcome */

const WAIT = { timeoutMs: 180_000, intervalMs: 100 };

/**
 * @param {Stage} stage
 * @param {User} user
 * @param {number} seed
 * @param {number} schemas
 * @returns {Promise<Outcome>}
 */
export async function runBatch(stage, user, seed, schemas) {
  const project = await openProject(user, { name: `round ${seed}` });
  const root = await openAdminConnection(stage.admin);
  try {
    const schema = await findSchema(stage, project.development.id);
    const rejected = await fill(stage, schema, makeBatch(stage.engine, seed, schemas));
    const before = await readContents(root, schema);
    /** @type {Outcome['faults']} */
    const faults = [];
    const report = (/** @type {string} */ codePath, /** @type {string[]} */ found) =>
      void (found.length > 0 && faults.push({ codePath, faults: found }));
    const call = (/** @type {string} */ method, /** @type {string} */ path, /** @type {unknown} */ body) =>
      project.control.call(method, `/api/${path}`, body);
    const exported = await call('POST', `databases/${project.development.id}/export`, {});
    const file = await waitFor(
      'the file is written',
      async () => {
        const { json } = await call(
          'GET',
          `projects/${project.projectId}/files/${exported.json.id}`,
          undefined,
        );
        return json.state === 'writing' ? undefined : json;
      },
      WAIT,
    );
    if (file.state !== 'ready') report('export', [JSON.stringify(file.error)]);
    else {
      report('client', await loadPlain(stage, project, file.id, seed, before));
      report(
        'restore',
        await compareLoad(
          stage,
          root,
          before,
          project,
          await call('POST', `databases/${project.development.id}/restore`, {
            file: file.id,
            environment: 'copy',
          }),
        ),
      );
      report('clone', await cloneShared(stage, root, before, project));
    }
    const outcome = {
      seed,
      schemas,
      tables: before.tables.size,
      values: before.values,
      refused: rejected,
      faults,
    };
    await call('DELETE', `projects/${project.projectId}`, undefined);
    return outcome;
  } finally {
    await root.close();
  }
}

/** @param {Stage} stage @param {string} database @returns {Promise<string>} */
async function findSchema(stage, database) {
  const platform = await openAdminConnection(stage.platform);
  try {
    const [row] = /** @type {{ schema_name: string }[]} */ (
      await platform.rows('SELECT schema_name FROM rowhouse_cell.tenant_database WHERE id = ?', [database])
    );
    return row?.schema_name ?? '';
  } finally {
    await platform.close();
  }
}

/**
 * Fills the tables over a session without strict mode, which is how legacy data was written. Returns the
 * number of statements that the server rejected.
 * @param {Stage} stage
 * @param {string} database
 * @param {string[]} statements
 */
async function fill(stage, database, statements) {
  const connection = await openAdminConnection({ ...stage.admin, database });
  let rejected = 0;
  try {
    await connection.run(
      "SET SESSION sql_mode = 'NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES', foreign_key_checks = 0",
    );
    for (const sql of statements) {
      await connection.run(sql).catch((/** @type {Error} */ error) => {
        rejected += 1;
        if (process.env['ROUNDTRIP_REFUSED']) console.log(error.message, sql.slice(0, 200));
      });
    }
  } finally {
    await connection.close();
  }
  return rejected;
}

/**
 * @param {Stage} stage
 * @param {User} project
 * @param {string} file
 * @param {number} seed
 * @param {import('./compare-copies.mjs').Contents} before
 */
async function loadPlain(stage, project, file, seed, before) {
  const response = await fetch(`${stage.control}/api/projects/${project.projectId}/files/${file}/download`, {
    headers: { cookie: project.control.state.cookie },
  });
  if (response.status !== 200) return [`the download answered ${response.status}: ${await response.text()}`];
  const text = gunzipSync(Buffer.from(await response.arrayBuffer()));
  const plain = await openAdminConnection(stage.plain);
  const database = `plain${seed}`;
  try {
    await plain.run(`CREATE DATABASE ${database} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci`);
    const { code, output } = await loadFile({
      client: stage.client,
      address: stage.plain,
      database,
      text,
      way: 'batch',
      folder: join(stage.folder, String(seed)),
    });
    if (code !== 0 || output !== '')
      return [`the client ended with ${code} and said ${output.slice(0, 500)}`];
    return compareContents(before, await readContents(plain, database));
  } finally {
    await plain.run(`DROP DATABASE IF EXISTS ${database}`);
    await plain.close();
  }
}

/**
 * @param {Stage} stage
 * @param {import('@rowhouse/mysql').AdminConnection} root
 * @param {import('./compare-copies.mjs').Contents} before
 * @param {User} user
 * @param {import('../support/http.mjs').HttpResponse} response
 */
async function compareLoad(stage, root, before, user, response) {
  const { database, load } = response.json;
  if (load === undefined) return [response.text];
  const ended = await waitFor(
    'the load ends',
    async () => {
      const { json } = await user.control.call('GET', `/api/databases/${database.id}/loads/${load.id}`);
      return ['done', 'failed', 'cancelled'].includes(json.state) ? json : undefined;
    },
    WAIT,
  );
  if (ended.state !== 'done') return [JSON.stringify(ended.error)];
  return compareContents(before, await readContents(root, await findSchema(stage, database.id)));
}

/**
 * @param {Stage} stage
 * @param {import('@rowhouse/mysql').AdminConnection} root
 * @param {import('./compare-copies.mjs').Contents} before
 * @param {User} project
 */
async function cloneShared(stage, root, before, project) {
  const shared = await project.control.call('POST', `/api/projects/${project.projectId}/share`, {
    name: 'round',
    data: true,
    database: 'development',
  });
  if (shared.status !== 201) return [shared.text];
  await waitFor(
    'the copy is made',
    async () =>
      (await project.control.call('GET', `/api/clone/${shared.json.token}`)).status === 200 || undefined,
    WAIT,
  );
  const cloned = await project.control.call('POST', `/api/clone/${shared.json.token}`, { name: 'copy' });
  const database = cloned.json.databases?.find(
    (/** @type {{ environment: string }} */ item) => item.environment === 'development',
  );
  const faults =
    database === undefined
      ? [cloned.text]
      : await compareLoad(stage, root, before, project, {
          ...cloned,
          json: { database, load: cloned.json.load },
        });
  if (cloned.json.id !== undefined || cloned.json.project !== undefined)
    await project.control.call('DELETE', `/api/projects/${cloned.json.project?.id ?? cloned.json.id}`);
  return faults;
}
