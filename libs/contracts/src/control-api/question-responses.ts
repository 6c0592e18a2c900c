/**
 * A synonym for a table or column. `is_known` is false if the draft schema no longer contains this table or
 * column. Questions then ignore the synonym.
 */
export interface SynonymResponse {
  id: string;
  phrase: string;
  table: string;
  column: string | null;
  is_known: boolean;
  created_at: string;
}

/** The language model for questions in a project. The response never contains its API key. */
export interface LanguageModelResponse {
  source: 'project' | 'installation' | 'none';
  /** The address of the project's own language model. Null if it has none. */
  base_url: string | null;
  model: string | null;
  has_key: boolean;
  updated_at: string | null;
}

/** The state of a database's value index. The values themselves are not returned. */
export interface ValueIndexResponse {
  /** The time when the index was last compared with the rows. Null before the first question. */
  checked_at: string | null;
  version: number;
  columns: number;
  values: number;
  bytes: number;
}

/**
 * A question about a database. `source` is null if the question was not translated to SQL. `code` then
 * contains the reason.
 */
export interface QuestionResponse {
  id: string;
  at: string;
  question: string;
  sql: string | null;
  source: 'rules' | 'llm' | 'cache' | null;
  code: string | null;
  duration_ms: number;
  tokens: number;
  repairs: number;
  verdict: 'accepted' | 'rejected' | null;
  key_id: string;
  request_id: string;
}

export interface AcceptedQuestionResponse {
  id: string;
  question: string;
  sql: string;
  created_by: string;
  created_at: string;
}

export interface SavedQueryResponse {
  id: string;
  name: string;
  kind: 'sql' | 'question';
  query: string;
  created_by: string;
  created_at: string;
  updated_at: string;
}

/** The use of the language model on one day in UTC. */
export interface ModelUseResponse {
  day: string;
  questions: number;
  requests: number;
  tokens_in: number;
  tokens_out: number;
  repairs: number;
  failures: number;
}
