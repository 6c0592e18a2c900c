// @ts-check
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { NODE } from './run-client.mjs';

const run = promisify(execFile);

/**
 * One module per linter. It prints all findings and warnings as a JSON array of texts.
 * @type {Record<string, { package: string, text: string }>}
 */
export const LINTERS = {
  'Spectral, spectral:oas': {
    package: '@stoplight/spectral-rulesets',
    text: `
      import spectral from '@stoplight/spectral-core';
      import parsers from '@stoplight/spectral-parsers';
      import rulesets from '@stoplight/spectral-rulesets';
      const linter = new spectral.Spectral();
      linter.setRuleset({ extends: [rulesets.oas] });
      const found = (await linter.run(new spectral.Document(text, parsers.Json))).map((one) => one.code + ': ' + one.message + ' at ' + one.path.join('/'));`,
  },
  'Redocly, recommended-strict': {
    package: '@redocly/openapi-core',
    text: `
      import { createConfig, lintFromString } from '@redocly/openapi-core';
      const config = await createConfig({ extends: ['recommended-strict'] });
      const found = (await lintFromString({ source: text, config })).map((one) => one.ruleId + ': ' + one.message + ' at ' + one.location.map((at) => at.pointer).join(', '));`,
  },
  'swagger-parser': {
    package: '@apidevtools/swagger-parser',
    text: `
      import SwaggerParser from '@apidevtools/swagger-parser';
      const found = await SwaggerParser.validate(JSON.parse(text)).then(() => [], (err) => [String(err.message)]);`,
  },
};

/**
 * Runs one linter and returns its findings.
 * @param {string} name a key of LINTERS
 * @param {string} document path
 * @param {string} packages the folder of the installed packages
 * @returns {Promise<string[]>}
 */
export async function lintDocument(name, document, packages) {
  const path = join(packages, 'lint.mjs');
  const { text = '' } = LINTERS[name] ?? {};
  writeFileSync(
    path,
    `import { readFileSync, writeFileSync } from 'node:fs';\nconst text = readFileSync(process.argv[2], 'utf8');${text}\nwriteFileSync(process.argv[3], JSON.stringify(found));`,
  );
  const output = join(packages, 'lint.json');
  try {
    await run(NODE, [path, document, output], {
      cwd: packages,
      timeout: 600_000,
      maxBuffer: 64 * 1024 * 1024,
    });
    return JSON.parse(readFileSync(output, 'utf8'));
  } catch (err) {
    return [`it ends with ${String(err).slice(0, 1_000)}`];
  }
}
