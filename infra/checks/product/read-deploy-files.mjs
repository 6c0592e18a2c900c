import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

/**
 * Reads docker/ and infra/kubernetes, and the variables that the processes require, for the test that
 * compares them.
 * @typedef {{name: string, value?: unknown, valueFrom?: {secretKeyRef: {key: string, optional?: boolean}}}}
 *   EnvEntry
 * @typedef {{name: string, image: string, env?: EnvEntry[], ports?: {name: string, containerPort: number}[],
 *   [probe: string]: any}} Container
 */

/**
 * @param {string} root
 * @returns {Record<string, {known: string[], required: string[]}>} the variables of the configuration
 *   reference, keyed by process
 */
export function readReference(root) {
  const sections = readFileSync(join(root, 'docs', 'config.md'), 'utf8')
    .split(/^## /m)
    .slice(1);
  return Object.fromEntries(
    sections.map((section) => {
      const rows = [...section.matchAll(/^\| `(\w+)` \|(.*)$/gm)].map(([, name = '', rest = '']) => ({
        name,
        isRequired: rest.includes('**required**'),
      }));
      return [
        section.split('\n')[0] ?? '',
        {
          known: rows.map(({ name }) => name),
          required: rows.filter(({ isRequired }) => isRequired).map(({ name }) => name),
        },
      ];
    }),
  );
}

/** Returns the variables that the prepare command reads. @param {string} root */
export function readPrepareNames(root) {
  const files = [
    'infra/local/prepare.mjs',
    'infra/local/platform/prepare-platform.mjs',
    'infra/local/servers/provide-servers.mjs',
    'infra/local/servers/read-given-mysql.mjs',
    'infra/local/make-secrets.mjs',
  ].map((path) => readFileSync(join(root, path), 'utf8'));
  return [
    ...new Set(
      files.flatMap((text) =>
        [...text.matchAll(/(?:env\['|need\('|: ')([A-Z][A-Z_]{3,})'/g)].map((match) => match[1] ?? ''),
      ),
    ),
  ];
}

/**
 * @param {string} root
 * @returns {Record<string, {exposes: number[], command: string, nodeFlags: string[]}>} by build target
 */
export function readDockerTargets(root) {
  const stages = readFileSync(join(root, 'docker', 'Dockerfile'), 'utf8')
    .split(/^FROM .* AS /m)
    .slice(1);
  return Object.fromEntries(
    stages.map((stage) => [
      stage.split('\n')[0]?.trim() ?? '',
      {
        exposes: (/^EXPOSE (.*)$/m.exec(stage)?.[1] ?? '')
          .split(' ')
          .filter((port) => port !== '')
          .map(Number),
        command: /"([\w/.-]+\.[mc]?js)"\]/.exec(stage)?.[1] ?? '',
        nodeFlags: [...(/^CMD .*$/m.exec(stage)?.[0] ?? '').matchAll(/"(--[\w=-]+)"/g)].map(
          (match) => match[1] ?? '',
        ),
      },
    ]),
  );
}

/**
 * Reads the compose file with anchors and merges resolved.
 * @param {string} root
 * @returns {Record<string, any>} the services
 */
export function readCompose(root) {
  return parse(readFileSync(join(root, 'docker', 'compose.yaml'), 'utf8'), { merge: true }).services;
}

/**
 * Reads the URLs in the example of the Kubernetes secret.
 * @param {string} root
 * @returns {Record<string, string>} keyed by variable
 */
export function readSecretAddresses(root) {
  const text = readFileSync(join(root, 'infra', 'kubernetes', 'secrets.example.env'), 'utf8');
  return Object.fromEntries(
    [...text.matchAll(/^(\w+)=(mysql:.*)$/gm)].map(([, name = '', address = '']) => [name, address]),
  );
}

/**
 * @param {string} root
 * @returns {{file: string, kind: string, metadata: {name: string}, [member: string]: any}[]}
 */
export function readManifests(root) {
  const folder = join(root, 'infra', 'kubernetes');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .flatMap((file) =>
      parseAllDocuments(readFileSync(join(folder, file), 'utf8')).map((document) => {
        if (document.errors.length > 0) throw new Error(`${file}: ${document.errors[0]?.message}`);
        return { file, ...document.toJS() };
      }),
    );
}

/**
 * Returns the names in the Kubernetes secret: the generated ones, and those of secrets.example.env.
 * @param {string} root
 * @param {readonly string[]} created
 */
export function readSecretNames(root, created) {
  const written = readFileSync(join(root, 'infra', 'kubernetes', 'secrets.example.env'), 'utf8')
    .split('\n')
    .filter((line) => /^\w+=/.test(line));
  return [...created, ...written].map((line) => line.split('=')[0] ?? '');
}
