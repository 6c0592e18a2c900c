import { z } from 'zod';

/**
 * Reads the configuration of a process from the environment. With `--print-config`, it prints the values with
 * redacted secrets and exits. It reports all problems at once on stderr and exits with code 78 (EX_CONFIG).
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

/** An environment variable of a process, for the documentation. */
export interface VariableDescription {
  readonly name: string;
  readonly text: string;
  /** The default value. Empty without one. */
  readonly fallback: string;
  readonly isRequired: boolean;
}

/**
 * Returns the descriptions of a schema's variables in order.
 *
 * @throws when a variable has no `describe` text
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
