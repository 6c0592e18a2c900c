// @ts-check
import { join } from 'node:path';
import { VERSIONS } from './install-packages.mjs';

/**
 * @typedef {object} Client a generator in one of its modes
 * @property {string} name
 * @property {import('./install-packages.mjs').PackageSet} set
 * @property {string} package the name in versions.json
 * @property {string} program the name of a file in `programs`, without extension
 * @property {string} [library] replaces `openapi-fetch` in the imports of the program
 * @property {(files: { document: string, output: string, packages: string, baseUrl: string }) => { script: string, args: string[] }} generate
 *   returns the generator's script, as a path inside the package or the text of a module, and its arguments
 */

/** @param {string} path @param {string[]} args */
const bin = (path, args) => ({ script: path, args });
/** @param {string} text */
const module = (text) => ({ script: `data:${text}`, args: [] });

/** @param {'fetch' | 'axios' | 'zod'} client @returns {Client} */
const orval = (client) => ({
  name: `orval (${client})`,
  set: 'clients',
  package: 'orval',
  program: `orval-${client}`,
  generate: ({ document, output, baseUrl }) =>
    module(`
    import { generate } from 'orval';
    const output = { target: ${JSON.stringify(`${output}.ts`)}, client: '${client === 'axios' ? 'axios-functions' : client}', mode: 'single'${client === 'zod' ? '' : `, httpClient: '${client}', baseUrl: ${JSON.stringify(baseUrl)}`} };
    await generate({ input: { target: ${JSON.stringify(document)} }, output });`),
});

/** @type {readonly Client[]} */
export const CLIENTS = [
  ...Object.keys(VERSIONS.clients)
    .filter((name) => name.startsWith('openapi-typescript-') && /\d$/.test(name))
    .map(
      (name) =>
        /** @type {Client} */ ({
          name: `${name.replace(/-(\d)/, ' $1')} with openapi-fetch`,
          set: 'clients',
          package: name,
          program: 'openapi-fetch',
          ...(name.endsWith('-6.7') ? { library: 'openapi-fetch-0.8' } : {}),
          generate: ({ document, output }) => bin(join('bin', 'cli.js'), [document, '-o', `${output}.ts`]),
        }),
    ),
  orval('fetch'),
  orval('axios'),
  orval('zod'),
  {
    name: '@hey-api/openapi-ts',
    set: 'clients',
    package: '@hey-api/openapi-ts',
    program: 'hey-api',
    generate: ({ document, output }) =>
      module(`
      import { createClient } from '@hey-api/openapi-ts';
      const plugins = ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'];
      await createClient({ input: ${JSON.stringify(document)}, output: ${JSON.stringify(output)}, plugins });`),
  },
  {
    name: 'openapi-zod-client',
    set: 'zodios',
    package: 'openapi-zod-client',
    program: 'openapi-zod-client',
    generate: ({ document, output }) => bin('bin.js', [document, '-o', `${output}.ts`, '--with-alias']),
  },
  {
    name: 'swagger-typescript-api',
    set: 'clients',
    package: 'swagger-typescript-api',
    program: 'swagger-typescript-api',
    generate: ({ document, output }) =>
      bin(join('dist', 'cli.mjs'), ['generate', '-p', document, '-o', join(output, '..'), '-n', 'api.ts']),
  },
  {
    name: 'openapi-typescript-codegen',
    set: 'clients',
    package: 'openapi-typescript-codegen',
    program: 'openapi-typescript-codegen',
    generate: ({ document, output }) =>
      bin(join('bin', 'index.js'), [
        '--input',
        document,
        '--output',
        output,
        '--client',
        'fetch',
        '--useOptions',
      ]),
  },
  {
    name: '@rtk-query/codegen-openapi',
    set: 'clients',
    package: '@rtk-query/codegen-openapi',
    program: 'rtk-query',
    generate: ({ document, output }) =>
      module(`
      import { generateEndpoints } from '@rtk-query/codegen-openapi';
      await generateEndpoints({ schemaFile: ${JSON.stringify(document)}, apiFile: './rtk-query-base.ts', apiImport: 'emptyApi', outputFile: ${JSON.stringify(`${output}.ts`)}, exportName: 'api' });`),
  },
];
