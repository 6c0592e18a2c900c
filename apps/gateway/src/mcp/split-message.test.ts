import { MESSAGE_VALUES_MAX } from '@rowhouse/mcp';
import { parseJson } from '@rowhouse/rest-engine';
import { describe, expect, it } from 'vitest';
import { splitMessage } from './split-message.js';

const members = (count: number): string =>
  `{${Array.from({ length: count }, (_, index) => `"m${index}":${index}`).join(',')}}`;
const split = (text: string): ReturnType<typeof splitMessage> => splitMessage(parseJson(text));

describe('splitMessage', () => {
  it('splitMessage returns the arguments of an MCP tool call without loss', () => {
    const { message, args } = split(
      '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"x","arguments":{"id":12345678901234567890},"_meta":{"a":[1,null]}}}',
    );
    expect(message).toEqual({
      jsonrpc: '2.0',
      id: 7,
      method: 'tools/call',
      params: { name: 'x', arguments: {}, _meta: { a: [1, null] } },
    });
    expect(args).toEqual(new Map([['id', { kind: 'number', text: '12345678901234567890' }]]));
  });

  it('MCP tool arguments that are not an object stay in the message for the protocol to reject', () => {
    expect(split('{"method":"tools/call","params":{"arguments":[1]}}')).toEqual({
      message: { method: 'tools/call', params: { arguments: [1] } },
      args: new Map(),
    });
    expect(split('{"method":"tools/call","params":5}').message).toEqual({ method: 'tools/call', params: 5 });
    expect(split('[{"method":"ping"}]').message).toEqual([{ method: 'ping' }]);
  });

  it('splitMessage limits the number of values in an MCP message, except in tool arguments', () => {
    const most = members(MESSAGE_VALUES_MAX + 1);
    expect(split(`{"method":"tools/call","params":{"name":"x","arguments":${most}}}`).message).toEqual({
      method: 'tools/call',
      params: { name: 'x', arguments: {} },
    });
    for (const text of [
      most,
      `{"params":${most}}`,
      `{"params":{"_meta":${most},"arguments":{}}}`,
      `{"params":{"arguments":[${most}]}}`,
      `[${'[],'.repeat(MESSAGE_VALUES_MAX)}1]`,
    ]) {
      expect(split(text).message, text.slice(0, 30)).toBeNull();
    }
    expect(split(members(MESSAGE_VALUES_MAX - 1)).message).not.toBeNull();
  });
});
