import { describe, expect, it } from 'vitest';
import { createMessageSigner } from './message-signer.js';

const first = Buffer.alloc(32, 1);
const second = Buffer.alloc(32, 2);
const signer = createMessageSigner([first]);
const text = '{"seq":7,"umlaut":"ü"}';

describe('createMessageSigner', () => {
  it('a signed message is accepted on its own channel', () => {
    expect(signer.open('a', signer.sign('a', text))).toEqual({ kind: 'signed', text });
    expect(signer.open('a', signer.sign('a', ''))).toEqual({ kind: 'signed', text: '' });
    expect(signer.open('a', signer.sign('a', 'one\ntwo'))).toEqual({ kind: 'signed', text: 'one\ntwo' });
  });

  it('a signed message of another channel is rejected', () => {
    expect(signer.open('b', signer.sign('a', text))).toEqual({ kind: 'forged' });
  });

  it('a signed message with any changed character is rejected', () => {
    const message = signer.sign('a', text);
    for (let index = 0; index < message.length; index += 1) {
      const changed = `${message.slice(0, index)}${message[index] === 'A' ? 'z' : 'A'}${message.slice(index + 1)}`;
      expect(signer.open('a', changed).kind, `at ${index}`).not.toBe('signed');
    }
  });

  it('an unsigned message and a forged signature are reported differently', () => {
    for (const junk of ['', 'null', text, '1..', `1.${'0'.repeat(8)}.short.{}`])
      expect(signer.open('a', junk)).toEqual({ kind: 'unsigned' });
    expect(signer.open('a', `1.${'0'.repeat(8)}.${'A'.repeat(43)}.{}`)).toEqual({ kind: 'unknown_key' });
  });

  it('a message signed with an earlier key is accepted, and new messages use the first key', () => {
    const both = createMessageSigner([second, first]);
    expect(both.open('a', signer.sign('a', text))).toEqual({ kind: 'signed', text });
    expect(signer.open('a', both.sign('a', text))).toEqual({ kind: 'unknown_key' });
  });
});
