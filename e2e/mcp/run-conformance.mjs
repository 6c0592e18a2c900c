// @ts-check
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { rootDir } from '@rowhouse/local/paths';

/**
 * @typedef {object} Check one finding of the official suite
 * @property {string} scenario
 * @property {string} id
 * @property {string} status SUCCESS, FAILURE, WARNING, SKIPPED or INFO
 * @property {string} message
 */

const run = promisify(execFile);
/** The suites need a newer Node than the product. */
const ownNode = join(rootDir, 'node_modules', '.bin', 'node');
const NODE = existsSync(ownNode) ? ownNode : process.execPath;

/**
 * Runs all scenarios for servers of the official conformance suite.
 * @param {{ suite: 'conformance-2025' | 'conformance-2026', url: string, revision: string }} options
 * @returns {Promise<Check[]>}
 */
export async function runConformance({ suite, url, revision }) {
  const folder = mkdtempSync(join(tmpdir(), 'rowhouse-conformance-'));
  try {
    // The suite exits with 1 when a check failed. The failures are read from its files.
    await run(
      NODE,
      [findEntry(suite), 'server', '--url', url, '--suite', 'all', '--spec-version', revision, '-o', folder],
      { timeout: 240_000, maxBuffer: 64 * 1024 * 1024 },
    ).catch((err) => {
      if (err.code !== 1) throw err;
    });
    return readChecks(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} name @returns {string} */
export function findVersion(name) {
  return JSON.parse(readFileSync(join(dirname(findEntry(name)), '..', 'package.json'), 'utf8')).version;
}

/** @param {string} name */
function findEntry(name) {
  return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), 'dist', 'index.js');
}

/**
 * Reads the checks, which are in one folder per scenario: `server-{name}-{time}`.
 * @param {string} folder
 * @returns {Check[]}
 */
function readChecks(folder) {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name)?.[1] ?? name;
      /** @type {{ id: string, status: string, errorMessage?: string }[]} */
      const checks = JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8'));
      return checks.map(({ id, status, errorMessage }) => ({
        scenario,
        id,
        status,
        message: errorMessage ?? '',
      }));
    });
}
