// @ts-check
/**
 * Runs every recipe of docs/tools.md that this machine can run, against one installation with a MariaDB and a
 * MySQL server. Also tests the limits of direct connections. The results must equal the table of the page.
 * `--only knex,Prisma`: runs only these recipes. Needs npm and Debian's package sources.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootDir } from '@rowhouse/local/paths';
import { createTerminalReport } from '@rowhouse/local/report';
import { withProduct } from '../../support/with-product.mjs';
import { checkLimits } from '../../tools/check-limits.mjs';
import { NPM_PACKAGES } from '../../tools/npm-packages.mjs';
import { provideTools } from '../../tools/provide-tools.mjs';
import { readRecipes, readSupport, readUntried } from '../../tools/read-recipes.mjs';
import { runAdminer } from '../../tools/run-adminer.mjs';
import { runRecipe, TITLE } from '../../tools/run-recipe.mjs';
import { tryDumpFlags } from '../../tools/try-dump-flags.mjs';
import { addMysqlServer, openTenant } from '../../tools/serve-both-engines.mjs';
import { readWords, runSuite } from '../lib/run-suite.mjs';

const ENGINES = /** @type {const} */ (['mariadb', 'mysql']);
const ONLY = readWords('only');
/** Recipes that run with a read-only connection, because a dump needs no other privilege. */
const WITH_READER = new Set(['mariadb-dump', 'mysqldump']);

const page = readFileSync(join(rootDir, 'docs', 'tools.md'), 'utf8');
const recipes = readRecipes(page);
const support = readSupport(page);

await runSuite(() =>
  withProduct({ gateways: 1 }, async (product) => {
    const tools = await provideTools(createTerminalReport(), NPM_PACKAGES);
    const second = await addMysqlServer(product);
    try {
      const tenants = [
        await openTenant(product.control, 'mariadb', TITLE),
        await openTenant(product.control, 'mysql', TITLE),
      ];
      const runs = await runAll(tools, tenants);
      const limits = Object.fromEntries(
        await Promise.all(tenants.map(async (tenant) => [tenant.engine, await checkLimits(tenant)])),
      );
      return describe(tools, tenants, { runs, limits, dump_flags: await tryAllDumpFlags(tools, tenants) });
    } finally {
      await second.stop();
    }
  }),
);

/** @typedef {Record<string, Partial<Record<'mariadb' | 'mysql', { works: boolean, found: string }>>>} Runs by the name of the tool */

/**
 * @param {import('../../tools/provide-tools.mjs').Tools} tools
 * @param {import('../../tools/serve-both-engines.mjs').Tenant[]} tenants
 */
async function runAll(tools, tenants) {
  /** @type {Runs} */
  const runs = {};
  for (const { name } of support.filter(
    ({ name: tool, isRun }) => isRun && (ONLY === undefined || ONLY.includes(tool)),
  )) {
    const recipe = recipes.get(name);
    const outcomes = (runs[name] = /** @type {Runs[string]} */ ({}));
    for (const tenant of tenants) {
      const env = toEnvironment(tools, WITH_READER.has(name) ? tenant.reader : tenant.owner);
      const folder = join(
        tools.npmDir,
        'runs',
        `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}-${tenant.engine}`,
      );
      const outcome =
        name === 'Adminer'
          ? await runAdminer(tools, env, TITLE)
          : recipe === undefined
            ? { works: false, found: 'the page has no recipe' }
            : await runRecipe(recipe, { folder, env });
      outcomes[tenant.engine] = { works: outcome.works, found: outcome.found };
      console.log(`${outcome.works ? 'works' : 'FAILS'} ${name} on ${tenant.engine}: ${outcome.found}`);
    }
  }
  return runs;
}

/**
 * Returns the environment variables that the page tells the reader to set.
 * @param {import('../../tools/provide-tools.mjs').Tools} tools
 * @param {import('@rowhouse/contracts').CreatedConnectionResponse} connection
 */
function toEnvironment(tools, { host, port, user, password, database }) {
  const own = {
    DB_HOST: host,
    DB_PORT: String(port),
    DB_USER: user,
    DB_PASSWORD: password,
    DB_NAME: database,
    DATABASE_URL: `mysql://${user}:${encodeURIComponent(password)}@${host}:${port}/${database}`,
  };
  return { ...process.env, ...tools.env, ...own, PATH: tools.path };
}

/**
 * Runs both dump programs on both engines.
 * @param {import('../../tools/provide-tools.mjs').Tools} tools
 * @param {import('../../tools/serve-both-engines.mjs').Tenant[]} tenants
 */
async function tryAllDumpFlags(tools, tenants) {
  /** @type {Record<string, Record<string, string>>} */
  const found = {};
  for (const tenant of tenants) {
    for (const name of WITH_READER) {
      const recipe = recipes.get(name);
      if (recipe === undefined || (ONLY !== undefined && !ONLY.includes(name))) continue;
      found[`${name} on ${tenant.engine}`] = await tryDumpFlags(recipe, {
        folder: join(tools.npmDir, 'runs', `${name}-flags`),
        env: toEnvironment(tools, tenant.reader),
      });
    }
  }
  return found;
}

/**
 * @param {import('../../tools/provide-tools.mjs').Tools} tools
 * @param {import('../../tools/serve-both-engines.mjs').Tenant[]} tenants
 * @param {{ runs: Runs, limits: Record<string, { limit: string, holds: boolean, found: string }[]>, dump_flags: Record<string, Record<string, string>> }} found
 */
function describe(tools, tenants, { runs, limits, ...others }) {
  const claims = support
    .filter(({ name }) => name in runs)
    .map(({ name, works }) => ({
      claim: `${name}: ${ENGINES.map((engine) => `${works[engine] ? 'works' : 'does not work'} on ${engine}`).join(', ')}`,
      holds: ENGINES.every((engine) => runs[name]?.[engine]?.works === works[engine]),
      found: ENGINES.map((engine) => `${engine}: ${runs[name]?.[engine]?.found ?? 'not run'}`).join('; '),
    }));
  const broken = Object.entries(limits).flatMap(([engine, found]) =>
    found.filter(({ holds }) => !holds).map((item) => `${engine}: ${item.found}`),
  );
  claims.push({
    claim: 'every documented limit of direct connections applies on both engines',
    holds: broken.length === 0,
    found: broken.length === 0 ? `${Object.values(limits).flat().length} tries` : broken.join('; '),
  });
  return {
    suite: 'tools',
    title: 'MySQL clients and ORMs on both engines',
    command: `pnpm test:long tools${ONLY === undefined ? '' : ` --only ${ONLY.join(',')}`}`,
    seed: null,
    engines: Object.fromEntries(tenants.map(({ engine, version }) => [engine, version])),
    skips: [...readUntried(page), ...Object.entries(tools.missing).map(([name, why]) => `${name}: ${why}`)],
    claims,
    figures: { versions: tools.versions, runs, limits, ...others },
  };
}
