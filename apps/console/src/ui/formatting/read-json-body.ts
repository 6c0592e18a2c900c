/** Parses the text of a request body. An empty text is no body. */
export function readJsonBody(text: string): { value: unknown; fault: string | null } {
  if (text.trim() === '') return { value: undefined, fault: null };
  try {
    return { value: JSON.parse(text) as unknown, fault: null };
  } catch (error) {
    return {
      value: undefined,
      fault: `Invalid JSON: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}
