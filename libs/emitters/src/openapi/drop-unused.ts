import type { Steps } from '@rowhouse/schema-model';
import type { ComponentKind, Json, JsonObject } from './openapi-types.js';

const KINDS: readonly ComponentKind[] = ['parameters', 'headers', 'responses', 'requestBodies', 'schemas'];
/** The number of objects and values that are visited in each step, which takes a few milliseconds. */
const VALUES_PER_STEP = 20_000;

interface Component {
  readonly kind: ComponentKind;
  readonly name: string;
  /** The `$ref` value with which other parts of the document refer to this component. */
  readonly address: string;
  readonly references: readonly string[];
}

/** Removes components that nothing refers to, until something refers to every remaining component. */
export function* dropUnusedSteps(document: JsonObject): Steps<JsonObject> {
  const { components: _, ...rest } = document;
  const components = document['components'] as Readonly<Record<string, JsonObject>>;
  const left = new Set<Component>();
  /** The number of references to each component from the remaining parts of the document. */
  const uses = new Map<string, number>();
  const count = (references: readonly string[], change: 1 | -1): void => {
    for (const address of references) uses.set(address, (uses.get(address) ?? 0) + change);
  };
  const budget = { values: VALUES_PER_STEP };
  const found = function* (node: Json): Steps<readonly string[]> {
    const references: string[] = [];
    if (listReferences(node, references, budget)) yield;
    return references;
  };
  for (const [name, member] of Object.entries(rest)) {
    if (name === 'paths')
      for (const path of Object.values(member as JsonObject)) count(yield* found(path), 1);
    else count(yield* found(member), 1);
  }
  for (const [kind, entries] of Object.entries(components)) {
    for (const [name, member] of Object.entries(entries)) {
      const references = yield* found(member);
      count(references, 1);
      if (KINDS.includes(kind as ComponentKind))
        left.add({ kind: kind as ComponentKind, name, address: `#/components/${kind}/${name}`, references });
    }
  }
  dropAll(
    left,
    (component) => (uses.get(component.address) ?? 0) > 0,
    (component) => count(component.references, -1),
  );
  return { ...document, components: keep(components, left) };
}

/**
 * Removes unused components. If a removed component had the last reference to another one, that one is
 * removed too.
 */
function dropAll(
  left: Set<Component>,
  isUsed: (component: Component) => boolean,
  drop: (component: Component) => void,
): void {
  for (let before = -1; before !== left.size;) {
    before = left.size;
    for (const component of left) {
      if (isUsed(component)) continue;
      left.delete(component);
      drop(component);
    }
  }
}

function keep(components: Readonly<Record<string, JsonObject>>, left: ReadonlySet<Component>): JsonObject {
  const named = new Map<string, [string, Json][]>(KINDS.map((kind) => [kind, []]));
  for (const { kind, name } of left) named.get(kind)?.push([name, components[kind]?.[name] as Json]);
  return Object.fromEntries(
    Object.entries(components).flatMap(([kind, all]) => {
      const entries = named.get(kind);
      if (entries === undefined) return [[kind, all] as const];
      return entries.length === 0 ? [] : [[kind, Object.fromEntries(entries)] as const];
    }),
  );
}

/**
 * Adds the references in a part of the document to `references`. If a column is called `$ref`, its value is
 * an object, so it is not a reference. Returns true if the step should end.
 */
function listReferences(root: Json, references: string[], budget: { values: number }): boolean {
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [name, value] of Object.entries(node)) {
      budget.values -= 1;
      if (name === '$ref' && typeof value === 'string') references.push(value);
      else visit(value);
    }
  };
  visit(root);
  if (budget.values > 0) return false;
  budget.values = VALUES_PER_STEP;
  return true;
}
