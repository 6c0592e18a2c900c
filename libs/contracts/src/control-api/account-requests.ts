import { z } from 'zod';
import { chosenName } from '../chosen-name.js';

/** The second step of a sign-in, or a confirmation: a code of an authenticator app, or a recovery code. */
const code = z.string().trim().min(6).max(40);
export const codeRequest = z.strictObject({ code });
const currentPassword = z.string().max(200);
/** A change that the current password must confirm. */
export const provenPasswordRequest = z.strictObject({ password: currentPassword });
/** A change that the current password and a code must confirm. */
export const provenTwoFactorRequest = z.strictObject({ password: currentPassword, code });

/** Starts to add a passkey. `code` is required if two-factor authentication is on. */
export const passkeyOptionsRequest = z.strictObject({ password: currentPassword, code: code.optional() });
/** What a browser returns from a WebAuthn call, in the JSON form of the standard. */
const credential = z.looseObject({ id: z.string().max(1_400), response: z.looseObject({}) });
export const createPasskeyRequest = z.strictObject({ name: chosenName, response: credential });
export const renamePasskeyRequest = z.strictObject({ name: chosenName });
export const passkeySignInRequest = z.strictObject({ response: credential });

export type CodeRequest = z.infer<typeof codeRequest>;
export type ProvenPasswordRequest = z.infer<typeof provenPasswordRequest>;
export type ProvenTwoFactorRequest = z.infer<typeof provenTwoFactorRequest>;
export type PasskeyOptionsRequest = z.infer<typeof passkeyOptionsRequest>;
export type CreatePasskeyRequest = z.infer<typeof createPasskeyRequest>;
export type PasskeySignInRequest = z.infer<typeof passkeySignInRequest>;
