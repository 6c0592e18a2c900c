/**
 * Removes what the server's page showed before scripts were loaded. CSS hides it as soon as a screen has its
 * heading.
 */
export function endFirstPage(): void {
  document.getElementById('first')?.remove();
}
