/** Returns a handler that closes a dialog and clears its mutation, so that it opens empty again. */
export function resetAndClose(mutation: { readonly reset: () => void }, onClose: () => void): () => void {
  return () => {
    mutation.reset();
    onClose();
  };
}
