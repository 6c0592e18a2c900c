const INHERITED = ['PATH', 'NODE_COMPILE_CACHE'];

/**
 * Returns the environment variables that a product process inherits from the test suite: the program paths
 * and the compile cache. All other variables are passed by name, so a developer's shell cannot change what is
 * tested.
 */
export function inheritEnvironment(): Record<string, string> {
  return Object.fromEntries(INHERITED.map((name) => [name, process.env[name] ?? '']));
}
