import type { MigrationResponse } from '@rowhouse/contracts';
import { ApiError } from '../../data/client/api-error.js';
import { ErrorNotice } from '../../ui/error-notice.js';

/** Shows why a migration stopped, in the same format as other errors. */
export function MigrationFailure({ migration }: { migration: MigrationResponse }) {
  return <ErrorNotice title={'Deploy failed'} error={new ApiError(409, migration.error)} />;
}
