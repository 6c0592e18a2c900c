/**
 * What follows a change that succeeded, also where what asked for it has left the page by then: a list that is read anew may
 * take the button along, and callbacks given to `mutate` would be gone with it. A refusal stays with the mutation, which shows it.
 */
export function afterChange<Answer>(change: Promise<Answer>, then: (answer: Answer) => void): void {
  change.then(then, () => undefined);
}
