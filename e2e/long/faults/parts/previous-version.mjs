// @ts-check
/**
 * Builds the last version of the repository before a given file was added, and runs its launcher as a user
 * does.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootDir } from '@rowhouse/local/paths';
import { findFreePort } from '@rowhouse/local/processes/free-port';
import { waitFor } from '../../../support/wait.mjs';

/** @typedef {{ root: string, commit: string, remove: () => void }} Version */

/** @param {readonly string[]} args */
const git = (args, cwd = rootDir) => execFileSync('git', args, { cwd, encoding: 'utf8' }).trim();

/**
 * Checks out the commit before the one that added `path`, and builds it.
 * @param {string} path
 * @returns {Version} `remove` deletes the checkout
 */
export function buildVersionBefore(path) {
  const added = git(['log', '--diff-filter=A', '--format=%H', '--', path]).split('\n').at(-1) ?? '';
  const commit = git(['rev-parse', `${added}^`]);
  const root = join(mkdtempSync(join(tmpdir(), 'rowhouse-previous-')), 'rowhouse');
  git(['worktree', 'add', '--detach', root, commit]);
  const remove = () => {
    git(['worktree', 'remove', '--force', root]);
    rmSync(join(root, '..'), { recursive: true, force: true });
  };
  try {
    console.log(`Building ${commit.slice(0, 8)} in ${root}`);
    execFileSync('npx', ['-y', 'pnpm@12', 'install', '--frozen-lockfile'], { cwd: root, stdio: 'ignore' });
    execFileSync(process.execPath, ['infra/local/build.mjs'], { cwd: root, stdio: 'ignore' });
  } catch (err) {
    remove();
    throw err;
  }
  return { root, commit, remove };
}

/**
 * Runs the launcher of a checkout on a data folder.
 * @param {string} root
 * @param {string} dataDir
 * @param {Record<string, string>} env
 */
export async function launch(root, dataDir, env = {}) {
  const { MYSQL_URL: _mysql, PLATFORM_MYSQL_URL: _platform, REDIS_URL: _redis, ...rest } = process.env;
  const control = await findFreePort();
  const ports = {
    CONTROL_PORT: String(control),
    GATEWAY_PORT: String(await findFreePort(new Set([control]))),
  };
  const child = spawn(process.execPath, [join(root, 'infra', 'local', 'start.mjs')], {
    cwd: root,
    env: { ...rest, ...ports, ROWHOUSE_ENV: 'test', ROWHOUSE_DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  /** @type {Promise<number | null>} */
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  return {
    output: () => output,
    /**
     * Waits until the launcher prints a text. Returns false if the launcher ends first.
     * @param {string} text
     */
    async prints(text) {
      await waitFor(text, async () => output.includes(text) || hasEnded(), {
        timeoutMs: 300_000,
        intervalMs: 2,
      });
      return output.includes(text);
    },
    /**
     * Sends a signal and waits until the launcher and everything it started have ended.
     * @param {NodeJS.Signals} signal
     */
    async end(signal) {
      const file = join(dataDir, 'processes.json');
      const started = existsSync(file)
        ? /** @type {{ pid: number }[]} */ (JSON.parse(readFileSync(file, 'utf8')))
        : [];
      child.kill(signal);
      const code = await ended;
      await waitFor(
        'all processes have ended',
        async () => started.every(({ pid }) => !existsSync(`/proc/${pid}`)),
        { timeoutMs: 20_000 },
      );
      return code;
    },
  };
}
