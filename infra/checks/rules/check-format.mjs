import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The folders that `pnpm format` covers. */
const FOLDERS = ['apps', 'libs', 'infra', 'e2e', 'bench', 'docs', 'examples'];

/**
 * @param {string} root
 * @returns {Promise<string[]>} one line per file that the formatter would change
 */
export async function checkFormat(root) {
  const folders = FOLDERS.filter((folder) => existsSync(join(root, folder)));
  const args = [
    '--config',
    '.oxfmtrc.json',
    '--list-different',
    '--no-error-on-unmatched-pattern',
    ...folders,
  ];
  const { code, stdout, stderr } = await run(join(root, 'node_modules', '.bin', 'oxfmt'), args, root);
  const files = stdout.split('\n').filter((line) => /\.(?:ts|tsx|mts|mjs)$/.test(line.trim()));
  if (files.length > 0) return files.map((file) => `${file.trim()}:1: format: run pnpm format`).sort();
  return code === 0 ? [] : [`oxfmt: did not run: ${(stderr || stdout).trim()}`];
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {string} cwd
 * @returns {Promise<{ code: number, stdout: string, stderr: string }>}
 */
function run(command, args, cwd) {
  return new Promise((resolve) => {
    execFile(command, args, { cwd, timeout: 120_000, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr });
    });
  });
}
