import { AppError } from '@rowhouse/errors';
import type { Secret } from '@rowhouse/runtime';

export interface LanguageModel {
  readonly baseUrl: string;
  readonly apiKey: Secret | null;
  readonly model: string;
}

const DEADLINE_MS = 60_000;
const ANSWER_BYTES_MAX = 1_048_576;

interface Completion {
  readonly choices?: readonly { readonly finish_reason?: string; readonly message?: { readonly content?: string | null; readonly refusal?: string | null } }[];
}

/** One question to a server that speaks the OpenAI chat protocol. Throws `llm.*`; neither question nor answer is logged. */
export async function askModel(settings: LanguageModel, instructions: string, question: string): Promise<string> {
  const res = await send(settings, instructions, question);
  if (!res.ok) throw new AppError('llm.unavailable', { internal: `the language model answered ${res.status}` });
  const text = await res.text();
  if (text.length > ANSWER_BYTES_MAX) throw new AppError('llm.bad_output', { internal: 'the answer is too long' });
  const choice = readCompletion(text).choices?.[0];
  if (choice?.finish_reason === 'length') throw new AppError('llm.truncated');
  if (choice?.finish_reason === 'content_filter' || (choice?.message?.refusal ?? null) !== null) throw new AppError('llm.refused');
  const content = choice?.message?.content ?? '';
  if (content.trim() === '') throw new AppError('llm.bad_output', { internal: 'an empty answer' });
  return content;
}

async function send(settings: LanguageModel, instructions: string, question: string): Promise<Response> {
  const body = { model: settings.model, temperature: 0, messages: [{ role: 'system', content: instructions }, { role: 'user', content: question }] };
  try {
    return await fetch(`${settings.baseUrl.replace(/\/+$/, '')}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(settings.apiKey === null ? {} : { authorization: `Bearer ${settings.apiKey.reveal()}` }) },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
  } catch (error) {
    throw new AppError('llm.unavailable', { cause: error });
  }
}

function readCompletion(text: string): Completion {
  try {
    return JSON.parse(text) as Completion;
  } catch (error) {
    throw new AppError('llm.bad_output', { cause: error });
  }
}
