import { isIP } from 'node:net';
import { z } from 'zod';
import { Secret } from './secret.js';

/** An environment variable of a process, as described in the documentation. */
export interface VariableDescription {
  readonly name: string;
  readonly text: string;
  /** The default value. Empty if the variable has none. */
  readonly fallback: string;
  readonly isRequired: boolean;
}

/**
 * Reads the configuration of a process from the environment. With `--print-config`, it prints the values
 * without secrets and exits. It prints all problems together on stderr and exits with code 78 (EX_CONFIG).
 */
export function readConfig<S extends z.ZodType>(
  schema: S,
  env: NodeJS.ProcessEnv = process.env,
): z.output<S> {
  const present = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = schema.safeParse(present);
  if (!parsed.success) {
    const lines = parsed.error.issues.map(
      (issue) => `  ${issue.path.join('.') || '(environment)'}: ${issue.message}`,
    );
    process.stderr.write(`The configuration has ${lines.length} problem(s):\n${lines.join('\n')}\n`);
    process.exit(78);
  }
  if (process.argv.includes('--print-config')) {
    process.stdout.write(`${JSON.stringify(parsed.data, null, 2)}\n`);
    process.exit(0);
  }
  return parsed.data;
}

/**
 * Returns the descriptions of the environment variables in a schema, in order.
 *
 * @throws if a variable has no `describe` text
 */
export function describeEnvironment(schema: z.ZodObject): VariableDescription[] {
  return Object.entries(schema.shape).map(([name, variable]) => {
    const text = z.globalRegistry.get(variable)?.description;
    if (text === undefined) throw new Error(`${name} is not described`);
    const unset = z.safeParse(variable, undefined);
    const fallback = unset.success && unset.data !== undefined ? String(unset.data) : '';
    return { name, text, fallback, isRequired: !unset.success };
  });
}

/** Parses a non-empty value that must never be printed. */
export function secretText(): z.ZodType<Secret> {
  return z
    .string()
    .min(1)
    .transform((text) => new Secret(text));
}

/** Parses an address that contains a password. */
export function urlSecret(
  isAddress: (text: string) => boolean = (text) => URL.canParse(text),
): z.ZodType<Secret> {
  return secretText().refine((secret) => isAddress(secret.reveal()), 'is not an address');
}

/** Parses a key of 32 bytes in base64url. */
export function keyMaterial(): z.ZodType<Secret> {
  return secretText().refine(
    (secret) =>
      /^[A-Za-z0-9_-]+={0,2}$/.test(secret.reveal()) &&
      Buffer.from(secret.reveal(), 'base64url').length === 32,
    'must be 32 bytes as base64url',
  );
}

/**
 * Parses earlier keys, separated by commas. They decrypt existing values, and are no longer used to encrypt.
 */
export function keyMaterialList(): z.ZodType<readonly Secret[]> {
  return z
    .string()
    .default('')
    .transform((text, ctx) =>
      text
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '')
        .map((item) => {
          const parsed = keyMaterial().safeParse(item);
          if (parsed.success) return parsed.data;
          ctx.addIssue({
            code: 'custom',
            message: 'must be keys of 32 bytes as base64url, separated by commas',
          });
          return z.NEVER;
        }),
    );
}

/** Parses the earlier master keys of a process. */
export function previousMasterKeys(): ReturnType<typeof keyMaterialList> {
  return keyMaterialList().describe(
    'During a rotation of the master key: the previous keys, separated by commas. They only decrypt',
  );
}

/** Parses the id of the parent process, for example that of a launcher. */
export function parentPid() {
  return z.coerce
    .number()
    .int()
    .positive()
    .optional()
    .describe('The process ends when the process with this ID ends');
}

/** Returns the key for encryption, followed by the earlier keys, as bytes. */
export function toKeyRing(newest: Secret, previous: readonly Secret[]): readonly [Buffer, ...Buffer[]] {
  const toBytes = (secret: Secret): Buffer => Buffer.from(secret.reveal(), 'base64url');
  return [toBytes(newest), ...previous.map(toBytes)];
}

/** Parses the public URL of a process. Slashes at the end are removed. */
export function publicUrl(): z.ZodType<string> {
  return z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/+$/, ''));
}

/** Parses a TCP port. The value 0 selects a free port. */
export function portNumber(fallback: number): z.ZodType<number> {
  return z.coerce.number().int().min(0).max(65_535).default(fallback) as z.ZodType<number>;
}

/** Parses a whole number that is not negative. */
export function countNumber(fallback: number): z.ZodType<number> {
  return z.coerce.number().int().min(0).default(fallback) as z.ZodType<number>;
}

export function positiveNumber(fallback: number): z.ZodType<number> {
  return z.coerce.number().int().positive().default(fallback) as z.ZodType<number>;
}

/** Parses the name of a cell. It is part of every Redis key, and of every row. */
export function cellName(): z.ZodType<string> {
  return z
    .string()
    .regex(/^[a-z][a-z0-9]{0,14}$/, 'must be a lowercase letter and up to 14 lowercase letters and digits')
    .default('c1') as z.ZodType<string>;
}

/**
 * Parses `on`, `1`, `true` or `yes`, or their opposites. Other values are rejected, because a mistyped value
 * must not turn a setting off.
 */
export function flag(): z.ZodType<boolean> {
  return z.stringbool().default(false) as z.ZodType<boolean>;
}

export function logLevel() {
  return z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info');
}

export function deployment() {
  return z.enum(['production', 'development', 'test']).default('production');
}

/**
 * Parses IP addresses and networks such as `10.0.0.0/8`, separated by commas. The default is an empty list.
 */
export function networkList(): z.ZodType<readonly string[]> {
  return z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    )
    .refine(
      (parts) => parts.every(isNetwork),
      'must be addresses or networks like 10.0.0.0/8, separated by commas',
    ) as unknown as z.ZodType<readonly string[]>;
}

function isNetwork(text: string): boolean {
  const [address = '', bits, more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || more !== undefined) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}
