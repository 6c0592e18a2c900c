import {
  startAuthentication,
  startRegistration,
  type AuthenticationResponseJSON,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
} from '@simplewebauthn/browser';
import { ApiError } from '../client/api-error.js';

/** Lets the browser create a passkey. Throws `ApiError`. */
export function createPasskey(
  optionsJSON: PublicKeyCredentialCreationOptionsJSON,
): Promise<RegistrationResponseJSON> {
  return startRegistration({ optionsJSON }).catch(toPasskeyError);
}

/** Lets the user pick a passkey, which signs the challenge. Throws `ApiError`. */
export function signWithPasskey(
  optionsJSON: PublicKeyCredentialRequestOptionsJSON,
): Promise<AuthenticationResponseJSON> {
  return startAuthentication({ optionsJSON }).catch(toPasskeyError);
}

/** Converts an error of the browser's passkey dialog to one that components can show, and throws it. */
function toPasskeyError(error: unknown): never {
  const name = error instanceof Error ? error.name : '';
  throw new ApiError(0, { code: 'passkey.failed', ...describe(name) });
}

function describe(name: string): { detail: string; hint?: string } {
  if (name === 'InvalidStateError') return { detail: 'This device already has a passkey for your account.' };
  if (name === 'SecurityError')
    return {
      detail: 'Passkeys don’t work at this address.',
      hint: 'Open the console by its domain name. On your own machine, use localhost.',
    };
  if (name === 'NotAllowedError')
    return { detail: 'The passkey was canceled or timed out.', hint: 'Try again.' };
  return { detail: 'This browser couldn’t use a passkey.', hint: 'Use your password instead.' };
}
