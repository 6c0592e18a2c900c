import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkingSchemaAnswer } from '@rowhouse/contracts';
import { readChoice } from '../code/generate-code.js';
import type { Command } from '../command.js';
import type { Context } from '../context.js';
import { writeProjectFile } from '../config/project-file.js';
import { resolveInside } from '../config/resolve-inside.js';
import { writeSchemaFile } from '../write-schema-file.js';

export const initCommand: Command = {
  name: 'init',
  about: 'Tie this folder to a project: writes rowhouse.json and schema.sql',
  options: {
    schema: { type: 'string', value: 'FILE', about: 'where the working schema lies; schema.sql unless said' },
    python: { type: 'string', value: 'FOLDER', about: 'make Python models there' },
    typescript: { type: 'string', value: 'FOLDER', about: 'make TypeScript code there' },
    pydantic: { type: 'string', value: '1|2', about: 'the Pydantic that the models are for' },
    sqlalchemy: { type: 'string', value: '1.4|2.0', about: 'the SQLAlchemy that the models are for' },
  },
  examples: ['rowhouse init --project blog --python models', 'rowhouse init --project blog --typescript src/api'],
  notes: 'rowhouse.json holds no secret: commit it. A schema file that is there already is left as it is.',
  run: async (ctx) => {
    const { cwd } = ctx.world;
    const project = await ctx.project();
    const database = ctx.databaseOf(project);
    const [python, typescript, schema] = [ctx.text('python'), ctx.text('typescript'), ctx.text('schema') ?? 'schema.sql'];
    for (const named of [python, typescript, schema]) if (named !== undefined) resolveInside(cwd, named);
    const path = writeProjectFile({
      folder: cwd, url: ctx.url(), project: project.id, database: database.environment, schema,
      ...(python === undefined ? {} : { python: { out: python, ...readVersions(ctx) } }), ...(typescript === undefined ? {} : { typescript: { out: typescript } }),
    });
    const isNew = !existsSync(join(cwd, schema));
    if (isNew) writeFileSync(join(cwd, schema), writeSchemaFile(await ctx.api().get<WorkingSchemaAnswer>(`/api/projects/${project.id}/schema`)));
    ctx.output.result({ file: path, project: project.id, schema }, () => ctx.output.done(`${path} ties this folder to ${project.name}. ${isNew ? `${schema} holds its schema. ` : ''}Next: rowhouse dev`));
  },
};

/** Omitted versions are chosen when the code is generated. */
function readVersions(ctx: Context) {
  const [pydantic, sqlalchemy] = [ctx.text('pydantic'), ctx.text('sqlalchemy')];
  return {
    ...(pydantic === undefined ? {} : { pydantic: readChoice(pydantic, 'pydantic', ['1', '2'], '2') }),
    ...(sqlalchemy === undefined ? {} : { sqlalchemy: readChoice(sqlalchemy, 'sqlalchemy', ['1.4', '2.0'], '2.0') }),
  };
}
