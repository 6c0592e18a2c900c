// @ts-check
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '@rowhouse/local/processes/free-port';
import { xmysql } from './xmysql.mjs';

/** @typedef {import('./peer.mjs').Peer} Peer */
/** @typedef {import('./peer.mjs').PeerEnvironment['database']} PeerDatabase */

const run = promisify(execFile);
const INSTALL_MS_MAX = 15 * 60_000;
const READY_MS_MAX = 120_000;
/** @type {ReadonlyMap<string, Peer>} */
export const PEERS = new Map([xmysql].map((peer) => [peer.name, peer]));

/**
 * Installs the peer in a folder outside the project and starts it. When either fails, it prints the reason
 * and returns null, since the project does not control registries and systems.
 * @param {Peer} peer
 * @param {PeerDatabase} database the filled example schema
 * @returns {Promise<{ target: import('../lib/bench-case.mjs').BenchTarget, stop: () => Promise<void> } |
 *   null>}
 */
export async function startPeer(peer, database) {
  const folder = join(tmpdir(), `rowhouse-bench-${peer.name}`);
  const logFile = join(folder, 'peer.log');
  try {
    mkdirSync(folder, { recursive: true });
    console.log(`Installing ${peer.packages.join(' ')} in ${folder}`);
    await run(
      'npm',
      ['install', '--prefix', folder, '--no-audit', '--no-fund', '--save-exact', ...peer.packages],
      { timeout: INSTALL_MS_MAX, cwd: folder },
    );
    const port = await findFreePort();
    const { args, env } = peer.start({ folder, port, database });
    const options = { cwd: folder, env: { ...process.env, NODE_ENV: 'production', ...env } };
    const log = openSync(logFile, 'a');
    const child = spawn(process.execPath, [...args], { ...options, stdio: ['ignore', log, log] });
    const base = `http://127.0.0.1:${port}${peer.path}`;
    await waitUntilServed(child, `${base}/posts/1`, peer.key);
    return {
      target: {
        name: peer.name,
        base,
        key: peer.key,
        pids: [/** @type {number} */ (child.pid)],
        cases: peer.cases,
        peer,
      },
      stop: async () => {
        child.kill('SIGTERM');
        await once(child, 'exit');
      },
    };
  } catch (err) {
    console.log(`\n*** SKIPPED: Couldn't run ${peer.name}: ${String(err).slice(0, 400)} (${logFile})\n`);
    return null;
  }
}

/** @param {import('node:child_process').ChildProcess} child @param {string} url @param {string | null} key */
async function waitUntilServed(child, url, key) {
  const endMs = performance.now() + READY_MS_MAX;
  while (performance.now() < endMs) {
    if (child.exitCode !== null) throw new Error(`The process exited with code ${child.exitCode}`);
    const status = await fetch(url, { headers: key === null ? {} : { Authorization: `Bearer ${key}` } }).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 200) return;
    await sleep(200);
  }
  child.kill('SIGKILL');
  throw new Error("The server doesn't return the first post");
}
