import { Algorithm, hash, verify } from '@node-rs/argon2';

const COST = { algorithm: 2 as Algorithm, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes with Argon2id, 19 MiB and 2 passes. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, COST);
}

let decoy: Promise<string> | undefined;

/**
 * Returns whether the password is correct. Without a stored hash, it does the same amount of work, so that
 * timing does not reveal which accounts exist.
 */
export async function isPassword(stored: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword('a password nobody has');
  const isRight = await verify(stored ?? (await decoy), password);
  return stored !== null && isRight;
}
