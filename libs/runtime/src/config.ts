import { z } from 'zod';

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

/** A variable of a process's environment, for its documentation. */
export interface VariableDescription {
  readonly name: string;
  readonly text: string;
  /** What it is when nothing is said; '' where that is nothing. */
  readonly fallback: string;
  readonly isRequired: boolean;
}

/** What a schema's variables mean, in its order. Throws when one of them has no `describe` of its own. */
export function describeEnvironment(schema: z.ZodObject): VariableDescription[] {
  return Object.entries(schema.shape).map(([name, variable]) => {
    const text = z.globalRegistry.get(variable)?.description;
    if (text === undefined) throw new Error(`${name} is not described`);
    const unset = z.safeParse(variable, undefined);
    const fallback = unset.success && unset.data !== undefined ? String(unset.data) : '';
    return { name, text, fallback, isRequired: !unset.success };
  });
}
