// @ts-check
import { gzipSync } from 'node:zlib';
import { expectStatus } from '../../../support/control.mjs';
import { send } from '../../../support/http.mjs';
import { waitFor } from '../../../support/wait.mjs';

/**
 * The time limit of a call, in milliseconds. It is long, because the machine may be busy and the suite checks
 * only the length of slices.
 */
const TIMEOUT_MS = 300_000;
/** The number of rows in the dump. Each statement holds a thousand. */
const DUMP_ROWS = 50_000;

/**
 * Lists the API calls that export, import, seed, share and clone the test schema of 400 tables. The order
 * matters, because each call builds on the previous one.
 * @param {import('../../../support/control.mjs').TestUser} user
 * @returns {import('./gateway-cases.mjs').Case[]}
 */
export function listTransferCases(user) {
  const project = `/api/projects/${user.projectId}`;
  const database = `/api/databases/${user.development.id}`;
  const found = { file: '', dump: '', token: '' };
  /**
   * @param {string} method
   * @param {string} path
   * @param {unknown} [body]
   * @param {Record<string, string>} [headers]
   */
  const sendRequest = (method, path, body, headers = {}) => {
    const { base, state } = user.control;
    return send(base, method, path, {
      body,
      headers: { Cookie: state.cookie, 'X-CSRF-Token': state.csrf, ...headers },
      timeoutMs: TIMEOUT_MS,
    });
  };
  /** @param {() => Promise<import('../../../support/http.mjs').HttpResponse>} run */
  const counted = (run) => async () => {
    const { status, text } = await run();
    return { status, bytes: text.length };
  };
  /** @param {string} path @param {(json: any) => boolean} isDone */
  const waitUntil = (path, isDone) =>
    waitFor(
      `${path} is done`,
      async () => {
        const { json } = await sendRequest('GET', path);
        return isDone(json) ? json : undefined;
      },
      { timeoutMs: TIMEOUT_MS },
    );
  /** @param {string} id */
  const waitForFile = async (id) => {
    const file = await waitUntil(`${project}/files/${id}`, ({ state }) => state !== 'writing');
    if (file.state !== 'ready') throw new Error(`the file is ${file.state}: ${JSON.stringify(file.error)}`);
  };
  return [
    { name: 'seed of 400 tables', run: counted(() => sendRequest('POST', `${database}/seed`, { rows: 20 })) },
    {
      name: 'export of 400 tables',
      run: counted(async () => {
        const response = await sendRequest('POST', `${database}/export`, {});
        expectStatus(response, [201, 202], 'export');
        found.file = response.json.id;
        await waitForFile(found.file);
        return response;
      }),
    },
    {
      name: 'download of an export',
      run: counted(() => sendRequest('GET', `${project}/files/${found.file}/download`)),
    },
    {
      name: 'restore of 400 tables',
      run: counted(async () => {
        const response = await sendRequest('POST', `${database}/restore`, {
          file: found.file,
          environment: 'restored',
        });
        expectStatus(response, [202], 'restore');
        await waitUntil(
          `/api/databases/${response.json.database.id}/loads/${response.json.load.id}`,
          ({ state }) => ['done', 'failed', 'cancelled'].includes(state),
        );
        return response;
      }),
    },
    {
      name: 'share of 400 tables',
      run: counted(async () => {
        const response = await sendRequest('POST', `${project}/share`, {
          data: true,
          database: 'development',
        });
        expectStatus(response, [201], 'share');
        found.token = response.json.token;
        await waitUntil(`/api/clone/${found.token}`, (json) => Array.isArray(json?.tables));
        return response;
      }),
    },
    { name: 'preview of a share link', run: counted(() => sendRequest('GET', `/api/clone/${found.token}`)) },
    {
      name: 'clone of 400 tables',
      run: counted(async () => {
        const response = await sendRequest('POST', `/api/clone/${found.token}`, { name: 'Copy' });
        expectStatus(response, [201], 'clone');
        const development = response.json.databases.find(
          (/** @type {any} */ item) => item.environment === 'development',
        );
        await waitUntil(`/api/databases/${development.id}/loads/${response.json.load.id}`, ({ state }) =>
          ['done', 'failed', 'cancelled'].includes(state),
        );
        return response;
      }),
    },
    ...[
      { name: 'import of a dump', type: 'application/sql', body: () => makeDump() },
      { name: 'import of a zipped dump', type: 'application/gzip', body: () => gzipSync(makeDump()) },
    ].map(({ name, type, body }) => ({
      name,
      run: counted(async () => {
        const response = await sendRequest('POST', `${project}/schema/import`, body(), {
          'Content-Type': type,
        });
        expectStatus(response, [201, 202], 'import');
        await waitForFile(response.json.id);
        return response;
      }),
    })),
  ];
}

/** Returns a dump of about 6 MB: one table with thousands of rows, and one row with a large value. */
function makeDump() {
  const statements = Array.from({ length: DUMP_ROWS / 1_000 }, (_, part) => {
    const rows = Array.from(
      { length: 1_000 },
      (_row, index) => `(${part * 1_000 + index + 1},'row ${index} it''s ${'x'.repeat(60)}',${index})`,
    );
    return `INSERT INTO \`dumped\` VALUES ${rows.join(',')};\n`;
  });
  const large = `INSERT INTO \`dumped\` VALUES (${DUMP_ROWS + 1},'${"y\\'".repeat(300_000)}',0);\n`;
  return `CREATE TABLE \`dumped\` (\`id\` int NOT NULL, \`body\` longtext NOT NULL, \`n\` int NOT NULL, PRIMARY KEY (\`id\`)) ENGINE=InnoDB;\n${statements.join('')}${large}`;
}
