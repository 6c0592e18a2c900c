import type { MigrationAnswer } from '@rowhouse/contracts';
import type { TarFile } from './write-tar.js';

/** A migration that was published, without what its file does not tell. */
export interface ExportedMigration {
  readonly publishedSnapshot: number;
  readonly name: string;
  readonly text: string;
  readonly at: Date;
}

export function isExported({ state }: MigrationAnswer): boolean {
  return state === 'published' || state === 'reverted';
}

export function toExported(migration: MigrationAnswer): ExportedMigration {
  return {
    publishedSnapshot: migration.published_snapshot ?? 0,
    name: `${migration.origin}_${migration.id.replace(/^mig_/, '')}.sql`,
    text: [...heading(migration), '', ...migration.plan.steps.map((step) => `${endStatement(step.sql)}\n`)].join('\n'),
    at: new Date(migration.finished_at ?? migration.created_at),
  };
}

/**
 * A database's history as SQL files, one for each migration, in the order in which they were published. Played one after
 * the other into an empty database they lead to its schema.
 */
export function toMigrationFiles(migrations: readonly ExportedMigration[]): TarFile[] {
  const ordered = [...migrations].sort((a, b) => a.publishedSnapshot - b.publishedSnapshot);
  return ordered.map(({ name, text, at }, place) => ({ name: `${String(place + 1).padStart(4, '0')}_${name}`, text, at }));
}

function heading(migration: MigrationAnswer): string[] {
  const by = migration.by === null ? 'unknown' : `${migration.by.kind} ${migration.by.name === '' ? migration.by.id : migration.by.name}`;
  return [
    `-- ${migration.id} of ${migration.environment}: ${migration.origin}${migration.reverts === null ? '' : ` of ${migration.reverts}`}`,
    `-- ${migration.created_at}, ${oneLine(by)}; snapshot ${migration.base_snapshot} to ${migration.published_snapshot ?? ''}${migration.revision === 0 ? '' : `, revision ${migration.revision}`}`,
  ];
}

function oneLine(text: string): string {
  return text.replaceAll(/[\r\n]+/g, ' ');
}

/** Bodies of several statements need another mark for their end. */
function endStatement(sql: string): string {
  const text = sql.replace(/;\s*$/, '');
  if (!/^CREATE (OR REPLACE )?(TRIGGER|PROCEDURE|FUNCTION) /.test(text) || !text.includes(';')) return `${text};`;
  return `DELIMITER ;;\n${text} ;;\nDELIMITER ;`;
}
