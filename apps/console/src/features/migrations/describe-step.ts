import type { MigrationStepResponse } from '@rowhouse/contracts';

const KINDS: Readonly<Record<string, string>> = {
  ddl: 'Statement',
  check_rows: 'Check existing rows',
  grant: 'Update permissions',
  prepare: 'Send the schema ahead',
  acknowledge: 'Wait for every gateway',
  publish_pair: 'Serve both names',
  publish_target: 'Serve the new schema',
  publish: 'Publish',
};

/** Describes a step of a migration, such as `Statement on posts` or `Publish`. */
export function describeStep({ kind, table }: Pick<MigrationStepResponse, 'kind' | 'table'>): string {
  const verb = KINDS[kind] ?? kind.replaceAll('_', ' ');
  return table === '' ? verb : `${verb} on ${table}`;
}
