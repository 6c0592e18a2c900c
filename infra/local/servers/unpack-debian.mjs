import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { acquireLock } from '../processes/lock-file.mjs';
import { cacheDir, findProgram } from '../paths.mjs';
import { LauncherError } from '../report.mjs';
import { runProgram } from '../processes/run-program.mjs';
import { execFileSync } from 'node:child_process';

/**
 * Fetches Debian packages and their dependencies with a separate apt state and unpacks them into a folder. It
 * needs no root and does not touch the system: no package is installed, and no service starts.
 * @typedef {object} UnpackRequest
 * @property {string} name the name of the folder in the cache
 * @property {readonly (readonly string[])[]} packages each entry lists names to try in turn
 * @property {string} [suite] a Debian suite to use instead of the machine's own sources; then all
 *   dependencies are unpacked, including the C library
 * @property {RegExp} [leaveOut] matches file names of packages that are not needed at run time
 * @property {import('../report.mjs').Report} report
 */

/**
 * @param {UnpackRequest} request
 * @returns {Promise<string>} the folder that holds `usr/…`
 * @throws {LauncherError} when this machine has no apt or the packages cannot be fetched
 */
export async function unpackDebianPackages(request) {
  const home = join(cacheDir(), request.name);
  const root = join(home, 'root');
  if (existsSync(root)) return root;
  if (findProgram(['apt-get']) === null || findProgram(['dpkg-deb']) === null) {
    throw new LauncherError('This machine has no apt-get, which is needed to fetch database packages.');
  }
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const lock = await acquireLock(join(home, 'lock'), { waitMs: 300_000 });
  if (!lock.held)
    throw new LauncherError(
      `Process ${lock.holder.pid} has been unpacking ${request.name} for five minutes.`,
    );
  try {
    // Another process may have unpacked it while this one waited.
    if (!existsSync(root)) await fetchAndUnpack(request, home, root);
  } finally {
    lock.release();
  }
  return root;
}

/**
 * Removes unpacked packages, so that the next call fetches them again.
 * @param {string} name
 */
export function forgetUnpacked(name) {
  rmSync(join(cacheDir(), name, 'root'), { recursive: true, force: true });
}

/**
 * @param {UnpackRequest} request
 * @param {string} home
 * @param {string} root
 */
async function fetchAndUnpack(request, home, root) {
  const config = writeAptConfig(request, home);
  request.report.step(
    `Fetching package lists for ${request.name} (once; nothing is installed on this machine)`,
  );
  // apt exits with an error if any package source is broken, even an unrelated one. The exit code is
  // therefore ignored. It only matters whether the packages are found below.
  const update = await run('apt-get', ['-c', config, 'update']);
  const names = await choosePackages(config, request.packages);
  if (names === null) {
    throw new LauncherError(
      `The package sources of this machine do not offer ${request.packages.map((options) => options[0]).join(', ')}.`,
      {
        logTail: update.output.split('\n').slice(-20).join('\n'),
      },
    );
  }
  request.report.step(`Fetching ${names.join(', ')}`);
  const fetched = await run('apt-get', [
    '-c',
    config,
    '-y',
    '--no-install-recommends',
    '--download-only',
    'install',
    ...names,
  ]);
  if (fetched.code !== 0) {
    throw new LauncherError(`Fetching ${names.join(', ')} failed.`, {
      logTail: fetched.output.split('\n').slice(-20).join('\n'),
    });
  }
  await unpackAll(request, join(home, 'apt', 'cache', 'archives'), root);
  rmSync(join(home, 'apt'), { recursive: true, force: true });
}

/**
 * @param {UnpackRequest} request
 * @param {string} archives
 * @param {string} root
 */
async function unpackAll(request, archives, root) {
  const temporaryPath = `${root}.new`;
  rmSync(temporaryPath, { recursive: true, force: true });
  mkdirSync(temporaryPath, { recursive: true });
  const files = readdirSync(archives).filter(
    (file) => file.endsWith('.deb') && !request.leaveOut?.test(file),
  );
  request.report.step(`Unpacking ${files.length} packages into ${root}`);
  for (const file of files) {
    const unpacked = await run('dpkg-deb', ['-x', join(archives, file), temporaryPath]);
    if (unpacked.code !== 0)
      throw new LauncherError(`Unpacking ${file} failed.`, { logTail: unpacked.output });
  }
  mergeIntoUsr(temporaryPath);
  renameSync(temporaryPath, root);
}

/**
 * Moves libraries from `/lib`, where some packages still put them. On the system, `/lib` is a link into
 * `/usr`.
 * @param {string} root
 */
function mergeIntoUsr(root) {
  for (const name of ['bin', 'lib', 'lib64', 'sbin']) {
    const from = join(root, name);
    if (!existsSync(from)) continue;
    cpSync(from, join(root, 'usr', name), { recursive: true, verbatimSymlinks: true });
    rmSync(from, { recursive: true, force: true });
  }
}

/**
 * @param {string} config
 * @param {readonly (readonly string[])[]} requested
 * @returns {Promise<string[] | null>}
 */
async function choosePackages(config, requested) {
  const chosen = [];
  for (const options of requested) {
    let found = null;
    for (const option of options) {
      const visible = await run('apt-cache', ['-c', config, 'show', '--no-all-versions', option]);
      if (visible.code === 0 && visible.output.includes('Filename:')) {
        found = option;
        break;
      }
    }
    if (found === null) return null;
    chosen.push(found);
  }
  return chosen;
}

/**
 * @param {UnpackRequest} request
 * @param {string} home
 */
function writeAptConfig(request, home) {
  const apt = join(home, 'apt');
  for (const folder of ['state/lists/partial', 'cache/archives/partial'])
    mkdirSync(join(apt, folder), { recursive: true });
  const lines = [
    // Hooks of the system would clean the system's own cache or call its services.
    '#clear APT::Update::Post-Invoke;',
    '#clear APT::Update::Post-Invoke-Success;',
    '#clear DPkg::Pre-Install-Pkgs;',
    `Dir::State "${join(apt, 'state')}";`,
    `Dir::Cache "${join(apt, 'cache')}";`,
    'Debug::NoLocking "1";',
    `APT::Sandbox::User "${process.getuid?.() === 0 ? 'root' : ''}";`,
    'Acquire::Languages "none";',
    'APT::Get::Assume-Yes "1";',
  ];
  if (request.suite === undefined) {
    lines.push('Dir::State::status "/var/lib/dpkg/status";');
  } else {
    writeFileSync(join(apt, 'status'), '');
    const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';
    const signedBy = existsSync(keyring) ? `[signed-by=${keyring}] ` : '';
    const mirror = readDebianMirror();
    if (mirror === null)
      throw new LauncherError(`no archive in the apt configuration provides ${request.suite}`);
    writeFileSync(join(apt, 'sources.list'), `deb ${signedBy}${mirror.uri} ${request.suite} main\n`);
    lines.push(
      `Dir::State::status "${join(apt, 'status')}";`,
      `Dir::Etc::sourcelist "${join(apt, 'sources.list')}";`,
      'Dir::Etc::sourceparts "/dev/null";',
    );
  }
  const path = join(apt, 'apt.conf');
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

/** @param {string} command @param {string[]} args */
function run(command, args) {
  return runProgram(command, args, {
    env: { ...process.env, LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' },
  });
}

/**
 * Returns the archive from which this Debian installs its own packages, and its codename. Returns null where
 * apt is not configured. Other suites (sid) are fetched from the same archive.
 * @returns {{uri: string, codename: string} | null}
 */
export function readDebianMirror() {
  try {
    const codename = /^VERSION_CODENAME=(\w+)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? '';
    const targets = execFileSync(
      'apt-get',
      ['indextargets', '--format', '$(RELEASE) $(COMPONENT) $(REPO_URI)'],
      { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
    );
    const own = targets.split('\n').find((line) => line.startsWith(`${codename} main `));
    return own === undefined || codename === ''
      ? null
      : { uri: own.slice(codename.length + ' main '.length), codename };
  } catch {
    return null;
  }
}
