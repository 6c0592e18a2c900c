// @ts-check
/**
 * Runs generators of TypeScript clients on the OpenAPI document of a database with every column type and
 * unusual names. Each
 * generator must finish, its code must compile under `tsc --strict`, and a program with it must read and
 * write rows. Three
 * linters must report nothing about the document. Options: `--engine`, `--only` (parts of names),
 * `--packages` (a folder with
 * the packages of an earlier run). The suite needs npm.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPinned, installPackages } from '../../generators/install-packages.mjs';
import { lintDocument, LINTERS } from '../../generators/lint-document.mjs';
import { CLIENTS } from '../../generators/list-clients.mjs';
import { runClient } from '../../generators/run-client.mjs';
import { writeStrangeSchema } from '../../generators/strange-schema.mjs';
import { deploy, expectStatus, signUp } from '../../support/control.mjs';
import { openApi } from '../../support/http.mjs';
import { waitFor } from '../../support/wait.mjs';
import { withProduct } from '../../support/with-product.mjs';
import { readWords, runSuite } from '../lib/run-suite.mjs';

const ENGINES = /** @type {('mariadb' | 'mysql')[]} */ (readWords('engine') ?? ['mariadb', 'mysql']);
const ONLY = readWords('only');
const PACKAGES = readWords('packages')?.[0];
const STEPS = /** @type {const} */ (['generates', 'compiles', 'works']);
const clients = CLIENTS.filter(({ name }) => ONLY?.some((part) => name.includes(part)) ?? true);

/**
 * @param {'mariadb' | 'mysql'} engine
 * @param {Record<import('../../generators/install-packages.mjs').PackageSet, string>} packages
 */
async function runEngine(engine, packages) {
  return withProduct({ gateways: 1, engine }, async (product) => {
    const user = await signUp(product.control, { name: 'generators', starter: 'empty' });
    await deploy(user, writeStrangeSchema(engine));
    const [baseUrl = ''] = product.gateways;
    const api = openApi(baseUrl, user.key);
    const text = await waitFor('the tables are served', async () => {
      const response = await api.get('/openapi.json');
      return response.json?.paths?.['/v1/-/tasks'] === undefined ? undefined : response.text;
    });
    const document = join(packages.clients, `${engine}.json`);
    writeFileSync(document, text);
    /** @type {Record<string, string[]>} */
    const linted = {};
    for (const name of ONLY === undefined ? Object.keys(LINTERS) : []) {
      linted[name] = await lintDocument(name, document, packages.clients);
      console.log(
        `${engine}: ${name}: ${linted[name].length} findings ${linted[name].slice(0, 3).join('; ').slice(0, 600)}`,
      );
    }
    /** @type {Record<string, import('../../generators/run-client.mjs').Outcome>} */
    const outcomes = {};
    for (const client of clients) {
      const folder = join(packages[client.set], 'work', `${engine}-${client.name.replaceAll(/\W+/g, '-')}`);
      expectStatus(await api.call('DELETE', '/tasks?id__gte=0'), [200], 'clear the tasks');
      const outcome = await runClient(client, {
        packages: packages[client.set],
        document,
        baseUrl,
        key: user.key,
        folder,
      });
      outcomes[client.name] = outcome;
      console.log(
        `${engine}: ${client.name}: ${STEPS.map((step) => (outcome[step] === '' ? step : `FAILS: ${step} ${outcome[step].slice(0, 1_500)}`)).join(', ')}`,
      );
      rmSync(folder, { recursive: true, force: true });
    }
    return {
      version: product.mysql.version,
      bytes: text.length,
      tables: JSON.parse(text).tags.length - 1,
      linted,
      outcomes,
    };
  });
}

await runSuite(async () => {
  const folder = PACKAGES ?? mkdtempSync(join(tmpdir(), 'rowhouse-generators-'));
  mkdirSync(folder, { recursive: true });
  const packages = await installPackages(folder);
  /** @type {Record<string, Awaited<ReturnType<typeof runEngine>>>} */
  const found = {};
  for (const engine of ENGINES) found[engine] = await runEngine(engine, packages);
  if (PACKAGES === undefined) rmSync(folder, { recursive: true, force: true });
  const perEngine = (/** @type {(engine: string) => string[]} */ list) =>
    ENGINES.map((engine) => `${engine}: ${list(engine).join(', ')}`).join('; ');
  return {
    suite: 'generators',
    title: 'Client generators and linters for the OpenAPI document',
    command: `pnpm test:long generators${ONLY === undefined ? '' : ` --only ${ONLY.join(',')}`}${ENGINES.length === 2 ? '' : ` --engine ${ENGINES.join(',')}`}`,
    seed: null,
    engines: Object.fromEntries(ENGINES.map((engine) => [engine, found[engine]?.version ?? ''])),
    skips: ONLY === undefined ? [] : ['the generators and linters that --only omits'],
    claims: [
      ...Object.entries(ONLY === undefined ? LINTERS : {}).map(([name, { package: from }]) => ({
        claim: `${name} (${findPinned('clients', from)}) reports no error and no warning`,
        holds: ENGINES.every((engine) => found[engine]?.linted[name]?.length === 0),
        found: perEngine((engine) => [`${found[engine]?.linted[name]?.length ?? 'not run'} findings`]),
      })),
      ...clients.map((client) => ({
        claim: `${client.name} (${findPinned(client.set, client.package)}) generates, compiles strictly, and its program reads and writes`,
        holds: ENGINES.every((engine) =>
          STEPS.every((step) => found[engine]?.outcomes[client.name]?.[step] === ''),
        ),
        found: perEngine((engine) =>
          STEPS.map((step) =>
            found[engine]?.outcomes[client.name]?.[step] === '' ? step : `**${step} not**`,
          ),
        ),
      })),
    ],
    notes: [
      'The document describes tables of every column type, JSON, views, tables without a key, relationships, and names with spaces, quotes, other scripts, reserved words and collisions (`e2e/generators/strange-schema.mjs`). Each program creates rows, lists them by an operator filter and a sort, reads, updates, bulk-updates and bulk-deletes by filter, and deletes.',
      'orval (fetch and zod), swagger-typescript-api and RTK Query do not send objects in a query. Their programs filter with `where`, the others with `filters`.',
      'swagger-typescript-api ignores the media types of bodies that are components. Set `Content-Type` and `format: "json"` in `baseApiParams`.',
    ],
    figures: Object.fromEntries(
      ENGINES.map((engine) => [
        engine,
        { tables: found[engine]?.tables, document_bytes: found[engine]?.bytes },
      ]),
    ),
  };
});
