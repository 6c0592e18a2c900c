const COPIED: readonly string[] = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'font-family',
  'font-size',
  'font-weight',
  'text-decoration',
];

/** Returns the whole drawing as a self-contained file, with every color and font written out. */
export function exportSvg(
  drawing: SVGSVGElement,
  size: { readonly width: number; readonly height: number },
): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const [from, to] = [
    [drawing, ...drawing.querySelectorAll('*')],
    [copy, ...copy.querySelectorAll('*')],
  ];
  from.forEach((element, index) => {
    const style = getComputedStyle(element);
    const target = to[index];
    if (target === undefined) return;
    target.removeAttribute('class');
    for (const name of COPIED)
      if (style.getPropertyValue(name) !== '') target.setAttribute(name, style.getPropertyValue(name));
    for (const name of ['tabindex', 'role', 'aria-label', 'aria-hidden', 'style'])
      target.removeAttribute(name);
  });
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('viewBox', `0 0 ${size.width} ${size.height}`);
  copy.setAttribute('width', String(size.width));
  copy.setAttribute('height', String(size.height));
  copy.querySelector('[data-scene]')?.removeAttribute('transform');
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(copy)}`;
}
