// @ts-check
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootDir } from '@rowhouse/local/paths';

/**
 * @typedef {{ code: number | null, stdout: string, stderr: string, json: any }} CliResponse
 * @typedef {object} Cli
 * @property {string} home contains the config folder of this person
 * @property {string} folder the working directory
 * @property {Record<string, string>} env
 * @property {(args: string[], options?: { input?: string, cwd?: string, env?: Record<string, string> }) => Promise<CliResponse>}
 *   run
 * @property {(args: string[]) => { text: () => string, stop: () => Promise<number | null> }} start runs a
 *   command until it is stopped
 * @property {() => void} remove
 */

/**
 * Packs the CLI and installs it into a separate folder with a separate home.
 * @param {string} control
 * @returns {Cli}
 */
export function installCli(control) {
  const environment = mkdtempSync(join(tmpdir(), 'rowhouse-cli-'));
  const [home, folder] = [join(environment, 'home'), join(environment, 'work')];
  for (const path of [home, folder]) mkdirSync(path);
  execFileSync('npm', ['pack', '--silent', '--pack-destination', environment], {
    cwd: join(rootDir, 'apps', 'cli'),
  });
  const archive = readdirSync(environment).find((name) => name.endsWith('.tgz')) ?? '';
  execFileSync(
    'npm',
    [
      'install',
      '--silent',
      '--no-audit',
      '--no-fund',
      '--offline',
      '--prefix',
      environment,
      join(environment, archive),
    ],
    { cwd: environment },
  );
  const binDir = join(environment, 'node_modules', '.bin');
  const env = { PATH: `${binDir}:${process.env['PATH'] ?? ''}`, HOME: home, ROWHOUSE_URL: control };
  /** @param {string[]} args @param {{ cwd?: string, env?: Record<string, string> }} [options] */
  const open = (args, options = {}) =>
    spawn(join(binDir, 'rowhouse'), args, {
      cwd: options.cwd ?? folder,
      env: { ...env, ...options.env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  return {
    home,
    folder,
    env,
    run: (args, options = {}) =>
      new Promise((resolve, reject) => {
        const child = open(args, options);
        let [stdout, stderr] = ['', ''];
        child.stdout.on('data', (chunk) => {
          stdout += chunk;
        });
        child.stderr.on('data', (chunk) => {
          stderr += chunk;
        });
        child.once('error', reject);
        child.once('close', (code) => resolve({ code, stdout, stderr, json: parse(stdout) }));
        // A command that exits without reading closes its end first.
        child.stdin.on('error', () => {});
        child.stdin.end(options.input ?? '');
      }),
    start: (args) => {
      const child = open(args);
      let text = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk) => {
          text += chunk;
        });
      const ended = new Promise((resolve) => child.once('close', resolve));
      return {
        text: () => text,
        stop: () => {
          child.kill('SIGINT');
          return /** @type {Promise<number | null>} */ (ended);
        },
      };
    },
    remove: () => rmSync(environment, { recursive: true, force: true }),
  };
}

/** @param {string} text */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
