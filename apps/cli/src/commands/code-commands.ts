import { isAbsolute, join, relative } from 'node:path';
import { EXIT } from '../cli-error.js';
import type { Command, OptionSpec } from '../command.js';
import { compareVersions, findPythonVersions } from '../code/find-python-versions.js';
import { generateCode, readChoice, type CodeTarget } from '../code/generate-code.js';
import { resolveInside } from '../config/resolve-inside.js';
import type { Context } from '../context.js';

const SHARED: Readonly<Record<string, OptionSpec>> = {
  out: {
    type: 'string',
    short: 'o',
    value: 'FOLDER',
    about: 'the output folder; default: the folder in rowhouse.json',
  },
  check: {
    type: 'boolean',
    about: `write nothing; exit with ${EXIT.differs} if the code differs from the deployed schema`,
  },
};

const python: Command = {
  name: 'code python',
  about: 'Generate Pydantic and SQLAlchemy models for the deployed schema',
  options: {
    ...SHARED,
    pydantic: { type: 'string', value: '1|2', about: 'the Pydantic version; default: 2' },
    sqlalchemy: {
      type: 'string',
      value: '1.4|2.0',
      about: 'the SQLAlchemy version; default: 2.0, which includes later versions',
    },
  },
  examples: [
    'rowhouse code python --out models',
    'rowhouse code python --check',
    'rowhouse code python --pydantic 1 --sqlalchemy 1.4',
  ],
  notes:
    'Files in _generated are overwritten each time. The modules next to that folder are created once, and yours to edit.',
  run: async (ctx) => {
    const target = pythonTarget(ctx);
    const found = findPythonVersions(ctx.environment);
    for (const sentence of found === null ? [] : compareVersions(found, target)) ctx.output.warn(sentence);
    return make(ctx, target);
  },
};

const typescript: Command = {
  name: 'code typescript',
  about: 'Generate TypeScript types, zod schemas and a data API client for the deployed schema',
  options: SHARED,
  examples: ['rowhouse code typescript --out src/api', 'rowhouse code typescript --check'],
  notes: 'The schemas require zod 4. The client only requires fetch.',
  run: (ctx) => make(ctx, typeScriptTarget(ctx)),
};

export function pythonTarget(ctx: Context): CodeTarget {
  const { folder, python: retained } = ctx.projectFile();
  return {
    language: 'python',
    folder: outOf(ctx, folder, retained?.out, 'models'),
    pydantic: readChoice(ctx.text('pydantic') ?? retained?.pydantic, 'pydantic', ['1', '2'], '2'),
    sqlalchemy: readChoice(
      ctx.text('sqlalchemy') ?? retained?.sqlalchemy,
      'sqlalchemy',
      ['1.4', '2.0'],
      '2.0',
    ),
  };
}

export function typeScriptTarget(ctx: Context): CodeTarget {
  const { folder, typescript: retained } = ctx.projectFile();
  return {
    language: 'typescript',
    folder: outOf(ctx, folder, retained?.out, 'api'),
    pydantic: '2',
    sqlalchemy: '2.0',
  };
}

function outOf(ctx: Context, home: string, retained: string | undefined, fallback: string): string {
  const out = ctx.text('out');
  if (out !== undefined) return isAbsolute(out) ? out : join(ctx.environment.cwd, out);
  return retained === undefined ? join(home, fallback) : resolveInside(home, retained);
}

async function make(ctx: Context, target: CodeTarget): Promise<number> {
  const isDry = ctx.is('check');
  const database = await ctx.database();
  const report = await generateCode(ctx, database, target, isDry);
  const changes = [...report.written, ...report.removed];
  ctx.output.result({ ...report, folder: target.folder }, () => {
    for (const path of report.written) ctx.output.line(`${isDry ? 'differs' : 'written'}  ${path}`);
    for (const path of report.removed) ctx.output.line(`${isDry ? 'obsolete' : 'removed'}  ${path}`);
    for (const path of report.orphaned)
      ctx.output.warn(`The table of ${path} no longer exists. Remove the file when nothing uses it.`);
    if (isDry && changes.length > 0)
      ctx.output.warn(
        `${target.folder} differs from ${database.environment} (${changes.length === 1 ? '1 file' : `${changes.length} files`}). Next: rowhouse code ${target.language}`,
      );
    else
      ctx.output.done(
        `${target.folder} matches ${database.environment}, version ${report.snapshot} (${changes.length === 0 ? 'no changes' : changes.length === 1 ? '1 file changed' : `${changes.length} files changed`}).`,
      );
    // The hint is printed only when the client is created for the first time.
    if (!isDry && target.language === 'typescript' && report.written.includes('index.ts'))
      ctx.output.line(reportUse(relative(ctx.environment.cwd, target.folder), database.base_url));
  });
  return isDry && changes.length > 0 ? EXIT.differs : EXIT.ok;
}

/** Returns how to create a client, relative to the current folder. */
export function reportUse(folder: string, baseUrl: string): string {
  return `Usage: import { createClient } from '${folder.startsWith('..') ? '' : './'}${folder === '' ? '' : `${folder}/`}index.js'; createClient({ baseUrl: '${baseUrl.replace(/\/+$/, '')}', key }). The schemas require zod: npm install zod`;
}

export const codeCommands: readonly Command[] = [python, typescript];
