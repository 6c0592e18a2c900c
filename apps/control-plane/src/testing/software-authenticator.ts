import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

interface Ceremony {
  readonly challenge: string;
  readonly origin: string;
  readonly rpId: string;
  /** Whether the device verified its user. */
  readonly isVerified?: boolean;
}

/** A passkey in software. It creates the responses that a browser would send. */
export class SoftwareAuthenticator {
  readonly #id = randomBytes(16);
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;
  #signCount = 0;

  constructor() {
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#privateKey = pair.privateKey;
    this.#publicKey = pair.publicKey;
  }

  create(ceremony: Ceremony): Record<string, unknown> {
    const { x = '', y = '' } = this.#publicKey.export({ format: 'jwk' });
    const key = new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
      [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
    ]);
    const credential = Buffer.concat([
      Buffer.alloc(16),
      Buffer.from([0, this.#id.length]),
      this.#id,
      isoCBOR.encode(key as never),
    ]);
    const authData = Buffer.concat([this.#toAuthData(ceremony, HAS_CREDENTIAL), credential]);
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', new Uint8Array(authData)],
    ]);
    return this.#toJson({
      clientDataJSON: toClientData('webauthn.create', ceremony).toString('base64url'),
      attestationObject: Buffer.from(isoCBOR.encode(attestation as never)).toString('base64url'),
    });
  }

  sign(ceremony: Ceremony): Record<string, unknown> {
    this.#signCount += 1;
    const authData = this.#toAuthData(ceremony, 0);
    const clientData = toClientData('webauthn.get', ceremony);
    const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()]);
    return this.#toJson({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: sign('sha256', signed, this.#privateKey).toString('base64url'),
    });
  }

  #toAuthData({ rpId, isVerified = true }: Ceremony, flags: number): Buffer {
    const head = Buffer.alloc(5);
    head.writeUInt8(USER_PRESENT | (isVerified ? USER_VERIFIED : 0) | flags);
    head.writeUInt32BE(this.#signCount, 1);
    return Buffer.concat([createHash('sha256').update(rpId).digest(), head]);
  }

  #toJson(response: Record<string, string>): Record<string, unknown> {
    const id = this.#id.toString('base64url');
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }
}

function toClientData(type: string, { challenge, origin }: Ceremony): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}
