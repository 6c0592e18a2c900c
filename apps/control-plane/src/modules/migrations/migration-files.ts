import type { MigrationResponse } from '@rowhouse/contracts';
import {
  CHANGE_FRAME,
  endStatement,
  splitFileStatements,
  toCommentLine,
  toFileStatement,
} from '@rowhouse/sql-files';
import { doSteps, type Steps } from '@rowhouse/schema-model';
import type { TarFile } from './write-tar.js';

/** A published migration with the parts that its file needs. */
export interface ExportedMigration {
  readonly publishedSnapshot: number;
  readonly name: string;
  readonly text: string;
  readonly at: Date;
}

export function isExported({ state }: MigrationResponse): boolean {
  return state === 'published' || state === 'reverted';
}

/** The number of characters that are processed per slice, which takes about a millisecond. */
const STEP_CHARACTERS = 16 * 1024;

export function toExported(migration: MigrationResponse): ExportedMigration {
  return doSteps(toExportedSteps(migration));
}

/** Converts a migration like the function above, but in slices. */
export function* toExportedSteps(migration: MigrationResponse): Steps<ExportedMigration> {
  const statements: string[] = [];
  let characters = 0;
  for (const { sql } of migration.plan.steps) {
    statements.push(writeStep(sql));
    characters += sql.length;
    if (characters < STEP_CHARACTERS) continue;
    characters = 0;
    yield;
  }
  return {
    publishedSnapshot: migration.published_snapshot ?? 0,
    name: `${migration.origin}_${migration.id.replace(/^mig_/, '')}.sql`,
    text: `${CHANGE_FRAME.head}${heading(migration).map(toCommentLine).join('')}\n${statements.join('')}${CHANGE_FRAME.tail}`,
    at: new Date(migration.finished_at ?? migration.created_at),
  };
}

/**
 * Returns the history of a database as SQL files, one per migration in order of publication. Running them in
 * an empty database creates its schema.
 */
export function toMigrationFiles(migrations: readonly ExportedMigration[]): TarFile[] {
  const ordered = [...migrations].sort((a, b) => a.publishedSnapshot - b.publishedSnapshot);
  return ordered.map(({ name, text, at: date }, position) => ({
    name: `${String(position + 1).padStart(4, '0')}_${name}`,
    text,
    at: date,
  }));
}

function heading(migration: MigrationResponse): string[] {
  const by =
    migration.by === null
      ? 'unknown'
      : `${migration.by.kind} ${migration.by.name === '' ? migration.by.id : migration.by.name}`;
  return [
    `${migration.id} of ${migration.environment}: ${migration.origin}${migration.reverts === null ? '' : ` of ${migration.reverts}`}`,
    `${migration.created_at}, ${by}; snapshot ${migration.base_snapshot} to ${migration.published_snapshot ?? ''}${migration.revision === 0 ? '' : `, revision ${migration.revision}`}`,
  ];
}

/**
 * Returns the SQL of a step. A step may consist of several statements, such as dropping and creating a
 * trigger, or a group of tables with foreign keys.
 */
function writeStep(sql: string): string {
  return splitFileStatements(sql)
    .map((text) => {
      const statement = toFileStatement(text, null);
      return statement.kind === 'written'
        ? `${endStatement(statement.sql)}\n`
        : toCommentLine(`Omitted: ${statement.reason}`);
    })
    .join('');
}
