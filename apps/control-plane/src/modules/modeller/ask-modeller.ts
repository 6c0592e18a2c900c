import { openDeadline, type ModelClient } from '@rowhouse/language-model';

const DEADLINE_MS = 60_000;
const ANSWER_TOKENS_MAX = 8_000;

/**
 * Sends a request for a change in words. Neither request nor response is logged.
 *
 * @throws AppError `llm.*`
 */
export async function askModeller(
  client: ModelClient,
  instructions: string,
  request: string,
): Promise<string> {
  const deadline = openDeadline(DEADLINE_MS);
  try {
    const messages = [
      { role: 'system', content: instructions },
      { role: 'user', content: request },
    ] as const;
    return (await client.ask({ messages, answerForm: null, tokensMax: ANSWER_TOKENS_MAX }, deadline)).text;
  } finally {
    deadline.close();
  }
}
