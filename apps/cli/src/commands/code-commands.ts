import { isAbsolute, join, relative } from 'node:path';
import { EXIT } from '../cli-error.js';
import type { Command, OptionSpec } from '../command.js';
import { compareVersions, findPythonVersions } from '../code/find-python-versions.js';
import { generateCode, readChoice, type CodeTarget } from '../code/generate-code.js';
import { resolveInside } from '../config/resolve-inside.js';
import type { Context } from '../context.js';

const SHARED: Readonly<Record<string, OptionSpec>> = {
  out: { type: 'string', short: 'o', value: 'FOLDER', about: 'where it goes; that of rowhouse.json unless said' },
  check: { type: 'boolean', about: `write nothing; end with ${EXIT.differs} where the code is not that of the deployed schema` },
};

const python: Command = {
  name: 'code python',
  about: 'Pydantic and SQLAlchemy models of the deployed schema, as a package',
  options: {
    ...SHARED,
    pydantic: { type: 'string', value: '1|2', about: 'the Pydantic that they are for; 2 unless said' },
    sqlalchemy: { type: 'string', value: '1.4|2.0', about: 'the SQLAlchemy that they are for; 2.0, which is also for what came after it, unless said' },
  },
  examples: ['rowhouse code python --out models', 'rowhouse code python --check', 'rowhouse code python --pydantic 1 --sqlalchemy 1.4'],
  notes: 'What is generated lies in _generated and is written anew each time. The modules beside it are yours: made once, never touched again.',
  run: async (ctx) => {
    const target = pythonTarget(ctx);
    const found = findPythonVersions(ctx.world);
    for (const sentence of found === null ? [] : compareVersions(found, target)) ctx.output.warn(sentence);
    return make(ctx, target);
  },
};

const typescript: Command = {
  name: 'code typescript',
  about: 'Types, zod schemas and a client of the data API for the deployed schema',
  options: SHARED,
  examples: ['rowhouse code typescript --out src/api', 'rowhouse code typescript --check'],
  notes: 'The schemas need zod 4; the client needs nothing but fetch.',
  run: (ctx) => make(ctx, typeScriptTarget(ctx)),
};

export function pythonTarget(ctx: Context): CodeTarget {
  const { folder, python: kept } = ctx.projectFile();
  return {
    language: 'python', folder: outOf(ctx, folder, kept?.out, 'models'),
    pydantic: readChoice(ctx.text('pydantic') ?? kept?.pydantic, 'pydantic', ['1', '2'], '2'), sqlalchemy: readChoice(ctx.text('sqlalchemy') ?? kept?.sqlalchemy, 'sqlalchemy', ['1.4', '2.0'], '2.0'),
  };
}

export function typeScriptTarget(ctx: Context): CodeTarget {
  const { folder, typescript: kept } = ctx.projectFile();
  return { language: 'typescript', folder: outOf(ctx, folder, kept?.out, 'api'), pydantic: '2', sqlalchemy: '2.0' };
}

function outOf(ctx: Context, home: string, kept: string | undefined, fallback: string): string {
  const out = ctx.text('out');
  if (out !== undefined) return isAbsolute(out) ? out : join(ctx.world.cwd, out);
  return kept === undefined ? join(home, fallback) : resolveInside(home, kept);
}

async function make(ctx: Context, target: CodeTarget): Promise<number> {
  const isDry = ctx.is('check');
  const database = await ctx.database();
  const report = await generateCode(ctx, database, target, isDry);
  const changes = [...report.written, ...report.removed];
  ctx.output.result({ ...report, folder: target.folder }, () => {
    for (const path of report.written) ctx.output.line(`${isDry ? 'differs' : 'written'}  ${path}`);
    for (const path of report.removed) ctx.output.line(`${isDry ? 'is no more' : 'removed'}  ${path}`);
    for (const path of report.orphaned) ctx.output.warn(`${path} is yours, and its table is gone: remove it when nothing uses it.`);
    if (isDry && changes.length > 0) ctx.output.warn(`${changes.length} files of ${target.folder} are not those of ${database.environment}. Next: rowhouse code ${target.language}`);
    else ctx.output.done(`${target.folder} is that of ${database.environment}, snapshot ${report.snapshot}: ${changes.length === 0 ? 'nothing changed' : `${changes.length} files changed`}.`);
    // The hint is printed only when the client is first created.
    if (!isDry && target.language === 'typescript' && report.written.includes('index.ts')) ctx.output.line(tellUse(relative(ctx.world.cwd, target.folder), database.base_url));
  });
  return isDry && changes.length > 0 ? EXIT.differs : EXIT.ok;
}

/** Returns how to create a client, relative to the current folder. */
export function tellUse(folder: string, baseUrl: string): string {
  return `Use it: import { createClient } from '${folder.startsWith('..') ? '' : './'}${folder === '' ? '' : `${folder}/`}index.js'; createClient({ baseUrl: '${baseUrl.replace(/\/+$/, '')}', key }). Its schemas need zod: npm install zod`;
}

export const codeCommands: readonly Command[] = [python, typescript];
