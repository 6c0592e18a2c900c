/**
 * Adapts a hint of the API to the console. Replaces instructions for request bodies and headers, which the
 * console does not show.
 */
export function adaptHint(hint: string | null): string | null {
  return (
    hint
      ?.replace(
        'To send a question, add "mode": "question".',
        'If this is a question, choose Question above.',
      )
      .replace(/ ?The header Prefer: max-affected limits the number\./, '') ?? null
  );
}
