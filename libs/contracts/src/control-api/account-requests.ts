import { z } from 'zod';

/** The second step of a sign-in, or a confirmation: a code of an authenticator app, or a recovery code. */
const code = z.string().trim().min(6).max(40);
export const codeRequest = z.strictObject({ code });
const currentPassword = z.string().max(200);
/** A change that the current password must confirm. */
export const provenPasswordRequest = z.strictObject({ password: currentPassword });
/** A change that the current password and a code must confirm. */
export const provenTwoFactorRequest = z.strictObject({ password: currentPassword, code });

export type CodeRequest = z.infer<typeof codeRequest>;
export type ProvenPasswordRequest = z.infer<typeof provenPasswordRequest>;
export type ProvenTwoFactorRequest = z.infer<typeof provenTwoFactorRequest>;
