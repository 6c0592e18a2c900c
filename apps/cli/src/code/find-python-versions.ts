import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CliEnvironment } from '../cli-environment.js';

export interface PythonVersions {
  readonly program: string;
  /** The installed version, or null when it is not installed. */
  readonly pydantic: string | null;
  readonly sqlalchemy: string | null;
}

const PROGRAM = `
import json
found = {}
for name in ("pydantic", "sqlalchemy"):
    try:
        module = __import__(name)
        found[name] = getattr(module, "VERSION", None) or module.__version__
    except ImportError:
        found[name] = None
print(json.dumps(found))
`;

/**
 * Returns the versions in the folder's virtual environment, or else of the Python on PATH.
 * Returns null without Python.
 */
export function findPythonVersions({ cwd, env }: Pick<CliEnvironment, 'cwd' | 'env'>): PythonVersions | null {
  const environments = [env['VIRTUAL_ENV'], join(cwd, '.venv'), join(cwd, 'venv')]
    .filter((folder) => folder !== undefined)
    .map((folder) => join(folder, 'bin', 'python'))
    .filter((path) => existsSync(path));
  const program = env['PYTHON'] ?? environments[0] ?? 'python3';
  const { stdout, status } = spawnSync(program, ['-c', PROGRAM], {
    cwd,
    env: env as NodeJS.ProcessEnv,
    encoding: 'utf8',
    timeout: 15_000,
  });
  if (status !== 0) return null;
  try {
    return { program, ...(JSON.parse(stdout) as Pick<PythonVersions, 'pydantic' | 'sqlalchemy'>) };
  } catch {
    return null;
  }
}

/** Returns a sentence for each installed version that does not match the requested one. */
export function compareVersions(
  found: PythonVersions,
  requested: { readonly pydantic: '1' | '2'; readonly sqlalchemy: '1.4' | '2.0' },
): string[] {
  const messages: string[] = [];
  if (found.pydantic !== null && found.pydantic.startsWith('1.') !== (requested.pydantic === '1')) {
    messages.push(
      `${found.program} has Pydantic ${found.pydantic}, but these models need version ${requested.pydantic}. Install pydantic ${requested.pydantic}, or use --pydantic ${requested.pydantic === '1' ? '2' : '1'}.`,
    );
  }
  if (found.sqlalchemy !== null && found.sqlalchemy.startsWith('1.') !== (requested.sqlalchemy === '1.4')) {
    messages.push(
      `${found.program} has SQLAlchemy ${found.sqlalchemy}, but these models need version ${requested.sqlalchemy}. Install sqlalchemy ${requested.sqlalchemy === '1.4' ? '1.4' : '2'}, or use --sqlalchemy ${requested.sqlalchemy === '1.4' ? '2.0' : '1.4'}.`,
    );
  }
  return messages;
}
