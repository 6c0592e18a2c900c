/** Takes away what the server's page showed before any script was there. Its style hides it as soon as a screen has its heading; here it goes for good. */
export function endFirstPage(): void {
  document.getElementById('first')?.remove();
}
