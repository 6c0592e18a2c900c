import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '@rowhouse/local/processes/free-port';
import { rootDir } from '@rowhouse/local/paths';
import { provideNewestPython } from '@rowhouse/test-servers/provide-python';
import { createTerminalReport } from '@rowhouse/local/report';
import { afterAll, describe, expect, it } from 'vitest';
import { signUp } from '../../support/control.mjs';
import { readProduct } from '../../support/product.mjs';
import { findReadmeDifferences } from '../../support/code/read-readme.mjs';

const python = await provideNewestPython(createTerminalReport()).catch((err: unknown) => {
  console.warn(`SKIPPED: docs/python.md (${err instanceof Error ? err.message : String(err)})`);
  return null;
});

interface Step {
  readonly command: string;
  readonly answer: unknown;
}

/**
 * Returns the `sh` blocks of the page in order, each with the following `json` block. Excludes the block with
 * the values that the reader must supply, and returns it as `yours`.
 */
function readSteps(): { steps: Step[]; yours: string } {
  const text = readFileSync(join(rootDir, 'docs', 'python.md'), 'utf8');
  const blocks = [...text.matchAll(/(<!-- yours -->\n)?^```(\w+)\n([\s\S]*?)^```$/gm)].map(
    ([, mark, language = '', body = '']) => ({ isYours: mark !== undefined, language, body }),
  );
  const steps = blocks.flatMap(({ isYours, language, body }, index) => {
    const next = blocks[index + 1];
    return language === 'sh' && !isYours
      ? [
          {
            command: body,
            answer: next?.language === 'json' ? (JSON.parse(next.body) as unknown) : undefined,
          },
        ]
      : [];
  });
  return { steps, yours: blocks.find((block) => block.isYours)?.body ?? '' };
}

/**
 * Returns a script that runs all steps in one shell, as a reader would. The output of each step goes to a
 * separate file.
 */
function toScript(steps: readonly Step[], folder: string): string {
  return [
    'set -e',
    ...steps.flatMap(({ command }, index) => [`exec > ${join(folder, `${index}.out`)}`, command]),
    `touch ${join(folder, 'done')}`,
  ].join('\n');
}

describe.skipIf(python === null)('docs/python.md', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rowhouse-page-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('the steps of docs/python.md lead to a working program', async () => {
    const { control } = readProduct();
    const user = await signUp(control, { name: 'reader' });
    const { steps, yours } = readSteps();
    expect([...yours.matchAll(/^(?:export )?(\w+)=/gm)].map((found) => found[1])).toEqual([
      'ROWHOUSE_URL',
      'EMAIL',
      'PASSWORD',
      'PORT',
    ]);
    expect(steps.length).toBeGreaterThan(12);
    const [work, home] = [join(folder, 'work'), join(folder, 'home')];
    for (const path of [work, home]) mkdirSync(path);
    writeFileSync(join(folder, 'page.sh'), `ln -s ${join(rootDir, 'apps')} apps\n${toScript(steps, folder)}`);
    const env = {
      PATH: `${join(home, 'bin')}:${python?.binDir ?? ''}:${process.env['PATH'] ?? ''}`,
      HOME: home,
      npm_config_prefix: home,
      npm_config_offline: 'true',
      PIP_NO_INDEX: '1',
      PIP_FIND_LINKS: python?.wheelDir ?? '',
      PIP_CONFIG_FILE: '/dev/null',
      PIP_DISABLE_PIP_VERSION_CHECK: '1',
      ROWHOUSE_URL: control,
      EMAIL: user.email,
      PASSWORD: user.password,
      PORT: String(await findFreePort()),
    };
    const message = await runShell(join(folder, 'page.sh'), work, env);
    expect(existsSync(join(folder, 'done')), message).toBe(true);
    steps.forEach(({ command, answer }, index) => {
      if (answer === undefined) return;
      const printed = readFileSync(join(folder, `${index}.out`), 'utf8');
      expect(findReadmeDifferences(answer, JSON.parse(printed)), `${command}\n${printed}`).toEqual([]);
    });
  }, 240_000);
});

/**
 * Runs in a separate process group, so that the started program ends with it. Returns the output other than
 * the responses.
 */
function runShell(script: string, cwd: string, env: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', [script], { cwd, env, detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
    let message = '';
    child.stderr.on('data', (chunk: Buffer) => {
      message += chunk.toString();
    });
    child.once('error', reject);
    child.once('exit', () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // The process group has already exited.
      }
      resolve(message);
    });
  });
}
