// @ts-check
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import { rootDir } from '@rowhouse/local/paths';
import { listen } from './listen.mjs';

export const CLI = join(rootDir, 'apps', 'cli', 'dist', 'main.js');

/** @typedef {{ args: string[], env: Record<string, string> }} StdioUse how `rowhouse mcp` is called */

/** @param {string} gateway @param {string} key @returns {StdioUse} */
export function rowsOf(gateway, key) {
  return { args: ['--gateway', gateway], env: { ROWHOUSE_KEY: key } };
}

/** @param {string} control @param {string} token @returns {StdioUse} */
export function projectsOf(control, token) {
  return { args: ['--projects', '--url', control], env: { ROWHOUSE_TOKEN: token } };
}

/**
 * Serves `rowhouse mcp` over HTTP, because the suites speak only HTTP. A request body becomes a line of its
 * input, and its output becomes the response body.
 * @param {StdioUse} use
 * @returns {Promise<{ url: string, close: () => Promise<void> }>}
 */
export async function startStdioFront({ args, env }) {
  const child = spawn(process.execPath, [CLI, 'mcp', ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  /**
   * The waiting requests by the id of their message, oldest first.
   * @type {Map<string, ((line: string) => void)[]>}
   */
  const waiting = new Map();
  createInterface({ input: child.stdout }).on('line', (line) =>
    waiting.get(JSON.stringify(JSON.parse(line).id))?.shift()?.(line),
  );
  /** @param {import('node:http').IncomingMessage} req @param {import('node:http').ServerResponse} res */
  async function pass(req, res) {
    if (req.method !== 'POST') return res.writeHead(405).end();
    const body = await text(req);
    const { id } = JSON.parse(body);
    const name = JSON.stringify(id);
    /** @type {Promise<string> | null} */
    const answered =
      id === undefined
        ? null
        : new Promise((resolve) => waiting.set(name, [...(waiting.get(name) ?? []), resolve]));
    child.stdin.write(`${body.replaceAll(/[\r\n]+/g, ' ')}\n`);
    if (answered === null) return res.writeHead(202).end();
    return res.writeHead(200, { 'content-type': 'application/json' }).end(await answered);
  }
  const server = createServer((req, res) => {
    pass(req, res).catch(() => res.destroy());
  });
  const front = await listen(server, '/mcp');
  return {
    url: front.url,
    async close() {
      await front.close();
      child.stdin.end();
      await new Promise((resolve) => {
        if (child.exitCode !== null) resolve(undefined);
        else child.once('exit', resolve);
      });
    },
  };
}
