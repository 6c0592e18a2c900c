// @ts-check
/** Finds the options without which a dump recipe fails on a read-only connection. */
import { runRecipe } from './run-recipe.mjs';

/** Matches the options that name the connection, which are always needed. */
const CONNECTION = /^--(host|port|user|password)=/;

/**
 * Runs a dump recipe once without each of its options.
 * @param {import('./read-recipes.mjs').Recipe} recipe
 * @param {{ folder: string, env: NodeJS.ProcessEnv }} environment
 * @returns {Promise<Record<string, string>>} by option: `not needed`, or how the dump fails without it
 */
export async function tryDumpFlags(recipe, environment) {
  /** @type {Record<string, string>} */
  const found = {};
  for (const [flag] of recipe.script.matchAll(/--[a-z-]+(?:=\S+)?/g)) {
    if (CONNECTION.test(flag)) continue;
    const { works, found: message } = await runRecipe(
      { ...recipe, script: recipe.script.replace(flag, '') },
      environment,
    );
    found[flag] = works ? 'not needed' : message;
  }
  return found;
}
