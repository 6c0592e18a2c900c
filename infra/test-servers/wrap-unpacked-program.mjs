import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDir } from '@rowhouse/local/paths';

/**
 * Writes a shell script that runs an unpacked program with the path of its libraries.
 * @param {object} program
 * @param {string} program.name the name of the script
 * @param {string} program.folder the folder of the unpacked packages in the cache
 * @param {string} program.root the folder that `unpackDebianPackages` returned
 * @param {string} program.file the path of the program below `usr`
 * @param {readonly string[]} [program.before] shell lines that come first
 * @param {string} [program.options] put before the options of the caller
 * @returns {string} the folder to put on PATH
 */
export function wrapUnpackedProgram({ name, folder, root, file, before = [], options = '' }) {
  const bin = join(cacheDir(), folder, 'bin');
  const script = join(bin, name);
  const text = [
    '#!/bin/sh',
    `LD_LIBRARY_PATH='${listLibraryFolders(root).join(':')}'\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}`,
    'export LD_LIBRARY_PATH',
    ...before,
    `exec '${join(root, 'usr', file)}' ${options} "$@"`,
    '',
  ].join('\n');
  mkdirSync(bin, { recursive: true });
  writeFileSync(script, text, { mode: 0o755 });
  return bin;
}

/** @param {string} root */
function listLibraryFolders(root) {
  const lib = join(root, 'usr', 'lib');
  const machine = readdirSync(lib).filter((name) => name.includes('-linux-gnu'));
  return machine
    .flatMap((name) => ['', 'nss', 'pulseaudio', 'blas', 'lapack'].map((inner) => join(lib, name, inner)))
    .filter((path) => existsSync(path));
}
