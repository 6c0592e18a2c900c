import { z } from 'zod';
import { Secret } from './secret.js';

/** A non-empty environment value that must not be printed. */
export function secretText(): z.ZodType<Secret> {
  return z
    .string()
    .min(1)
    .transform((text) => new Secret(text));
}

/** A TCP port. */
export function portNumber(fallback: number): z.ZodType<number> {
  return z.coerce.number().int().min(0).max(65_535).default(fallback) as z.ZodType<number>;
}

/**
 * Reads one process's configuration from the environment through a schema.
 * With `--print-config` it prints what it read, secrets redacted, and ends.
 * All problems are reported at once on stderr and the process exits with 78 (EX_CONFIG).
 */
export function readConfig<S extends z.ZodType>(schema: S, env: NodeJS.ProcessEnv = process.env): z.output<S> {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = schema.safeParse(present);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.') || '(environment)'}: ${issue.message}`);
    process.stderr.write(`The configuration has ${lines.length} problem(s):\n${lines.join('\n')}\n`);
    process.exit(78);
  }
  if (process.argv.includes('--print-config')) {
    process.stdout.write(`${JSON.stringify(parsed.data, null, 2)}\n`);
    process.exit(0);
  }
  return parsed.data;
}
