import type { ListAnswer, QuestionAnswer, SavedQueryAnswer } from '@rowhouse/contracts';
import { queryOptions } from '@tanstack/react-query';
import { fetchAll } from '../client/fetch-all.js';
import { sendRequest } from '../client/send-request.js';
import { queryKeys } from './keys.js';

export const savedQueriesQuery = (databaseId: string) => queryOptions({ queryKey: queryKeys.saved(databaseId), queryFn: () => fetchAll<SavedQueryAnswer>(`/api/databases/${databaseId}/saved-queries`) });

/** The newest questions that anybody asked this database. */
export const askedQuestionsQuery = (databaseId: string) =>
  queryOptions({ queryKey: queryKeys.asked(databaseId), queryFn: async () => (await sendRequest<ListAnswer<QuestionAnswer>>('GET', `/api/databases/${databaseId}/questions?limit=30`)).items });
