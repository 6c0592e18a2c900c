// @ts-check
/**
 * Creates a minimal Debian that has only Node 20 and npm, in which a user without privileges starts the
 * product. Needs root and debootstrap.
 */
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { readDebianMirror } from '@rowhouse/local/servers/unpack-debian';
import { rootDir } from '@rowhouse/local/paths';

const USER = 'person';
const PROJECT = `/home/${USER}/rowhouse`;
const CA_BUNDLE = '/etc/ssl/certs/ca-certificates.crt';

/** @typedef {{ path: string, node: string, npm: string }} BareRoot */

/** @returns {BareRoot} */
export function makeBareRoot() {
  if (process.getuid?.() !== 0)
    throw new Error('the bare root is made with debootstrap and entered with chroot: run this suite as root');
  const path = mkdtempSync('/var/tmp/rowhouse-bare-');
  // The user without privileges must be able to enter the root folder.
  chmodSync(path, 0o755);
  const run = (/** @type {string} */ command, /** @type {string[]} */ args) =>
    execFileSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const mirror = readDebianMirror();
  if (mirror === null) throw new Error('apt names no Debian archive to make a root from');
  run('debootstrap', ['--variant=minbase', mirror.codename, path, mirror.uri]);
  const { node, npmDir } = findNode20();
  cpSync(node, join(path, 'usr/local/bin/node'));
  cpSync(npmDir, join(path, 'usr/local/lib/node_modules/npm'), { recursive: true });
  for (const name of ['npm', 'npx'])
    run('ln', ['-s', `../lib/node_modules/npm/bin/${name}-cli.js`, join(path, 'usr/local/bin', name)]);
  copyNetworkSettings(path);
  run('chroot', [path, 'useradd', '--create-home', USER]);
  mkdirSync(join(path, PROJECT));
  execFileSync('sh', ['-c', 'git archive HEAD | tar -x -C "$1"', 'sh', join(path, PROJECT)], {
    cwd: rootDir,
  });
  run('chroot', [path, 'chown', '-R', `${USER}:${USER}`, PROJECT]);
  const readVersion = (/** @type {string[]} */ args) =>
    execFileSync('chroot', [path, ...args], { encoding: 'utf8' }).trim();
  return { path, node: readVersion(['node', '--version']), npm: readVersion(['npm', '--version']) };
}

/**
 * Runs a shell command as the user without privileges, in the project's folder and in a separate mount
 * namespace.
 * @param {BareRoot} root
 * @param {string} line
 * @returns {import('node:child_process').ChildProcess} the process; its output is on stdout
 */
export function runInBareRoot(root, line) {
  const env = [
    'env',
    '-i',
    `HOME=/home/${USER}`,
    `USER=${USER}`,
    'PATH=/usr/local/bin:/usr/bin:/bin',
    'LANG=C.UTF-8',
    ...(existsSync(join(root.path, CA_BUNDLE))
      ? [`NODE_EXTRA_CA_CERTS=${CA_BUNDLE}`, `npm_config_cafile=${CA_BUNDLE}`]
      : []),
    ...passProxies(),
  ];
  const inside = [
    'chroot',
    `--userspec=${USER}:${USER}`,
    root.path,
    ...env,
    'sh',
    '-c',
    `cd ${PROJECT} && exec ${line}`,
  ];
  const script = 'mount -t proc proc "$1/proc" && shift && exec "$@"';
  return spawn('unshare', ['--mount', 'sh', '-c', script, 'sh', root.path, ...inside], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/**
 * Reads a JSON file of the data folder in the bare root. Returns null while the file does not exist.
 * @param {BareRoot} root
 * @param {string} name
 */
export function readBareFile(root, name) {
  try {
    return JSON.parse(readFileSync(join(root.path, PROJECT, '.rowhouse', name), 'utf8'));
  } catch {
    return null;
  }
}

/**
 * Returns the version from the server's own log.
 * @param {BareRoot} root
 */
export function readBareMariadb(root) {
  const log = readFileSync(join(root.path, PROJECT, '.rowhouse', 'logs', 'mariadb.log'), 'utf8');
  return /Starting MariaDB (\S+)/.exec(log)?.[1] ?? 'unknown';
}

/**
 * Lists the processes whose root is in this folder.
 * @param {BareRoot} root
 */
export function listBareProcesses(root) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/root`) === root.path;
      } catch {
        return false;
      }
    });
}

/** @param {BareRoot} root */
export function removeBareRoot(root) {
  const remaining = listBareProcesses(root);
  if (remaining.length > 0) throw new Error(`processes still run in ${root.path}: ${remaining.join(', ')}`);
  rmSync(root.path, { recursive: true, force: true });
}

/** Returns the first Node 20 on PATH or in the usual folders, with its npm. */
function findNode20() {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin', '/usr/local/bin'];
  for (const folder of folders.filter((item) => !item.includes('node_modules'))) {
    const [node, npm] = [join(folder, 'node'), join(folder, 'npm')];
    if (!existsSync(node) || !existsSync(npm)) continue;
    if (!execFileSync(node, ['--version'], { encoding: 'utf8' }).startsWith('v20.')) continue;
    return { node: realpathSync(node), npmDir: dirname(dirname(realpathSync(npm))) };
  }
  throw new Error('there is no Node 20 with npm on this machine to put into the bare root');
}

/**
 * Copies the network settings of this machine: names, certificates and the configuration of apt.
 * @param {string} path
 */
function copyNetworkSettings(path) {
  for (const file of ['/etc/resolv.conf', '/etc/hosts', CA_BUNDLE]) {
    if (!existsSync(file)) continue;
    mkdirSync(dirname(join(path, file)), { recursive: true });
    writeFileSync(join(path, file), readFileSync(file));
  }
  for (const name of readdirSync('/etc/apt/apt.conf.d')) {
    const text = readFileSync(join('/etc/apt/apt.conf.d', name), 'utf8');
    if (/^Acquire::/m.test(text)) writeFileSync(join(path, 'etc/apt/apt.conf.d', name), text);
  }
}

function passProxies() {
  return ['http_proxy', 'https_proxy', 'no_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'].flatMap((name) =>
    process.env[name] === undefined ? [] : [`${name}=${process.env[name]}`],
  );
}
