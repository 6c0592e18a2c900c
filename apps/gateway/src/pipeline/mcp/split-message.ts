import { MESSAGE_VALUES_MAX } from '@rowhouse/mcp';
import { isJsonObject, isWithinValues, serializeJson, type JsonObject, type JsonValue } from '@rowhouse/rest-engine';

/** A message of MCP, as the protocol reads it and as the tool does. */
export interface SplitMessage {
  /** Without the arguments: the protocol's package goes over all that it is given several times. Null: more than `MESSAGE_VALUES_MAX` values. */
  readonly message: unknown;
  /** Of the tool that it calls, read without loss. */
  readonly args: JsonObject;
}

export function splitMessage(body: JsonValue): SplitMessage {
  const params = isJsonObject(body) ? body.get('params') : undefined;
  const args = isJsonObject(params) ? params.get('arguments') : undefined;
  const rest = isJsonObject(body) && isJsonObject(params) && isJsonObject(args) ? replace(body, 'params', replace(params, 'arguments', new Map())) : body;
  const message: unknown = isWithinValues(rest, MESSAGE_VALUES_MAX) ? JSON.parse(serializeJson(rest)) : null;
  return { message, args: isJsonObject(args) ? args : new Map() };
}

/** A large object is not copied only to be refused. */
function replace(object: JsonObject, name: string, value: JsonValue): JsonObject {
  return object.size > MESSAGE_VALUES_MAX ? object : new Map([...object, [name, value]]);
}
