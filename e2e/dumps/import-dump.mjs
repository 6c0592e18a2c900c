// @ts-check
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { openProject } from '../support/control.mjs';
import { waitFor } from '../support/wait.mjs';

const TIMEOUT_MS = 300_000;

/**
 * @typedef {object} Imported
 * @property {any} file the response about the uploaded file; null when the upload was rejected
 * @property {any} load the response about the restore; null without one
 * @property {string | null} database the id of the restored database
 * @property {string | null} refusal
 */

/**
 * Imports a dump into a new project over HTTP and restores it into a new database.
 * @param {import('../support/control.mjs').TestUser} user
 * @param {string} path
 * @param {string} name the name of the project
 * @returns {Promise<Imported>}
 */
export async function importDump(user, path, name) {
  const project = await openProject(user, { name });
  const call = (
    /** @type {string} */ method,
    /** @type {string} */ apiPath,
    /** @type {unknown} */ body,
    /** @type {Record<string, string>} */ headers = {},
  ) => user.control.call(method, `/api/${apiPath}`, body, headers);
  const upload = await call(
    'POST',
    `projects/${project.projectId}/schema/import?mode=apply`,
    gzipSync(readFileSync(path)),
    { 'Content-Type': 'application/gzip' },
  );
  if (upload.status >= 400)
    return { file: null, load: null, database: null, refusal: describe(upload.json.error ?? upload.json) };
  const id = upload.json.file?.id ?? upload.json.id;
  const file = await waitFor(
    'the dump is read',
    async () => {
      const { json } = await call('GET', `projects/${project.projectId}/files/${id}`, undefined);
      return json.state === 'writing' ? undefined : json;
    },
    { timeoutMs: TIMEOUT_MS },
  );
  if (file.state === 'failed') return { file, load: null, database: null, refusal: describe(file.error) };
  const restored = await call('POST', `databases/${project.development.id}/restore`, {
    file: file.id,
    environment: 'copy',
  });
  if (restored.status >= 400)
    return { file, load: null, database: null, refusal: describe(restored.json.error ?? restored.json) };
  const { database, load } = restored.json;
  const ended = await waitFor(
    'the dump is restored',
    async () => {
      const { json } = await call('GET', `databases/${database.id}/loads/${load.id}`, undefined);
      return ['done', 'failed', 'cancelled'].includes(json.state) ? json : undefined;
    },
    { timeoutMs: TIMEOUT_MS },
  );
  return {
    file,
    load: ended,
    database: database.id,
    refusal: ended.error === null ? null : describe(ended.error),
  };
}

/** @param {{ detail?: unknown, hint?: string }} body */
function describe({ detail, hint }) {
  const message = typeof detail === 'object' ? JSON.stringify(detail) : detail;
  return [message, hint]
    .filter((text) => text !== undefined)
    .join(' ')
    .slice(0, 600);
}
