import { MESSAGE_VALUES_MAX } from '@rowhouse/mcp';
import {
  isJsonObject,
  isWithinValues,
  serializeJson,
  type JsonObject,
  type JsonValue,
} from '@rowhouse/rest-engine';

/** An MCP message, split for the protocol and for the tool. */
export interface SplitMessage {
  /**
   * The message without the tool's arguments. The protocol library traverses its input several times, so the
   * arguments are not passed to it. Null if the message has more than `MESSAGE_VALUES_MAX` values.
   */
  readonly message: unknown;
  /** The arguments of the tool, parsed without loss. */
  readonly args: JsonObject;
}

export function splitMessage(body: JsonValue): SplitMessage {
  const params = isJsonObject(body) ? body.get('params') : undefined;
  const args = isJsonObject(params) ? params.get('arguments') : undefined;
  const rest =
    isJsonObject(body) && isJsonObject(params) && isJsonObject(args)
      ? replace(body, 'params', replace(params, 'arguments', new Map()))
      : body;
  const message: unknown = isWithinValues(rest, MESSAGE_VALUES_MAX) ? JSON.parse(serializeJson(rest)) : null;
  return { message, args: isJsonObject(args) ? args : new Map() };
}

/** Replaces a member of an object. A large object is not copied, because it will be rejected. */
function replace(object: JsonObject, name: string, value: JsonValue): JsonObject {
  return object.size > MESSAGE_VALUES_MAX ? object : new Map([...object, [name, value]]);
}
