import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GATEWAY_FLAGS } from '../../local/product/app-processes.mjs';
import { BUNDLED } from '../../local/build.mjs';
import { listMissingSecretLines, makeSecretLines } from '../../local/make-secrets.mjs';
import {
  readCompose,
  readDockerTargets,
  readManifests,
  readPrepareNames,
  readReference,
  readSecretAddresses,
  readSecretNames,
} from './read-deploy-files.mjs';
import { root } from '../vitest-base.mjs';

const reference = readReference(root);
const apps = Object.keys(reference);
const prepareNames = readPrepareNames(root);
const everyName = new Set([...Object.values(reference).flatMap(({ known }) => known), ...prepareNames]);
const targets = readDockerTargets(root);
const PORT_VARIABLES = { 'control-plane': 'CONTROL_PORT', gateway: 'GATEWAY_PORT' };
const PROBES = ['/livez', '/readyz'];

it('the parsers of deployment files find variables, targets, services and manifests', () => {
  expect(apps).toEqual(['control-plane', 'gateway', 'migration-worker']);
  for (const app of apps) expect(reference[app]?.required.length).toBeGreaterThan(3);
  expect(prepareNames).toEqual(
    expect.arrayContaining(['MYSQL_URL', 'MYSQL_PUBLIC_HOST', 'ROWHOUSE_MIGRATE_PASSWORD']),
  );
});

describe('the image', () => {
  it('the Docker image has a build target for each process, with a program that exists', () => {
    for (const app of apps)
      expect([app, targets[app]?.command]).toEqual([
        app,
        `apps/${app}/dist/${BUNDLED.includes(app) ? 'bundle/main.cjs' : 'main.js'}`,
      ]);
    for (const { command } of Object.values(targets).filter(({ command: file }) => file !== '')) {
      expect([
        command,
        existsSync(
          join(
            root,
            command
              .replace('/dist/bundle/', '/dist/')
              .replace('/dist/', '/src/')
              .replace(/(apps.*)\.c?js$/, '$1.ts'),
          ),
        ),
      ]).toEqual([command, true]);
    }
  });

  it('the Docker image starts a gateway with the same V8 flags as the launcher', () => {
    expect(GATEWAY_FLAGS).toEqual(
      expect.arrayContaining(['--heap-growing-percent=60', '--no-allocation-site-pretenuring']),
    );
    for (const app of apps)
      expect([app, targets[app]?.nodeFlags]).toEqual([
        app,
        ['--enable-source-maps', ...(app === 'gateway' ? GATEWAY_FLAGS : [])],
      ]);
  });
});

/** Returns the host of a URL whose password may be a variable. @param {string} address */
const hostOf = (address) => /@([\w.-]+):\d+/.exec(address)?.[1] ?? address;

/**
 * Expects that every URL of a platform schema leads to the server of PLATFORM_MYSQL_URL, and MYSQL_URL to
 * another one.
 * @param {Record<string, string>} addresses keyed by variable
 */
function expectTwoServers(addresses) {
  const { PLATFORM_MYSQL_URL: platform = '', MYSQL_URL: tenants = '', ...rest } = addresses;
  const schemas = Object.entries(rest).filter(([, address]) => /^mysql:/.test(address));
  expect(schemas.length).toBeGreaterThan(2);
  expect(schemas.filter(([, address]) => hostOf(address) !== hostOf(platform))).toEqual([]);
  expect([hostOf(tenants) === hostOf(platform), hostOf(tenants)]).toEqual([
    false,
    expect.stringMatching(/mariadb/),
  ]);
}

describe('docker/compose.yaml', () => {
  const services = readCompose(root);
  const secrets = readSecretNames(root, makeSecretLines());

  it.each(['prepare', ...apps])(
    'the Compose service %s has a build target and exactly the variables that it needs',
    (name) => {
      const { build, environment } = services[name];
      expect(Object.keys(targets)).toContain(build.target);
      const names = Object.keys(environment);
      expect(names.filter((item) => !everyName.has(item))).toEqual([]);
      expect((reference[name]?.required ?? []).filter((item) => !names.includes(item))).toEqual([]);
    },
  );
  it('Compose publishes the ports that processes listen on, and health checks use them', () => {
    for (const [app, variable] of Object.entries(PORT_VARIABLES)) {
      const { environment, ports } = services[app];
      expect(ports[0].split(':').at(-1)).toBe(environment[variable]);
      expect(targets[app]?.exposes).toContain(Number(environment[variable]));
    }
    for (const app of apps) {
      const [, port, path] = /127\.0\.0\.1:(\d+)(\/\w+)/.exec(services[app].healthcheck.test.join(' ')) ?? [];
      expect([port, PROBES.includes(path ?? '')]).toEqual([services[app].environment.METRICS_PORT, true]);
      expect(targets[app]?.exposes).toContain(Number(port));
    }
  });
  it('the platform database in Compose has its own server, password, volumes and network', () => {
    const addresses = apps.flatMap((app) =>
      Object.entries(services[app].environment).map(([name, value]) => [`${app} ${name}`, String(value)]),
    );
    const { PLATFORM_MYSQL_URL: platform, MYSQL_URL: tenants } = services.prepare.environment;
    expectTwoServers({ ...Object.fromEntries(addresses), PLATFORM_MYSQL_URL: platform, MYSQL_URL: tenants });
    const [own, other] = [services[hostOf(platform)], services[hostOf(tenants)]];
    expect([
      own.ports,
      platform.includes('${PLATFORM_MYSQL_ROOT_PASSWORD}'),
      tenants.includes('${MYSQL_ROOT_PASSWORD}'),
    ]).toEqual([undefined, true, true]);
    expect([own.environment.MARIADB_ROOT_PASSWORD, other.environment.MARIADB_ROOT_PASSWORD]).toEqual([
      expect.stringContaining('${PLATFORM_MYSQL_ROOT_PASSWORD:?'),
      '${MYSQL_ROOT_PASSWORD}',
    ]);
    expect(own.volumes.filter((/** @type {string} */ volume) => other.volumes.includes(volume))).toEqual([]);
    for (const app of apps)
      expect([app, JSON.stringify(services[app]).includes('ROOT_PASSWORD')]).toEqual([app, false]);
  });
  it('make-secrets lists the variables that are missing in an older environment file', () => {
    const old = makeSecretLines().filter((line) => !line.startsWith('PLATFORM_'));
    expect(listMissingSecretLines(old.join('\n'))).toEqual([
      expect.stringMatching(/^PLATFORM_MYSQL_ROOT_PASSWORD=[\w-]{32}$/),
    ]);
    expect(listMissingSecretLines(makeSecretLines().join('\n'))).toEqual([]);
  });
  it('every variable, dependency and mounted file of the Compose file exists', () => {
    const text = JSON.stringify(services);
    const expected = [...text.matchAll(/(?<!\$)\$\{(\w+)\}/g)].map((match) => match[1] ?? '');
    expect(expected.length).toBeGreaterThan(5);
    expect([...new Set(expected)].filter((name) => !secrets.includes(name))).toEqual([]);
    for (const service of Object.values(services)) {
      expect(Object.keys(service.depends_on ?? {}).filter((name) => !(name in services))).toEqual([]);
      for (const volume of (service.volumes ?? []).filter((/** @type {string} */ item) =>
        item.startsWith('.'),
      ))
        expect([volume, existsSync(join(root, 'docker', volume.split(':')[0]))]).toEqual([volume, true]);
    }
  });
});

describe('infra/kubernetes', () => {
  it('the example Kubernetes secret names two different database servers', () =>
    expectTwoServers(readSecretAddresses(root)));
  const manifests = readManifests(root);
  const kustomization = manifests.find(({ kind }) => kind === 'Kustomization');
  const shared = Object.keys(manifests.find(({ kind }) => kind === 'ConfigMap')?.['data'] ?? {});
  const deployments = manifests.filter(({ kind }) => kind === 'Deployment');
  const secrets = readSecretNames(root, makeSecretLines());
  /** @param {{[member: string]: any}} manifest @returns {import('./read-deploy-files.mjs').Container} */
  const containerOf = (manifest) => manifest['spec'].template.spec.containers[0];

  it('the kustomization lists every manifest and every image that a manifest uses', () => {
    /** @type {{resources: string[], images: {name: string}[]}} */
    const { resources, images } = /** @type {any} */ (kustomization);
    expect(new Set([...resources, 'kustomization.yaml'])).toEqual(new Set(manifests.map(({ file }) => file)));
    const used = manifests
      .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
      .map((item) => containerOf(item).image);
    expect(new Set(used)).toEqual(new Set(images.map(({ name }) => name)));
    for (const image of used) expect(Object.keys(targets)).toContain(image.replace(/^rowhouse-/, ''));
  });
  it.each(apps)(
    'the Kubernetes workload %s has every required variable, no unknown one, and existing secrets',
    (app) => {
      const manifest = deployments.find(({ metadata }) => metadata.name === app);
      if (manifest === undefined) throw new Error(`${app} is not deployed`);
      const env = containerOf(manifest).env ?? [];
      const names = [...shared, ...env.map(({ name }) => name)];
      expect(names.filter((name) => !everyName.has(name))).toEqual([]);
      expect(env.filter(({ name }) => !reference[app]?.known.includes(name))).toEqual([]);
      expect(reference[app]?.required.filter((name) => !names.includes(name))).toEqual([]);
      const keys = env.flatMap(({ valueFrom }) =>
        valueFrom === undefined || valueFrom.secretKeyRef.optional === true
          ? []
          : [valueFrom.secretKeyRef.key],
      );
      expect(keys.filter((key) => !secrets.includes(key))).toEqual([]);
    },
  );
  it('Kubernetes probes use existing ports and paths, and grace periods are long enough', () => {
    for (const manifest of deployments) {
      const container = containerOf(manifest);
      const ports = new Map(container.ports?.map(({ name, containerPort }) => [name, containerPort]));
      for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
        const { path, port } = container[probe].httpGet;
        expect([manifest.metadata.name, probe, PROBES.includes(path), ports.has(port)]).toEqual([
          manifest.metadata.name,
          probe,
          true,
          true,
        ]);
      }
      const value = (/** @type {string} */ name) => container.env?.find((item) => item.name === name)?.value;
      const variable = /** @type {Record<string, string>} */ (PORT_VARIABLES)[manifest.metadata.name];
      if (variable !== undefined) expect(String(ports.get('http'))).toBe(value(variable));
      for (const port of ports.values()) expect(targets[manifest.metadata.name]?.exposes).toContain(port);
      const drainMs = Number(value('GATEWAY_DRAIN_NOTICE_MS') ?? 0) + Number(value('GATEWAY_DRAIN_MS') ?? 0);
      expect(drainMs).toBeLessThan(manifest['spec'].template.spec.terminationGracePeriodSeconds * 1_000);
    }
  });
  it('Kubernetes services and disruption budgets select deployed workloads', () => {
    for (const { kind, metadata, spec } of manifests.filter(
      (item) => item.kind === 'Service' || item.kind === 'PodDisruptionBudget',
    )) {
      const selected = deployments.find(
        (item) =>
          item['spec'].template.metadata.labels.app === (spec.selector.matchLabels ?? spec.selector).app,
      );
      expect([kind, metadata.name, selected?.metadata.name]).toEqual([kind, metadata.name, metadata.name]);
      for (const { targetPort } of spec.ports ?? [])
        expect(containerOf(selected ?? {}).ports?.map(({ name }) => name)).toContain(targetPort);
    }
  });
});
