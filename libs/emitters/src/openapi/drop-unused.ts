import type { ComponentKind, JsonObject } from './openapi-types.js';

const KINDS: readonly ComponentKind[] = ['parameters', 'headers', 'responses', 'requestBodies', 'schemas'];

/** Without the components that nothing in this document points at, until none is left. */
export function dropUnused(document: JsonObject): JsonObject {
  const components = document['components'] as Readonly<Record<string, JsonObject>>;
  const used = listReferences(document);
  const kept: Record<string, JsonObject> = { ...components };
  let hasDropped = false;
  for (const kind of KINDS) {
    const entries = Object.entries(components[kind] ?? {});
    const left = entries.filter(([name]) => used.has(`#/components/${kind}/${name}`));
    hasDropped ||= left.length < entries.length;
    if (left.length === 0) delete kept[kind];
    else kept[kind] = Object.fromEntries(left);
  }
  const result = { ...document, components: kept };
  return hasDropped ? dropUnused(result) : result;
}

/** `#/components/…` of everything that is pointed at. A column called `$ref` has an object behind it, not a text. */
function listReferences(document: JsonObject): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [name, value] of Object.entries(node)) {
      if (name === '$ref' && typeof value === 'string') found.add(value);
      else visit(value);
    }
  };
  visit(document);
  return found;
}
