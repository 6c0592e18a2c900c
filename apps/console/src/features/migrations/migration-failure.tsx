import type { MigrationAnswer } from '@rowhouse/contracts';
import { ApiError } from '../../data/client/api-error.js';
import { ErrorNotice } from '../../ui/error-notice.js';

/** Why a migration stopped, in the form of all errors here. */
export function MigrationFailure({ migration }: { migration: MigrationAnswer }) {
  return <ErrorNotice title={`${migration.environment} was not changed as planned`} error={new ApiError(409, migration.error)} />;
}
