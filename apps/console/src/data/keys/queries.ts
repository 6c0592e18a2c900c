import type { KeyAnswer } from '@rowhouse/contracts';
import { queryOptions } from '@tanstack/react-query';
import { fetchAll } from '../client/fetch-all.js';
import { keyKeys } from './keys.js';

export const keysQuery = (databaseId: string) =>
  queryOptions({ queryKey: keyKeys.of(databaseId), queryFn: () => fetchAll<KeyAnswer>(`/api/databases/${databaseId}/keys`) });
