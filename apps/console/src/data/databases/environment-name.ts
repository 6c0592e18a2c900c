/** The names of environments that the control API accepts, for the `pattern` of a field. */
export const ENVIRONMENT_NAME = '[a-z][a-z0-9-]{0,30}';

export const ENVIRONMENT_NAME_RULE = 'Small letters, digits and hyphens, a letter first, 31 at most.';

const WHOLE_NAME = new RegExp(`^${ENVIRONMENT_NAME}$`);

export function isEnvironmentName(name: string): boolean {
  return WHOLE_NAME.test(name);
}
