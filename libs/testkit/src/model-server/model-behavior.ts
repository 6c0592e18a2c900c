import type { ModelBody, ModelBehavior, ModelStep } from './model-case.js';

/** Returns the rejection if a request uses an unsupported feature. Returns null for other requests. */
export function findBehaviorFault(body: ModelBody, behavior: ModelBehavior): ModelStep | null {
  const refuse = (param: string, message: string, code = 'unsupported_parameter'): ModelStep => ({
    status: 400,
    error:
      behavior.hasVagueErrors === true
        ? { message: 'Bad request.' }
        : { message, type: 'invalid_request_error', param, code },
  });
  const characters = body.messages.reduce((sum, message) => sum + message.content.length, 0);
  if (characters > (behavior.charactersMax ?? Number.POSITIVE_INFINITY))
    return refuse(
      'messages',
      `This model's maximum context length is ${behavior.charactersMax} tokens.`,
      'context_length_exceeded',
    );
  const format = (body.response_format?.type ?? 'text') as 'json_schema' | 'json_object' | 'text';
  if (!(behavior.formats ?? ['json_schema', 'json_object', 'text']).includes(format))
    return refuse(
      'response_format',
      `Invalid parameter: 'response_format' of type '${format}' is not supported with this model.`,
      'unsupported_value',
    );
  if (behavior.tokens !== undefined) {
    const wrong = behavior.tokens === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
    if (body[wrong] !== undefined)
      return refuse(wrong, `Unsupported parameter: '${wrong}' is not supported with this model.`);
    if (behavior.tokens === 'none' && body.max_completion_tokens !== undefined)
      return refuse(
        'max_completion_tokens',
        "Unsupported parameter: 'max_completion_tokens' is not supported with this model.",
      );
  }
  if (behavior.temperature === false && body.temperature !== undefined)
    return refuse(
      'temperature',
      "Unsupported value: 'temperature' does not support 0 with this model.",
      'unsupported_value',
    );
  if (behavior.systemRole === false && body.messages.some((message) => message.role === 'system'))
    return refuse(
      'messages',
      "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
      'unsupported_value',
    );
  if (behavior.streamOnly === true && body.stream !== true)
    return refuse(
      'stream',
      'This model only supports stream mode, please enable the stream parameter.',
      'invalid_parameter_error',
    );
  return null;
}
