/**
 * Removes what the HTML page showed before scripts were loaded. CSS hides it as soon as the screen has its
 * heading.
 */
export function endFirstPage(): void {
  document.getElementById('first')?.remove();
}
