import type { MigrationJournal } from '@rowhouse/platform-store';
import { Counter, type Registry } from '@rowhouse/runtime';

/** Wraps the journal and counts the migrations that end, by result. */
export function watchMigrations(registry: Registry, journal: MigrationJournal): MigrationJournal {
  const ended = new Counter({
    name: 'worker_migrations_total',
    help: 'Migrations that ended, by their last state',
    labelNames: ['state'],
    registers: [registry],
  });
  return {
    ...journal,
    async end(migration, state, error) {
      await journal.end(migration, state, error);
      ended.inc({ state });
    },
  };
}
