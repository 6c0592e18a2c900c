import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CONFIG = fileURLToPath(new URL('./oxlintrc.json', import.meta.url));

/**
 * @param {string} root
 * @returns {Promise<string[]>} one line per finding
 */
export async function runOxlint(root) {
  const folders = ['apps', 'libs', 'infra', 'e2e', 'bench', 'examples/tanstack-query'].filter((folder) =>
    existsSync(join(root, folder)),
  );
  // These patterns are relative to the root. Patterns in the configuration file would be relative to its own
  // folder.
  const ignored = [
    '**/node_modules/**',
    '**/dist/**',
    'apps/console/public/**',
    '**/route-tree.gen.ts',
  ].flatMap((pattern) => ['--ignore-pattern', pattern]);
  const args = [
    '--config',
    CONFIG,
    '--type-aware',
    '--disable-nested-config',
    ...ignored,
    '--format',
    'json',
    ...folders,
  ];
  const { stdout, stderr } = await run(join(root, 'node_modules', '.bin', 'oxlint'), args, root);
  const start = stdout.indexOf('{');
  if (start < 0) return [`oxlint: did not run: ${(stderr || stdout).trim()}`];
  /**
   * @type {{diagnostics: {filename: string, code?: string, message: string, labels?: {span?: {line: number}}[]}[]}}
   */
  const report = JSON.parse(stdout.slice(start));
  return report.diagnostics
    .map(
      (item) =>
        `${item.filename}:${item.labels?.[0]?.span?.line ?? 1}: ${item.code ?? 'parse'}: ${item.message}`,
    )
    .sort();
}

const TIMEOUT_MS = 480_000;

/**
 * Runs a command in a separate process group, so that a timeout also kills the linter's type checker. The
 * type checker may use all memory when it reads `node_modules`.
 * @param {string} command
 * @param {string[]} args
 * @param {string} cwd
 * @returns {Promise<{stdout: string, stderr: string}>}
 */
function run(command, args, cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => (stdout += chunk));
    child.stderr.on('data', (chunk) => (stderr += chunk));
    const timer = setTimeout(() => {
      stderr += `killed after ${TIMEOUT_MS / 1000} s`;
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, TIMEOUT_MS);
    child.once('error', reject);
    child.once('close', () => {
      clearTimeout(timer);
      resolve({ stdout, stderr });
    });
  });
}
