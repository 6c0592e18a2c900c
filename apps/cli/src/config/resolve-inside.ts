import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { CliError, EXIT } from '../cli-error.js';

/**
 * Resolves a path in `rowhouse.json` relative to its folder. The author of the repository has chosen the
 * path. With all links followed, it must therefore be inside the repository. Without a repository, it must be
 * inside the folder.
 * Otherwise a command could send or overwrite unrelated files of the user.
 */
export function resolveInside(folder: string, path: string): string {
  const target = join(folder, path);
  const root = realpathSync(findRepository(folder));
  const real = followLinks(target);
  if (real !== null && isWithin(root, real)) return target;
  throw new CliError(`The path ${path} in rowhouse.json is outside ${root}.`, {
    exitCode: EXIT.usage,
    next: 'correct rowhouse.json, or specify the file or folder on the command line',
  });
}

/** Returns whether an existing or new file at `path` is inside `folder` after links have been followed. */
export function staysWithin(folder: string, path: string): boolean {
  const [home, real] = [followLinks(folder), followLinks(path)];
  return home !== null && real !== null && isWithin(home, real);
}

function isWithin(folder: string, path: string): boolean {
  const method = relative(folder, path);
  return method !== '..' && !method.startsWith(`..${sep}`) && !isAbsolute(method);
}

/**
 * Returns the real path of a file to write, whose last parts may not exist yet. Returns null if a link has no
 * target.
 */
function followLinks(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true || dirname(path) === path)
      return null;
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
