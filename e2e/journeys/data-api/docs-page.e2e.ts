import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Locator } from 'playwright-core';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeBlog } from '../../support/schemas/blog.mjs';
import { createAccessNotes, fitsWidth, openConsole } from '../../support/console/open-console.mjs';
import { deploy, signUp, type TestUser } from '../../support/control.mjs';
import { openApi, send } from '../../support/http.mjs';
import { readProduct } from '../../support/product.mjs';
import { waitFor } from '../../support/wait.mjs';

/** A table comment of a hostile tenant that tries to run in the reader's browser. */
const HOSTILE =
  '<img src="http://evil.example/a.png" onerror="window.hacked=1"><script>window.hacked=1</script>[x](javascript:window.hacked=1)';

describe('the docs page in a browser', () => {
  const product = readProduct();
  const access = createAccessNotes();
  let browser: Awaited<ReturnType<typeof openConsole>>;
  let user: TestUser;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'docs-page-'));
    user = await signUp(product.control);
    await deploy(
      user,
      `CREATE TABLE hostile (id int AUTO_INCREMENT PRIMARY KEY COMMENT '${HOSTILE}', note varchar(20) NULL) COMMENT '${HOSTILE}'`,
    );
    for (const base of product.gateways)
      await waitFor(
        'the table is served',
        async () => (await openApi(base, user.key).get('/hostile')).status === 200,
      );
    await writeBlog(openApi(product.gateways[0], user.key), 'docs');
    browser = await openConsole(user);
  });
  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const docsUrl = (base: string): string => `${base}/v1/-/docs/${user.development.docs_slug}`;

  /** Opens a table of the reference, and one of its operations. */
  async function openOperation(table: string, path: string): Promise<Locator> {
    const { page } = browser;
    await page.getByRole('navigation').getByRole('link', { name: table, exact: true }).click();
    await page.getByRole('heading', { level: 1, name: table }).waitFor();
    const operation = page.locator('details.operation', {
      has: page.locator('summary', { hasText: new RegExp(`^${path.replaceAll(/[/{}]/g, '\\$&')}`) }),
    });
    await operation.locator('summary').first().click();
    return operation;
  }

  /** Runs the suggested request, and returns the displayed response. */
  async function run(operation: Locator): Promise<string> {
    await operation.getByRole('button', { name: /^Run/ }).click();
    const response = operation.getByRole('status', { name: 'Response' });
    await response.waitFor();
    return response.innerText();
  }

  async function addKey(key: string, isStored = false): Promise<void> {
    const { page } = browser;
    await page.getByRole('button', { name: 'Add key' }).click();
    const dialog = page.getByRole('dialog', { name: 'API key' });
    await dialog.getByLabel('Key', { exact: true }).fill(key);
    if (isStored) await dialog.getByRole('checkbox').check();
    await dialog.getByRole('button', { name: 'Use key' }).click();
    await page.getByRole('button', { name: 'Key set' }).waitFor();
  }

  it('the docs page sends requests with the entered key, and none to another host', async () => {
    for (const base of product.gateways) {
      await browser.page.goto('about:blank');
      await browser.page.goto(docsUrl(base));
      await addKey(user.key);
      expect(await run(await openOperation('posts', 'GET/posts'))).toMatch(/^200 [^]*First docs/);
    }
    expect(await run(await openOperation('tags', 'POST/tags'))).toMatch(/^201 /);
    expect(await run(await openOperation('Database', 'POST/query'))).toMatch(/^200 [^]*"one": 1/);
    const hosts = product.gateways.map((base) => new URL(base).host);
    expect([...browser.hosts].sort()).toEqual([...new Set(hosts)].sort());
    expect(browser.troubles).toEqual([]);
  });

  it('the printed JavaScript and TypeScript samples run', async () => {
    const { page } = browser;
    const operation = await openOperation('tags', 'GET/tags');
    const read = async (language: string): Promise<string> => {
      await operation.getByRole('tab', { name: language }).click();
      return operation.getByRole('group', { name: `${language} example` }).innerText();
    };
    for (const name of ['client', 'runtime', 'types']) {
      const { text } = await send(
        product.gateways[0],
        'GET',
        `${new URL(page.url()).pathname}/client/${name}.ts`,
      );
      await writeFile(join(folder, `client-${name}.mjs`), compile(text));
    }
    await writeFile(join(folder, 'javascript.mjs'), await read('JavaScript'));
    await writeFile(join(folder, 'typescript.mjs'), compile(await read('TypeScript')));
    for (const name of ['javascript', 'typescript']) {
      const env = { ...process.env, ROWHOUSE_KEY: user.key };
      const { stdout } = await promisify(execFile)(process.execPath, [join(folder, `${name}.mjs`)], { env });
      expect([name, stdout]).toEqual([name, expect.stringContaining('news docs')]);
    }
    for (const [language, part] of [
      ['curl', 'curl "'],
      ['Python', 'requests.get('],
      ['PHP', 'file_get_contents('],
      ['Go', 'package main'],
    ] as const)
      expect(await read(language)).toContain(part);
  });

  it('the docs page is searched with the keyboard, and accessible in light, dark and narrow form', async () => {
    const { page } = browser;
    await page.goto('about:blank');
    await page.goto(docsUrl(product.gateways[0]));
    await page.getByRole('heading', { name: 'Authentication' }).waitFor();
    await access.note(page, 'overview');
    await page.keyboard.press('/');
    await page.keyboard.type('posts.title');
    await page.getByRole('option', { name: 'posts.title' }).waitFor();
    await access.note(page, 'search');
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: /title/ }).first().waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('get /posts list');
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: 'curl' }).waitFor();
    await page.getByRole('button', { name: 'Dark mode' }).click();
    expect(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor')).toBe(
      'rgb(22, 26, 25)',
    );
    await access.note(page, 'dark operation');
    await page.setViewportSize({ width: 375, height: 800 });
    await page.locator('details.parameters > summary').first().click();
    expect(await fitsWidth(page)).toBe(true);
    await page.getByRole('button', { name: 'Add key' }).click();
    await page.getByRole('dialog', { name: 'API key' }).waitFor();
    await access.note(page, 'narrow dialog');
    await page.keyboard.press('Escape');
    expect(await page.evaluate('document.activeElement?.textContent')).toBe('Add key');
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole('button', { name: 'Dark mode' }).click();
    expect(access.faults).toEqual([]);
  });

  it("the docs page does not run scripts in a tenant's table comments", async () => {
    const { page } = browser;
    await openOperation('hostile', 'GET/hostile');
    await page.getByText('<img src=').first().waitFor();
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(await page.locator('a[href^="javascript:"]').count()).toBe(0);
    expect([...browser.hosts].filter((host) => host.includes('evil'))).toEqual([]);
  });

  it('the docs page forgets the API key when it is reloaded, unless it is kept for the tab', async () => {
    const { page } = browser;
    await addKey(user.key);
    expect(
      await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])'),
    ).not.toContain(user.key);
    await page.reload();
    await addKey(user.key, true);
    await page.reload();
    await page.getByRole('button', { name: 'Key set' }).click();
    await page.getByRole('button', { name: 'Remove key' }).click();
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain(user.key);
  });

  it('the settings give the docs page a title, a color and a logo', async () => {
    const { page } = browser;
    // A screenshot is larger than a logo may be, so the console scales it down.
    const buffer = await page.screenshot();
    await browser.goTo('/settings?tab=api');
    await page.getByLabel('Docs title').fill('Partner API');
    await page.getByLabel('Docs introduction').fill('Ask us for a key.');
    await page.getByLabel('Accent color').fill('#aa3300');
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer });
    await page.getByRole('img', { name: 'Logo of the docs page' }).waitFor();
    await page.setViewportSize({ width: 375, height: 800 });
    expect(await fitsWidth(page)).toBe(true);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.getByText('Settings for development saved.').waitFor();
    await waitFor('the gateway has the settings', async () =>
      (await send(product.gateways[0], 'GET', new URL(docsUrl('http://x')).pathname)).text.includes(
        'Partner',
      ),
    );
    await page.goto(docsUrl(product.gateways[0]));
    await page.getByRole('heading', { level: 1, name: 'Partner API' }).waitFor();
    await page.getByText('Ask us for a key.').waitFor();
    expect(await page.evaluate('document.querySelector("header img").naturalWidth')).toBeGreaterThan(0);
    expect(await page.evaluate('getComputedStyle(document.querySelector("main a")).color')).toBe(
      'rgb(170, 51, 0)',
    );
  });

  it('a signed-in member runs requests with a key from the console, which is not in the address', async () => {
    const { page } = browser;
    await page.goto('about:blank');
    await page.goto(docsUrl(product.gateways[0]));
    await page.getByRole('button', { name: 'Add key' }).click();
    await page.getByRole('link', { name: 'Use your Rowhouse account' }).click();
    await page.getByRole('button', { name: 'Key set' }).waitFor();
    expect(page.url()).not.toContain('key=');
    expect(await run(await openOperation('users', 'GET/users'))).toMatch(/^200 /);
  });
});

/** Compiles a file of the client. Its imports then lead to the compiled files, which are next to it. */
function compile(text: string): string {
  return ts
    .transpileModule(text, {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
    })
    .outputText.replaceAll(/'\.\/(?:client\/)?(client|runtime|types)\.js'/g, "'./client-$1.mjs'");
}
