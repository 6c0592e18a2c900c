import type { MigrationAnswer } from '@rowhouse/contracts';
import type { TarFile } from './write-tar.js';

/**
 * A database's history as SQL files, one for each migration that was published, in the order in which they were. Played
 * one after the other into an empty database they lead to its schema.
 */
export function toMigrationFiles(migrations: readonly MigrationAnswer[]): TarFile[] {
  const published = migrations.filter((migration) => migration.state === 'published' || migration.state === 'reverted');
  const ordered = [...published].sort((a, b) => (a.published_snapshot ?? 0) - (b.published_snapshot ?? 0));
  return ordered.map((migration, at) => ({
    name: `${String(at + 1).padStart(4, '0')}_${migration.origin}_${migration.id.replace(/^mig_/, '')}.sql`,
    text: [...heading(migration), '', ...migration.plan.steps.map((step) => `${endStatement(step.sql)}\n`)].join('\n'),
    at: new Date(migration.finished_at ?? migration.created_at),
  }));
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
