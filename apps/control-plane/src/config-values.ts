import { Secret, secretText } from '@rowhouse/runtime';
import { z } from 'zod';

/** An address that carries a password. */
export function urlSecret(): z.ZodType<Secret> {
  return secretText().refine((secret) => URL.canParse(secret.reveal()), 'is not an address');
}

/** 32 bytes as base64url. */
export function keyMaterial(): z.ZodType<Secret> {
  return secretText().refine(
    (secret) => /^[A-Za-z0-9_-]+={0,2}$/.test(secret.reveal()) && Buffer.from(secret.reveal(), 'base64url').length === 32,
    'must be 32 bytes as base64url',
  );
}

/** The name of a cell: part of every Redis key and row. */
export function cellName(): z.ZodType<string> {
  return z
    .string()
    .regex(/^[a-z][a-z0-9]{0,14}$/)
    .default('c1') as z.ZodType<string>;
}

/** `on`, `1`, `true` or `yes` switch a flag on. */
export function flag(): z.ZodType<boolean> {
  return z
    .string()
    .optional()
    .transform((text) => text !== undefined && /^(on|1|true|yes)$/i.test(text)) as z.ZodType<boolean>;
}
