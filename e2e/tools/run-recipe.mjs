// @ts-check
/** Runs one recipe of docs/tools.md in its own folder, as a reader would. */
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const TIMEOUT_MS = 180_000;
const SHOWN_CHARACTERS_MAX = 300;

/** The post that every recipe prints. */
export const TITLE = 'Printed by a recipe';

/** Texts that must be in the output of a tool that reads schemas. @type {Record<string, RegExp>} */
const ALSO = {
  'drizzle-kit generate': /CREATE TABLE `labels`/,
  'drizzle-kit pull':
    /primaryKey\(\{ columns: \[table\.postId, table\.tagId\]|primaryKey\(\{ columns: \[table\.id\]/,
  'mariadb-dump': /CREATE TABLE `posts`/,
  mysqldump: /CREATE TABLE `posts`/,
  Django: /class Posts\(models\.Model\)/,
};
/** Tools that print a schema and no rows. */
const WITHOUT_ROWS = new Set(['drizzle-kit pull', 'drizzle-kit generate']);

/**
 * @typedef {object} Outcome
 * @property {boolean} works
 * @property {string} found what the recipe printed, or why it failed
 * @property {string} output
 */

/**
 * @param {import('./read-recipes.mjs').Recipe} recipe
 * @param {{ folder: string, env: NodeJS.ProcessEnv }} place `folder` is created, and removed if the recipe works
 * @returns {Promise<Outcome>}
 */
export async function runRecipe(recipe, { folder, env }) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const file of recipe.files) writeFileSync(join(folder, file.name), file.text);
  const { code, output } = await run('sh', ['-e', '-c', recipe.script], folder, env);
  const isPrinted = WITHOUT_ROWS.has(recipe.name) || output.includes(TITLE);
  const isComplete = ALSO[recipe.name]?.test(output) ?? true;
  const works = code === 0 && isPrinted && isComplete;
  if (works) rmSync(folder, { recursive: true, force: true });
  return { works, found: works ? 'ran' : describeFailure(code, output, isPrinted), output };
}

/** @param {number} code @param {string} output @param {boolean} isPrinted */
function describeFailure(code, output, isPrinted) {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (code === 0)
    return isPrinted ? 'ran, but its schema lacks what the database has' : 'ran, but did not print the post';
  const telling = lines.find((line) => /error|denied|refused|cannot|not /i.test(line)) ?? lines.at(-1) ?? '';
  return `exit ${code}: ${telling.slice(0, SHOWN_CHARACTERS_MAX)}`;
}

/**
 * @param {string} command @param {string[]} args @param {string} cwd @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{ code: number, output: string }>}
 */
function run(command, args, cwd, env) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: TIMEOUT_MS });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (/** @type {Buffer} */ chunk) => (output += chunk));
    child.once('error', (err) => resolve({ code: 127, output: err.message }));
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}
