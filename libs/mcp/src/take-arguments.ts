/** Beside the arguments of a tool: what the protocol has to say is far less. */
export const MESSAGE_VALUES_MAX = 1_000;

export interface TakenArguments {
  /** The message with `{}` in their place. */
  readonly message: unknown;
  /** Undefined where the message has none that are an object. */
  readonly args: Readonly<Record<string, unknown>> | undefined;
}

/** Takes the arguments of a tool out of a message: the protocol's package goes over all that it is given several times, and they may be large. */
export function takeArguments(message: unknown): TakenArguments {
  if (!isObject(message) || !isObject(message['params']) || !isObject(message['params']['arguments'])) return { message, args: undefined };
  const { params } = message;
  return { message: { ...message, params: { ...params, arguments: {} } }, args: params['arguments'] as Record<string, unknown> };
}

/** Whether a message is no more than `MESSAGE_VALUES_MAX` values. */
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
