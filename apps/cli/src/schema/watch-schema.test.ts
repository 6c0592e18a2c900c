import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runCli } from '../run-cli.js';
import { makeCliEnvironment, PROJECT } from '../testing/run.js';

const DATABASE = {
  id: 'db_1',
  environment: 'development',
  state: 'ready',
  snapshot_number: 1,
  base_url: 'http://127.0.0.1:1/',
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rowhouse-watch-test-'));
  writeFileSync(
    join(folder, 'rowhouse.json'),
    JSON.stringify({ project: PROJECT.id, database: 'development', schema: 'schema.sql' }),
  );
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs `rowhouse schema watch` over a working schema that tests can change. */
function watch(remote: { sql: string; revision: number }) {
  const stop = new AbortController();
  const rejected: string[] = [];
  const put = (sent: unknown) => {
    const { sql, base_revision: base } = sent as { sql: string; base_revision: number };
    const isStale = base !== remote.revision;
    if (isStale || sql.includes('wrong')) {
      rejected.push(sql);
      return {
        status: 409,
        body: {
          code: isStale ? 'schema.stale_base' : 'schema.invalid',
          detail: 'No.',
          revision: remote.revision,
        },
      };
    }
    Object.assign(remote, { sql, revision: remote.revision + 1 });
    return { body: { ...remote, notes: [] } };
  };
  const { environment: cliEnvironment, reported: result } = makeCliEnvironment({
    cwd: folder,
    stopped: stop.signal,
    answers: {
      'GET /api/projects': { body: { items: [{ ...PROJECT, databases: [DATABASE] }] } },
      'GET /api/databases/db_1': { body: DATABASE },
      'GET /api/projects/prj_1/schema': () => ({ body: remote }),
      'PUT /api/projects/prj_1/schema': put,
      'GET /api/projects/prj_1/diff': () => ({ body: { revision: remote.revision, plans: [] } }),
    },
  });
  const running = runCli(['schema', 'watch'], cliEnvironment);
  const end = (): Promise<number> => {
    stop.abort();
    return running;
  };
  return { told: result, refused: rejected, end };
}

describe('watchSchema', () => {
  const path = (): string => join(folder, 'schema.sql');
  const save = (text: string, seconds: number): void => {
    writeFileSync(path(), text);
    utimesSync(path(), seconds, seconds);
  };

  it('a schema file that conflicts with another revision is accepted when saved again', async () => {
    const remote = { sql: 'one', revision: 1 };
    const { told: result, refused: rejected, end } = watch(remote);
    await vi.waitFor(() => expect(result.err).toContain('Watching'));
    Object.assign(remote, { sql: 'theirs', revision: 2 });
    save('mine', 1_000);
    await vi.waitFor(() => expect(result.err).toContain('save the file again to keep your version'), {
      timeout: 5_000,
    });
    expect(remote.sql).toBe('theirs');
    save('mine', 2_000);
    await vi.waitFor(() => expect(remote).toEqual({ sql: 'mine', revision: 3 }), { timeout: 5_000 });
    expect(rejected).toEqual(['mine']);
    expect(await end()).toBe(0);
  });

  it('watchSchema uploads an existing file and prints how to restore the replaced revision', async () => {
    save('mine', 1_000);
    const remote = { sql: 'theirs', revision: 5 };
    const { told: result, end } = watch(remote);
    await vi.waitFor(() => expect(result.err).toContain('Watching'));
    expect(remote).toEqual({ sql: 'mine', revision: 6 });
    expect(result.err).toContain(
      'had changed since revision 5. It is saved as revision 6. To go back: rowhouse schema restore 5',
    );
    expect(await end()).toBe(0);
  });

  it('watchSchema does not overwrite a rejected file with another revision', async () => {
    const remote = { sql: 'one', revision: 1 };
    const { told: result, end } = watch(remote);
    await vi.waitFor(() => expect(result.err).toContain('Watching'));
    save('wrong', 1_000);
    await vi.waitFor(() => expect(result.err).toContain('No.'), { timeout: 5_000 });
    Object.assign(remote, { sql: 'theirs', revision: 2 });
    // This wait is longer than the interval of the check for remote changes.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(readFileSync(path(), 'utf8')).toBe('wrong');
    save('right', 2_000);
    await vi.waitFor(() => expect(result.err).toContain('changed elsewhere'), { timeout: 5_000 });
    expect(readFileSync(path(), 'utf8')).toBe('right');
    expect(await end()).toBe(0);
  });
});
