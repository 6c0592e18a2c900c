import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@rowhouse/errors';
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type AuthenticationResponseJSON,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  type WebAuthnCredential,
} from '@simplewebauthn/server';
import type { Config } from '../../config.js';
import type { Account } from '../../platform-db/entities/account.js';
import type { Passkey } from '../../platform-db/entities/passkey.js';
import { CONFIG } from '../../platform/tokens.js';

/** The algorithms EdDSA, ES256 and RS256. Every device supports one of them. */
const ALGORITHMS = [-8, -7, -257];

/** The site for which browsers create and use passkeys. */
interface Site {
  readonly id: string;
  readonly origin: string;
}

/** Creates the options of WebAuthn ceremonies and verifies their responses. */
@Injectable()
export class PasskeyVerifier {
  readonly #site: Site | null;

  constructor(@Inject(CONFIG) config: Pick<Config, 'publicUrl'>) {
    this.#site = toSite(config.publicUrl);
  }

  /** The device must verify its user, for example by a fingerprint, so that a passkey counts as two factors. */
  createOptions(
    account: Account,
    existing: readonly Passkey[],
  ): Promise<PublicKeyCredentialCreationOptionsJSON> {
    return generateRegistrationOptions({
      rpName: 'Rowhouse',
      rpID: this.#expectSite().id,
      userName: account.email,
      userDisplayName: account.name === '' ? account.email : account.name,
      userID: new Uint8Array(Buffer.from(account.id)),
      excludeCredentials: existing.map((passkey) => ({ id: passkey.credentialId.toString('base64url') })),
      supportedAlgorithmIDs: ALGORITHMS,
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
  }

  /** Names no credentials, so that the response does not reveal which accounts exist. */
  signInOptions(): Promise<PublicKeyCredentialRequestOptionsJSON> {
    return generateAuthenticationOptions({ rpID: this.#expectSite().id, userVerification: 'required' });
  }

  /** Returns the new credential. Throws `auth.bad_passkey` for a response that does not match. */
  async verifyCreated(response: RegistrationResponseJSON, challenge: string): Promise<WebAuthnCredential> {
    const { id, origin } = this.#expectSite();
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    }).catch(rejectPasskey);
    if (!verified || registrationInfo === undefined) throw new AppError('auth.bad_passkey');
    return registrationInfo.credential;
  }

  /** Returns the new count of signatures. Throws `auth.bad_passkey` for a response that does not match. */
  async verifySignIn(
    response: AuthenticationResponseJSON,
    challenge: string,
    passkey: Passkey,
  ): Promise<number> {
    const { id, origin } = this.#expectSite();
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      credential: {
        id: passkey.credentialId.toString('base64url'),
        publicKey: new Uint8Array(passkey.publicKey),
        counter: passkey.signCount,
      },
    }).catch(rejectPasskey);
    if (!verified) throw new AppError('auth.bad_passkey');
    return authenticationInfo.newCounter;
  }

  #expectSite(): Site {
    if (this.#site === null)
      throw new AppError('resource.conflict', {
        detail: 'Passkeys need a domain name, but this installation is reached by an IP address.',
        hint: 'Ask the operator to set CONTROL_PUBLIC_URL to a URL with a domain name.',
      });
    return this.#site;
  }
}

/**
 * Returns the site of the console. Browsers create no passkeys for IP addresses. On loopback, `localhost` is
 * the same machine.
 */
export function toSite(publicUrl: string): Site | null {
  const url = new URL(publicUrl);
  if (/^(127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)) url.hostname = 'localhost';
  if (isIP(url.hostname.replaceAll(/[[\]]/g, '')) !== 0) return null;
  return { id: url.hostname, origin: url.origin };
}

export function hashCredentialId(id: Buffer): Buffer {
  return createHash('sha256').update(id).digest();
}

function rejectPasskey(cause: unknown): never {
  throw new AppError('auth.bad_passkey', { cause });
}
