// @ts-check
/**
 * Measures times inside the page by the page's clock. The delay between the test and the browser is therefore
 * not included.
 */

/** @typedef {import('playwright-core').Page} Page */

/**
 * Measures the milliseconds from a click on a link until a grid cell has text.
 * @param {Page} page
 * @param {string} table
 */
export function timeFirstRows(page, table) {
  return page.evaluate(async (name) => {
    const link = [...document.querySelectorAll('nav[aria-label="Tables"] a')].find(
      (item) => item.textContent?.trim() === name,
    );
    if (!(link instanceof HTMLElement)) throw new Error(`no link to ${name}`);
    const exists = () =>
      [...document.querySelectorAll(`[role="grid"][aria-label="Rows of ${name}"] [role="gridcell"]`)].some(
        (cell) => (cell.textContent ?? '').trim() !== '',
      );
    const startMs = performance.now();
    link.click();
    while (!exists()) {
      if (performance.now() - startMs > 60_000) throw new Error('no rows within a minute');
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    return performance.now() - startMs;
  }, table);
}

/**
 * @typedef {object} ScrollFigures
 * @property {number} framesPerSecond
 * @property {number} longestFrameMs
 * @property {number} cells the maximum number in the page
 * @property {number} mainMs main thread time per frame: scripts, style, layout and paint, without
 *   rasterization
 * @property {number} scriptMs script time per frame, part of `mainMs`
 * @property {number} layouts the number per frame
 */

/**
 * Scrolls the grid, or the element of `selector`, by a distance per frame, back and forth for a while.
 * @param {Page} page
 * @param {{ downPx: number, rightPx: number, durationMs: number, selector?: string }} way
 * @returns {Promise<ScrollFigures>}
 */
export async function scrollGrid(page, { selector = '[role="grid"]', ...motion }) {
  const browser = await page.context().newCDPSession(page);
  await browser.send('Performance.enable');
  const read = async () =>
    new Map((await browser.send('Performance.getMetrics')).metrics.map(({ name, value }) => [name, value]));
  try {
    const before = await read();
    const { frames, ...scrolled } = await scrollByFrames(page, { selector, ...motion });
    const after = await read();
    const perFrame = (/** @type {string} */ name) =>
      ((after.get(name) ?? 0) - (before.get(name) ?? 0)) / frames;
    return {
      ...scrolled,
      mainMs: perFrame('TaskDuration') * 1_000,
      scriptMs: perFrame('ScriptDuration') * 1_000,
      layouts: perFrame('LayoutCount'),
    };
  } finally {
    await browser.detach();
  }
}

/**
 * @param {Page} page
 * @param {{ downPx: number, rightPx: number, durationMs: number, selector: string }} motion
 */
function scrollByFrames(page, motion) {
  return page.evaluate(async ({ downPx, rightPx, durationMs, selector }) => {
    const grid = document.querySelector(selector);
    if (grid === null) throw new Error('nothing to scroll');
    grid.scrollTo(0, 0);
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const frame = () =>
      new Promise((/** @type {(atMs: number) => void} */ resolve) => requestAnimationFrame(resolve));
    const startMs = await frame();
    let [lastMs, frames, longestFrameMs, down, right, cells] = [startMs, 0, 0, downPx, rightPx, 0];
    while (lastMs - startMs < durationMs) {
      const [top, remaining] = [grid.scrollTop, grid.scrollLeft];
      grid.scrollBy(right, down);
      if (grid.scrollTop === top) down = -down;
      if (grid.scrollLeft === remaining) right = -right;
      const atMs = await frame();
      frames += 1;
      longestFrameMs = Math.max(longestFrameMs, atMs - lastMs);
      lastMs = atMs;
      cells = Math.max(cells, grid.querySelectorAll('[role="gridcell"]').length);
    }
    return { frames, framesPerSecond: (frames * 1_000) / (lastMs - startMs), longestFrameMs, cells };
  }, motion);
}

/**
 * Covers the grid with an element that scrolls the same distance and runs no scripts. Its speed is the most
 * that any grid can reach on this machine. `text` fills the element with lines of text.
 * @param {Page} page
 * @param {'blank' | 'text'} kind
 * @returns {Promise<string>} its selector
 */
export async function createPlainOver(page, kind) {
  await page.evaluate((what) => {
    const grid = document.querySelector('[role="grid"]');
    if (grid === null) throw new Error('no grid');
    document.getElementById('plain-scroller')?.remove();
    const { left: remaining, top, width, height } = grid.getBoundingClientRect();
    const plain = document.createElement('div');
    plain.id = 'plain-scroller';
    plain.style.cssText = `position:fixed;left:${remaining}px;top:${top}px;width:${width}px;height:${height}px;overflow:auto;contain:strict;background:#fff;z-index:9`;
    const sheet = document.createElement('div');
    sheet.style.cssText = `width:${grid.scrollWidth}px;height:${grid.scrollHeight}px;font-size:13px;line-height:33px;white-space:pre;overflow:clip`;
    if (what === 'text')
      sheet.textContent = Array.from({ length: 2_000 }, (_, index) =>
        Array.from({ length: 50 }, (_column, column) => `c${column} of ${index}`.padEnd(28)).join(''),
      ).join('\n');
    plain.append(sheet);
    document.body.append(plain);
  }, kind);
  return '#plain-scroller';
}

/**
 * Measures the milliseconds from a keystroke in the sidebar search until the expected list is painted.
 * @param {Page} page
 * @param {string} typed
 * @param {string} first the table that is first afterwards
 */
export function timeTableSearch(page, typed, first) {
  return page.evaluate(
    async ({ text, wanted: expected }) => {
      const field = document.querySelector('input[aria-label="Search tables"]');
      if (!(field instanceof HTMLInputElement)) throw new Error('no search field');
      const setText = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
      const exists = () =>
        document.querySelector('nav[aria-label="Tables"] li a')?.textContent?.trim() === expected;
      if (exists()) throw new Error(`${expected} stands first already`);
      const startMs = performance.now();
      setText?.call(field, text);
      field.dispatchEvent(new Event('input', { bubbles: true }));
      while (!exists()) {
        if (performance.now() - startMs > 10_000) throw new Error(`${expected} does not come`);
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      return performance.now() - startMs;
    },
    { text: typed, wanted: first },
  );
}
