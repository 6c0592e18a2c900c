/** Downloads a file in the browser. */
export function saveFile(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // The URL is released later. A download that has started no longer needs it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
