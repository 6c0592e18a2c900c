// @ts-check
/**
 * Lists the texts of a page that overlap another text or end outside of the window. Texts in parts that
 * scroll or that are cut off with an ellipsis are counted only as far as they are visible.
 * @param {import('playwright-core').Page} page
 * @returns {Promise<string[]>}
 */
export async function findOverflow(page) {
  // The browser skips the layout of list items that are not in sight yet, and then reports old positions.
  await page.addStyleTag({ content: '* { content-visibility: visible !important; }' });
  return page.evaluate(() => {
    /** @typedef {{ left: number, top: number, right: number, bottom: number }} Box */
    const SLACK = 3;
    const cut = (/** @type {Box} */ box, /** @type {Box} */ by) => ({
      left: Math.max(box.left, by.left),
      top: Math.max(box.top, by.top),
      right: Math.min(box.right, by.right),
      bottom: Math.min(box.bottom, by.bottom),
    });
    const isSeen = (/** @type {Box} */ box) => box.right - box.left > SLACK && box.bottom - box.top > SLACK;
    const dialog = document.querySelector('[role="dialog"]');
    const root = dialog ?? document.body;
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    /** @type {{ text: string, element: Element, box: Box }[]} */
    const found = [];
    for (let node = walker.nextNode(); node !== null && found.length < 1_500; node = walker.nextNode()) {
      const element = node.parentElement;
      if (element === null || node.nodeValue?.trim() === '') continue;
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      if (element.closest('.rh-spoken, svg, [aria-hidden="true"], .cm-editor, option') !== null) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const rect of range.getClientRects()) {
        /** @type {Box} */
        let box = rect;
        let isFixed = false;
        for (let at = /** @type {Element | null} */ (element); at !== null; at = at.parentElement) {
          const style = getComputedStyle(at);
          if (/fixed|sticky/.test(style.position)) isFixed = true;
          if (style.overflowX !== 'visible' || style.overflowY !== 'visible')
            box = cut(box, at.getBoundingClientRect());
          if (style.clipPath !== 'none') box = { ...box, right: box.left };
        }
        if (isSeen(box) && !isFixed) found.push({ text: node.nodeValue?.trim() ?? '', element, box });
      }
    }
    const name = (/** @type {string} */ text) => (text.length > 40 ? `${text.slice(0, 37)}...` : text);
    const faults = new Set();
    for (const { text, box } of found)
      if (box.right > window.innerWidth + SLACK || box.left < -SLACK)
        faults.add(`"${name(text)}" ends outside of the window`);
    for (const [index, one] of found.entries())
      for (const other of found.slice(index + 1)) {
        if (one.element === other.element || !isSeen(cut(one.box, other.box))) continue;
        if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
        faults.add(`"${name(one.text)}" overlaps "${name(other.text)}"`);
      }
    return /** @type {string[]} */ ([...faults].slice(0, 5));
  });
}
