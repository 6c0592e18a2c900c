import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { runCli } from '../run-cli.js';
import type { World } from '../world.js';

const home = mkdtempSync(join(tmpdir(), 'rowhouse-cli-test-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

export interface Told {
  code: number;
  out: string;
  err: string;
}

interface Answer {
  readonly status?: number;
  readonly body: unknown;
}

/** The responses by request, such as `GET /api/projects`. A function receives the request body. */
export type Answers = Readonly<Record<string, Answer | ((sent: unknown) => Answer)>>;

interface WorldSpec {
  readonly answers: Answers;
  readonly env?: Readonly<Record<string, string>>;
  readonly lines?: readonly string[];
  readonly cwd?: string;
  readonly stopped?: AbortSignal;
}

/**
 * Creates a test environment without a terminal, with its own home folder unless
 * one is given, and with a control plane that returns the given responses.
 */
export function makeWorld({ answers, env = {}, lines = [], cwd = home, stopped = new AbortController().signal }: WorldSpec): { world: World; told: Told } {
  const told: Told = { code: 0, out: '', err: '' };
  const world: World = {
    cwd, env: { HOME: home, ROWHOUSE_TOKEN: 't', ...env }, isInteractive: false, isTerminal: false, columns: 80, stopped,
    fetch: ((input: string, init: { method?: string; body?: string }) => {
      const answer = answers[`${init.method ?? 'GET'} ${new URL(input).pathname}`] ?? { status: 404, body: { code: 'resource.not_found', detail: 'There is no such thing.', request_id: 'req_1' } };
      const found = typeof answer === 'function' ? answer(JSON.parse(init.body ?? 'null')) : answer;
      return Promise.resolve(new Response(JSON.stringify(found.body), { status: found.status ?? 200 }));
    }) as World['fetch'],
    print: (text) => {
      told.out += text;
    },
    tell: (text) => {
      told.err += text;
    },
    ask: () => Promise.resolve(''),
    readInput: () => Promise.resolve(''),
    readLines: async function* () {
      yield* lines;
    },
  };
  return { world, told };
}

/** Runs a command line in an environment of `makeWorld`. */
export async function run(words: readonly string[], answers: Answers = {}, env: Readonly<Record<string, string>> = {}, lines: readonly string[] = [], cwd = home): Promise<Told> {
  const { world, told } = makeWorld({ answers, env, lines, cwd });
  told.code = await runCli(words, world);
  return told;
}

export const PROJECT = { id: 'prj_1', organization_id: 'org_1', name: 'Blog', created_at: '2026-01-01T00:00:00Z', databases: [] };
