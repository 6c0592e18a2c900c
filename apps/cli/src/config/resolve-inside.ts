import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { CliError, EXIT } from '../cli-error.js';

/**
 * A path that `rowhouse.json` names, from the folder that it lies in. Whoever wrote the repository chose it: it stays within
 * the repository (the folder, where there is none), with links followed, so that a command neither sends nor overwrites a
 * file of the person's that has nothing to do with it.
 */
export function resolveInside(folder: string, path: string): string {
  const target = join(folder, path);
  const root = realpathSync(findRepository(folder));
  const real = followLinks(target);
  if (real !== null && isWithin(root, real)) return target;
  throw new CliError(`rowhouse.json names ${path}, which is not inside ${root}.`, { exitCode: EXIT.usage, next: 'mend rowhouse.json, or name the file or folder in the command itself' });
}

/** Whether what lies at `path`, or would, lies in `folder` when links have been followed. */
export function staysWithin(folder: string, path: string): boolean {
  const [home, real] = [followLinks(folder), followLinks(path)];
  return home !== null && real !== null && isWithin(home, real);
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Where writing to a path would end, of which the last parts may not be there yet; null: a link leads nowhere that can be told. */
function followLinks(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true || dirname(path) === path) return null;
  }
  const above = followLinks(dirname(path));
  return above === null ? null : join(above, basename(path));
}

function findRepository(from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (dirname(folder) === folder) return from;
  }
}
