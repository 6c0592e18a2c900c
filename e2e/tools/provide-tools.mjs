// @ts-check
/** The programs that the recipes of docs/tools.md need: Debian packages unpacked into the cache, and npm packages. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findMariadb, findMysqlClient } from '@rowhouse/local/servers/find-servers';
import { cacheDir, findProgram } from '@rowhouse/local/paths';
import { unpackDebianPackages } from '@rowhouse/local/servers/unpack-debian';
import { wrapUnpackedProgram } from '@rowhouse/test-servers/wrap-unpacked-program';

/** @typedef {import('@rowhouse/local/report').Report} Report */

/** Debian's packages, by the program that a recipe calls. */
const DEBIAN = {
  dump: [['mariadb-client']],
  php: [['php-cli'], ['php-mysql'], ['adminer']],
  python: [
    ['python3-sqlalchemy'],
    ['python3-pymysql'],
    ['python3-pandas'],
    ['python3-django'],
    ['python3-mysqldb'],
  ],
  go: [['golang-go'], ['golang-github-go-sql-driver-mysql-dev']],
  java: [['libmariadb-java']],
};

/**
 * @typedef {object} Tools
 * @property {string} path folders of the programs, for PATH
 * @property {Record<string, string>} env further environment variables that the programs need
 * @property {string} npmDir a folder whose node_modules holds the packages of the recipes
 * @property {Record<string, string>} roots where Debian's packages are unpacked, by name
 * @property {Record<string, string>} versions by name of the package or program
 * @property {Record<string, string>} missing the programs that this machine cannot provide, with the reason
 */

/**
 * Fetches missing programs. A program that cannot be fetched is listed in `missing`.
 * @param {Report} report
 * @param {Record<string, string>} npmPackages exact versions by name
 * @returns {Promise<Tools>}
 */
export async function provideTools(report, npmPackages) {
  /** @type {Tools} */
  const tools = {
    path: '',
    env: {},
    npmDir: join(cacheDir(), 'tools-npm'),
    roots: {},
    versions: {},
    missing: {},
  };
  const folders = [await wrapClients(report, tools)];
  for (const [name, packages] of Object.entries(DEBIAN)) {
    try {
      tools.roots[name] = await unpackDebianPackages({
        name: `debian-tools-${name}`,
        packages,
        leaveOut: /^(libc6|perl)/,
        report,
      });
      folders.push(WRAPPERS[/** @type {keyof typeof DEBIAN} */ (name)](tools.roots[name], tools));
    } catch (err) {
      tools.missing[name] = /** @type {Error} */ (err).message.split('\n')[0] ?? '';
    }
  }
  // Prisma's schema engine is not on npm. `prisma generate` only checks that the file exists.
  tools.env['PRISMA_SCHEMA_ENGINE_BINARY'] = '/bin/true';
  installNpmPackages(tools, npmPackages, report);
  tools.path = [...folders, process.env['PATH']].join(':');
  return tools;
}

/**
 * Writes scripts that run the command-line clients of both engines under their usual names.
 * @param {Report} report
 * @param {Tools} tools
 */
async function wrapClients(report, tools) {
  const bin = join(cacheDir(), 'tools-bin');
  rmSync(bin, { recursive: true, force: true });
  mkdirSync(bin, { recursive: true });
  const script = (/** @type {string} */ name, /** @type {string} */ line) =>
    writeFileSync(join(bin, name), `#!/bin/sh\n${line} "$@"\n`, { mode: 0o755 });
  const mariadb = await findMariadb(report);
  const library = Object.entries(mariadb.env)
    .map(([key, value]) => `${key}='${value}'`)
    .join(' ');
  const plugins =
    mariadb.origin === 'unpacked' ? ` --plugin-dir='${findPlugins(dirname(mariadb.usrDir))}'` : '';
  script('mariadb', `${library} exec '${join(mariadb.usrDir, 'bin', 'mariadb')}'${plugins}`);
  const client = await findMysqlClient(report);
  for (const name of ['mysql', 'mysqldump']) {
    const args = client.leadingArgs.map((arg) =>
      arg === 'mysql' ? name : arg.endsWith('/bin/mysql') ? join(dirname(arg), name) : arg,
    );
    const command = args.length === 0 ? join(dirname(client.command), name) : client.command;
    // MySQL 9 loads the plugin for MariaDB's accounts from a file.
    const folder =
      args.length === 0
        ? []
        : [`--plugin-dir=${join(dirname(dirname(args.at(-1) ?? '')), 'lib', 'mysql', 'plugin')}`];
    script(name, `exec ${[command, ...args, ...folder].map((part) => `'${part}'`).join(' ')}`);
  }
  for (const name of ['mysql', 'mariadb'])
    tools.versions[`${name} client`] =
      /(?:Distrib|Ver|from) (\d+\.\d+\.\d+)/.exec(
        execFileSync(join(bin, name), ['--version'], { encoding: 'utf8' }),
      )?.[1] ?? 'unknown';
  return bin;
}

/** @type {Record<keyof typeof DEBIAN, (root: string, tools: Tools) => string>} the folder to put on PATH, by name */
const WRAPPERS = {
  dump(root) {
    return wrapUnpackedProgram({
      name: 'mariadb-dump',
      folder: 'debian-tools-dump',
      root,
      file: 'bin/mariadb-dump',
      options: `--plugin-dir='${findPlugins(root)}'`,
    });
  },
  php(root, tools) {
    const api =
      execFileSync('ls', [join(root, 'usr', 'lib', 'php')], { encoding: 'utf8' })
        .split('\n')
        .find((name) => /^20\d+$/.test(name)) ?? '';
    const extensions = ['mysqlnd', 'pdo', 'pdo_mysql', 'mysqli']
      .map((name) => `-d extension=${name}`)
      .join(' ');
    const file =
      ['bin/php8.2', 'bin/php8.4', 'bin/php'].find((name) => existsSync(join(root, 'usr', name))) ??
      'bin/php';
    tools.versions['php'] = file.slice('bin/php'.length);
    tools.versions['adminer'] = readDebianVersion('adminer');
    return wrapUnpackedProgram({
      name: 'php',
      folder: 'debian-tools-php',
      root,
      file,
      options: `-n -d session.save_path='${tmpdir()}' -d extension_dir='${join(root, 'usr', 'lib', 'php', api)}' ${extensions}`,
    });
  },
  python(root, tools) {
    const bin = wrapUnpackedProgram({
      name: 'python3',
      folder: 'debian-tools-python',
      root,
      file: '../wrapped-python3',
      before: [
        `PYTHONPATH='${join(root, 'usr', 'lib', 'python3', 'dist-packages')}'`,
        `MARIADB_PLUGIN_DIR='${findPlugins(root)}'`,
        'export PYTHONPATH MARIADB_PLUGIN_DIR',
      ],
    });
    writeFileSync(join(root, 'wrapped-python3'), '#!/bin/sh\nexec /usr/bin/python3 "$@"\n', { mode: 0o755 });
    const names = {
      SQLAlchemy: 'sqlalchemy',
      PyMySQL: 'pymysql',
      pandas: 'pandas',
      Django: 'django',
      mysqlclient: 'MySQLdb',
    };
    for (const [name, module] of Object.entries(names))
      tools.versions[name] = execFileSync(
        join(bin, 'python3'),
        ['-c', `import ${module}; print(${module}.__version__)`],
        { encoding: 'utf8' },
      ).trim();
    return bin;
  },
  go(root, tools) {
    const go =
      execFileSync('ls', [join(root, 'usr', 'lib')], { encoding: 'utf8' })
        .split('\n')
        .find((name) => /^go-1/.test(name)) ?? 'go-1';
    Object.assign(tools.env, {
      GOROOT: join(root, 'usr', 'lib', go),
      GO111MODULE: 'off',
      GOPATH: join(root, 'usr', 'share', 'gocode'),
      GOCACHE: join(cacheDir(), 'tools-go'),
      GOFLAGS: '',
      CGO_ENABLED: '0',
    });
    tools.versions['go'] = go.slice(3);
    tools.versions['go-sql-driver/mysql'] = readDebianVersion('golang-github-go-sql-driver-mysql-dev');
    return join(root, 'usr', 'lib', go, 'bin');
  },
  java(root, tools) {
    if (findProgram(['javac']) === null) throw new Error('this machine has no JDK');
    tools.env['CLASSPATH'] = join(root, 'usr', 'share', 'java', 'mariadb-java-client.jar');
    tools.versions['MariaDB Connector/J'] = readDebianVersion('libmariadb-java');
    return join(root, 'usr', 'bin');
  },
};

/**
 * Finds the plugin folder of an unpacked client, which would otherwise look in the folder of an installed
 * package.
 * @param {string} root
 */
function findPlugins(root) {
  const lib = join(root, 'usr', 'lib');
  const machine = readdirSync(lib).find((name) => name.includes('-linux-gnu')) ?? '';
  return join(lib, machine, 'libmariadb3', 'plugin');
}

/** @param {string} name */
function readDebianVersion(name) {
  return (
    /Candidate: (?:\d+:)?(\S+)/.exec(
      execFileSync('apt-cache', ['policy', name], { encoding: 'utf8' }),
    )?.[1] ?? 'unknown'
  );
}

/** @param {Tools} tools @param {Record<string, string>} packages @param {Report} report */
function installNpmPackages(tools, packages, report) {
  const manifest = JSON.stringify({ private: true, type: 'module', dependencies: packages });
  const file = join(tools.npmDir, 'package.json');
  const created = join(tools.npmDir, 'made');
  if (!existsSync(created) || !existsSync(file) || readFileSync(file, 'utf8') !== manifest) {
    report.step(`Fetching ${Object.keys(packages).length} npm packages for the recipes (once)`);
    rmSync(tools.npmDir, { recursive: true, force: true });
    mkdirSync(tools.npmDir, { recursive: true });
    writeFileSync(file, manifest);
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], {
      cwd: tools.npmDir,
      stdio: 'ignore',
      timeout: 600_000,
    });
    writeFileSync(created, '');
  }
  Object.assign(tools.versions, packages);
}
