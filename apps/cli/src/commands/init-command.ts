import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkingSchemaResponse } from '@rowhouse/contracts';
import { readChoice } from '../code/generate-code.js';
import type { Command } from '../command.js';
import type { Context } from '../context.js';
import { writeProjectFile } from '../config/project-file.js';
import { resolveInside } from '../config/resolve-inside.js';
import { writeSchemaFile } from '../files/write-files.js';

export const initCommand: Command = {
  name: 'init',
  about: 'Link this folder to a project; writes rowhouse.json and schema.sql',
  options: {
    schema: { type: 'string', value: 'FILE', about: 'the schema file; default: schema.sql' },
    python: { type: 'string', value: 'FOLDER', about: 'the folder for generated Python models' },
    typescript: { type: 'string', value: 'FOLDER', about: 'the folder for generated TypeScript code' },
    pydantic: { type: 'string', value: '1|2', about: 'the Pydantic version of the models' },
    sqlalchemy: { type: 'string', value: '1.4|2.0', about: 'the SQLAlchemy version of the models' },
  },
  examples: [
    'rowhouse init --project blog --python models',
    'rowhouse init --project blog --typescript src/api',
  ],
  notes: 'rowhouse.json contains no secrets, so commit it. An existing schema file is left unchanged.',
  run: async (ctx) => {
    const { cwd } = ctx.environment;
    const project = await ctx.project();
    const database = ctx.databaseOf(project);
    const [python, typescript, schema] = [
      ctx.text('python'),
      ctx.text('typescript'),
      ctx.text('schema') ?? 'schema.sql',
    ];
    for (const named of [python, typescript, schema]) if (named !== undefined) resolveInside(cwd, named);
    const path = writeProjectFile({
      folder: cwd,
      url: ctx.url(),
      project: project.id,
      database: database.environment,
      schema,
      ...(python === undefined ? {} : { python: { out: python, ...readVersions(ctx) } }),
      ...(typescript === undefined ? {} : { typescript: { out: typescript } }),
    });
    const isNew = !existsSync(join(cwd, schema));
    if (isNew)
      writeFileSync(
        join(cwd, schema),
        writeSchemaFile(await ctx.api().get<WorkingSchemaResponse>(`/api/projects/${project.id}/schema`)),
      );
    ctx.output.result({ file: path, project: project.id, schema }, () =>
      ctx.output.done(
        `Linked this folder to ${project.name} (${path}). ${isNew ? `Saved the schema to ${schema}. ` : ''}Next: rowhouse dev`,
      ),
    );
  },
};

/** Reads the library versions. If they are omitted, they are chosen when the code is generated. */
function readVersions(ctx: Context) {
  const [pydantic, sqlalchemy] = [ctx.text('pydantic'), ctx.text('sqlalchemy')];
  return {
    ...(pydantic === undefined ? {} : { pydantic: readChoice(pydantic, 'pydantic', ['1', '2'], '2') }),
    ...(sqlalchemy === undefined
      ? {}
      : { sqlalchemy: readChoice(sqlalchemy, 'sqlalchemy', ['1.4', '2.0'], '2.0') }),
  };
}
