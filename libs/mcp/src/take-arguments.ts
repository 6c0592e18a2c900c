/** The maximum number of values besides the arguments of a tool. The protocol needs far fewer. */
export const MESSAGE_VALUES_MAX = 1_000;

export interface TakenArguments {
  /** The message with `{}` in place of the arguments. */
  readonly message: unknown;
  /** Undefined when the message has no arguments that are an object. */
  readonly args: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Removes the arguments of a tool from a message. The protocol package traverses its input several times, and
 * arguments may be large.
 */
export function takeArguments(message: unknown): TakenArguments {
  if (!isObject(message) || !isObject(message['params']) || !isObject(message['params']['arguments']))
    return { message, args: undefined };
  const { params } = message;
  return {
    message: { ...message, params: { ...params, arguments: {} } },
    args: params['arguments'] as Record<string, unknown>,
  };
}

/** Returns whether a message has at most `MESSAGE_VALUES_MAX` values. */
export function isShortMessage(message: unknown): boolean {
  let found = 1;
  const open = [message];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    const inside: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
    found += inside.length;
    if (found > MESSAGE_VALUES_MAX) return false;
    open.push(...inside);
  }
  return true;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
