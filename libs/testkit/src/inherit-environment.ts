const INHERITED = ['PATH', 'NODE_COMPILE_CACHE'];

/**
 * What a process of the product has of the environment of the suite that starts it: where programs lie, and the code that was compiled
 * for those before it. All else is given to it by name, so that no setting of a developer's shell changes what is tested.
 */
export function inheritEnvironment(): Record<string, string> {
  return Object.fromEntries(INHERITED.map((name) => [name, process.env[name] ?? '']));
}
