/**
 * Runs a callback after a successful change, even if the component that started it was unmounted. Callbacks
 * passed to `mutate` are lost then, for example when a reloaded list removes the button. The mutation shows
 * its own error.
 */
export function afterChange<Answer>(change: Promise<Answer>, then: (response: Answer) => void): void {
  change.then(then, () => undefined);
}
