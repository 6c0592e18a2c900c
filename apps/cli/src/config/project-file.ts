import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CliError } from '../cli-error.js';
import type { CliEnvironment } from '../cli-environment.js';

/**
 * The contents of `rowhouse.json`, which links a folder to a project.
 * It contains no secrets and belongs in version control.
 */
export interface ProjectFile {
  readonly url?: string;
  readonly project?: string;
  readonly database?: string;
  /** The file with the working schema. */
  readonly schema?: string;
  readonly python?: {
    readonly out: string;
    readonly pydantic?: '1' | '2';
    readonly sqlalchemy?: '1.4' | '2.0';
  };
  readonly typescript?: { readonly out: string };
  /** The folder of the file, which its paths are relative to. It is not written. */
  readonly folder: string;
}

const NAME = 'rowhouse.json';
const TEXTS = ['url', 'project', 'database', 'schema'] as const;

/** Reads the file in this folder or the nearest parent folder. */
export function readProjectFile({ cwd }: Pick<CliEnvironment, 'cwd'>): ProjectFile {
  const folder = findFolder(cwd);
  if (folder === null) return { folder: cwd };
  const path = join(folder, NAME);
  const found = readJson(path);
  const wrong = TEXTS.find((name) => !['string', 'undefined'].includes(typeof found[name]));
  if (wrong !== undefined)
    throw new CliError(`Couldn't read ${path}: ${wrong} must be a string.`, {
      next: 'correct the file, or remove it and run rowhouse init',
    });
  return { ...found, folder };
}

function readJson(path: string): Omit<ProjectFile, 'folder'> {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Omit<ProjectFile, 'folder'>;
  } catch {
    throw new CliError(`Couldn't read ${path}: it is not valid JSON.`, {
      next: 'correct the file, or remove it and run rowhouse init',
    });
  }
}

export function writeProjectFile({ folder, ...file }: ProjectFile): string {
  const path = join(folder, NAME);
  writeFileSync(path, `${JSON.stringify(file, null, 2)}\n`);
  return path;
}

function findFolder(from: string): string | null {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, NAME))) return folder;
    if (dirname(folder) === folder) return null;
  }
}
