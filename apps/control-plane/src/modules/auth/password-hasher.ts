import { Algorithm, hash, verify } from '@node-rs/argon2';

const COST = { algorithm: 2 as Algorithm, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Argon2id, 19 MiB, 2 passes. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, COST);
}

let decoy: Promise<string> | undefined;

/** Whether the password fits. Without a stored hash the same work is done, so that timing does not tell who has an account. */
export async function isPassword(stored: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword('a password nobody has');
  const isRight = await verify(stored ?? (await decoy), password);
  return stored !== null && isRight;
}
