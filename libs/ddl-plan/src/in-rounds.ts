/** One in its place. `missing`: what it needs and what comes behind it, for it closes a circle. */
export interface Placed {
  readonly name: string;
  readonly missing: readonly string[];
}

/**
 * Names so that each comes behind those that it needs, all that are free at once together and by name; in a circle the first by name goes
 * ahead. What nobody has as a name of their own is not waited for. In time of the number of names and needs.
 */
export function placeInRounds(needs: ReadonlyMap<string, ReadonlySet<string>>): Placed[] {
  const names = [...needs.keys()].sort();
  const left = new Map(names.map((name) => [name, new Set([...(needs.get(name) ?? [])].filter((other) => other !== name && needs.has(other)))]));
  const waitingFor = groupByNeed(left);
  const placed: Placed[] = [];
  const done = new Set<string>();
  let free = names.filter((name) => left.get(name)?.size === 0);
  for (let first = 0; placed.length < names.length; ) {
    while (done.has(names[first] ?? '')) first += 1;
    const round = free.length > 0 ? free : [names[first] ?? ''];
    for (const name of round) {
      placed.push({ name, missing: [...(left.get(name) ?? [])] });
      done.add(name);
    }
    free = round.flatMap((name) => (waitingFor.get(name) ?? []).filter((other) => !done.has(other) && left.get(other)?.delete(name) === true && left.get(other)?.size === 0)).sort();
  }
  return placed;
}

function groupByNeed(needs: ReadonlyMap<string, ReadonlySet<string>>): ReadonlyMap<string, readonly string[]> {
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
