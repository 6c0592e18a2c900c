import type {
  AcceptedQuestionResponse,
  LanguageModelResponse,
  ModelUseResponse,
  QuestionResponse,
  SavedQueryResponse,
} from '@rowhouse/contracts';
import { z } from 'zod';
import { id, time, type Shape } from './shared.js';

const count = z.number().int();

export const questionResponse = z.object({
  id,
  at: time,
  question: z.string(),
  sql: z.string().nullable(),
  source: z.enum(['rules', 'llm', 'cache']).nullable(),
  code: z.string().nullable(),
  duration_ms: count,
  tokens: count,
  repairs: count,
  verdict: z.enum(['accepted', 'rejected']).nullable(),
  key_id: id,
  request_id: z.string(),
}) satisfies Shape<QuestionResponse>;

export const acceptedQuestionResponse = z.object({
  id,
  question: z.string(),
  sql: z.string(),
  created_by: id,
  created_at: time,
}) satisfies Shape<AcceptedQuestionResponse>;
export const savedQueryResponse = z.object({
  id,
  name: z.string(),
  kind: z.enum(['sql', 'question']),
  query: z.string(),
  created_by: id,
  created_at: time,
  updated_at: time,
}) satisfies Shape<SavedQueryResponse>;
export const modelUseResponse = z.object({
  day: z.string(),
  questions: count,
  requests: count,
  tokens_in: count,
  tokens_out: count,
  repairs: count,
  failures: count,
}) satisfies Shape<ModelUseResponse>;
export const languageModelResponse = z.object({
  source: z.enum(['project', 'installation', 'none']),
  base_url: z.string().nullable(),
  model: z.string().nullable(),
  has_key: z.boolean(),
  updated_at: time.nullable(),
}) satisfies Shape<LanguageModelResponse>;
