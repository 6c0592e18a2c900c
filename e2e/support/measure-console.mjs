// @ts-check
/** What is measured inside a page, by its own clock: the way between the test and the browser is no part of it. */

/** @typedef {import('playwright-core').Page} Page */

/**
 * Milliseconds from a click on this link until a grid cell has text.
 * @param {Page} page @param {string} table
 */
export function timeFirstRows(page, table) {
  return page.evaluate(async (name) => {
    const link = [...document.querySelectorAll('nav[aria-label="Tables"] a')].find((one) => one.textContent?.trim() === name);
    if (!(link instanceof HTMLElement)) throw new Error(`no link to ${name}`);
    const isThere = () => [...document.querySelectorAll(`[role="grid"][aria-label="Rows of ${name}"] [role="gridcell"]`)].some((cell) => (cell.textContent ?? '').trim() !== '');
    const startMs = performance.now();
    link.click();
    while (!isThere()) {
      if (performance.now() - startMs > 60_000) throw new Error('no rows within a minute');
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    return performance.now() - startMs;
  }, table);
}

/**
 * Scrolls the grid by this much with each frame, there and back, for a while.
 * @param {Page} page
 * @param {{ downPx: number, rightPx: number, durationMs: number }} way
 * @returns {Promise<{ framesPerSecond: number, longestFrameMs: number, cells: number }>}
 */
export function scrollGrid(page, way) {
  return page.evaluate(async ({ downPx, rightPx, durationMs }) => {
    const grid = document.querySelector('[role="grid"]');
    if (grid === null) throw new Error('no grid');
    grid.scrollTo(0, 0);
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const frame = () => new Promise((/** @type {(atMs: number) => void} */ resolve) => requestAnimationFrame(resolve));
    const startMs = await frame();
    let [lastMs, frames, longestFrameMs, down, right, cells] = [startMs, 0, 0, downPx, rightPx, 0];
    while (lastMs - startMs < durationMs) {
      const [top, left] = [grid.scrollTop, grid.scrollLeft];
      grid.scrollBy(right, down);
      if (grid.scrollTop === top) down = -down;
      if (grid.scrollLeft === left) right = -right;
      const atMs = await frame();
      frames += 1;
      longestFrameMs = Math.max(longestFrameMs, atMs - lastMs);
      lastMs = atMs;
      cells = Math.max(cells, grid.querySelectorAll('[role="gridcell"]').length);
    }
    return { framesPerSecond: (frames * 1_000) / (lastMs - startMs), longestFrameMs, cells };
  }, way);
}

/**
 * Milliseconds from a keystroke in the search of the side-bar until the list is the wanted one, and painted.
 * @param {Page} page @param {string} typed @param {string} first the table that then stands first
 */
export function timeTableSearch(page, typed, first) {
  return page.evaluate(async ({ text, wanted }) => {
    const field = document.querySelector('input[aria-label="Search tables"]');
    if (!(field instanceof HTMLInputElement)) throw new Error('no search field');
    const setText = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
    const isThere = () => document.querySelector('nav[aria-label="Tables"] li a')?.textContent?.trim() === wanted;
    if (isThere()) throw new Error(`${wanted} stands first already`);
    const startMs = performance.now();
    setText?.call(field, text);
    field.dispatchEvent(new Event('input', { bubbles: true }));
    while (!isThere()) {
      if (performance.now() - startMs > 10_000) throw new Error(`${wanted} does not come`);
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    return performance.now() - startMs;
  }, { text: typed, wanted: first });
}
