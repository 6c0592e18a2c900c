import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { runCli } from '../run-cli.js';
import type { CliEnvironment } from '../cli-environment.js';

const home = mkdtempSync(join(tmpdir(), 'rowhouse-cli-test-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

export interface CliResult {
  code: number;
  out: string;
  err: string;
}

interface HttpResponse {
  readonly status?: number;
  readonly body: unknown;
}

/** The responses by request, such as `GET /api/projects`. A function receives the request body. */
export type Answers = Readonly<Record<string, HttpResponse | ((sent: unknown) => HttpResponse)>>;

interface CliEnvironmentSpec {
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
export function makeCliEnvironment({
  answers: responses,
  env = {},
  lines = [],
  cwd = home,
  stopped = new AbortController().signal,
}: CliEnvironmentSpec): { environment: CliEnvironment; reported: CliResult } {
  const result: CliResult = { code: 0, out: '', err: '' };
  const cliEnvironment: CliEnvironment = {
    cwd,
    env: { HOME: home, ROWHOUSE_TOKEN: 't', ...env },
    isInteractive: false,
    isTerminal: false,
    columns: 80,
    stopped,
    fetch: ((input: string, init: { method?: string; body?: string }) => {
      const response = responses[`${init.method ?? 'GET'} ${new URL(input).pathname}`] ?? {
        status: 404,
        body: { code: 'resource.not_found', detail: 'There is no such thing.', request_id: 'req_1' },
      };
      const found = typeof response === 'function' ? response(JSON.parse(init.body ?? 'null')) : response;
      return Promise.resolve(new Response(JSON.stringify(found.body), { status: found.status ?? 200 }));
    }) as CliEnvironment['fetch'],
    print: (text) => {
      result.out += text;
    },
    writeError: (text) => {
      result.err += text;
    },
    ask: () => Promise.resolve(''),
    readInput: () => Promise.resolve(''),
    readLines: async function* () {
      yield* lines;
    },
  };
  return { environment: cliEnvironment, reported: result };
}

/** Runs a command line in an environment of `makeCliEnvironment`. */
export async function run(
  words: readonly string[],
  responses: Answers = {},
  env: Readonly<Record<string, string>> = {},
  lines: readonly string[] = [],
  cwd = home,
): Promise<CliResult> {
  const { environment: cliEnvironment, reported: result } = makeCliEnvironment({
    answers: responses,
    env,
    lines,
    cwd,
  });
  result.code = await runCli(words, cliEnvironment);
  return result;
}

export const PROJECT = {
  id: 'prj_1',
  organization_id: 'org_1',
  name: 'Blog',
  created_at: '2026-01-01T00:00:00Z',
  databases: [],
};
