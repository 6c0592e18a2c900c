/**
 * A name at its position. `missing` lists the names that it needs but that come
 * later, because it closes a cycle.
 */
export interface OrderedItem {
  readonly name: string;
  readonly missing: readonly string[];
}

/**
 * Orders names so that each follows the names that it needs. Names that are free in the same round are
 * sorted. In a cycle, the first by name is placed early. Unknown needs are ignored. Runs in linear time over
 * names and needs, apart from sorting.
 */
export function placeInRounds(needs: ReadonlyMap<string, ReadonlySet<string>>): OrderedItem[] {
  const names = [...needs.keys()].sort();
  const left = new Map(
    names.map((name) => [
      name,
      new Set([...(needs.get(name) ?? [])].filter((other) => other !== name && needs.has(other))),
    ]),
  );
  const waitingFor = groupByNeed(left);
  const placed: OrderedItem[] = [];
  const done = new Set<string>();
  let free = names.filter((name) => left.get(name)?.size === 0);
  for (let first = 0; placed.length < names.length;) {
    while (done.has(names[first] ?? '')) first += 1;
    const round = free.length > 0 ? free : [names[first] ?? ''];
    for (const name of round) {
      placed.push({ name, missing: [...(left.get(name) ?? [])] });
      done.add(name);
    }
    free = round
      .flatMap((name) =>
        (waitingFor.get(name) ?? []).filter(
          (other) =>
            !done.has(other) && left.get(other)?.delete(name) === true && left.get(other)?.size === 0,
        ),
      )
      .sort();
  }
  return placed;
}

function groupByNeed(
  needs: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const [name, others] of needs) {
    for (const other of others) {
      const group = groups.get(other);
      if (group === undefined) groups.set(other, [name]);
      else group.push(name);
    }
  }
  return groups;
}
