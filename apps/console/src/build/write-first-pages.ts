import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Plugin } from 'vite';
import { ENVIRONMENT, PAGE_HEADINGS } from '../first/page-headings.js';
import { SCREEN_MODULES } from '../screen-modules.js';
import { BrandMark } from '../ui/theme/house-glyph.js';

const ROOT = '<div id="root"></div>';

/**
 * A plugin that writes an HTML page for each screen of signed-in users. The page is `index.html` with the
 * layout, and with the heading and first line if they depend only on the URL. `before-paint.js` inserts the
 * environment. Users can read the page while scripts and data are loading. `screens.json` tells the control
 * plane which page belongs to which screen.
 */
export function writeFirstPages(): Plugin {
  return {
    name: 'write-first-pages',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const index = bundle['index.html'];
        if (index?.type !== 'asset') throw new Error('The build created no index.html');
        const html = String(index.source);
        for (const path of Object.keys(SCREEN_MODULES)) {
          const name = nameFirstPage(path);
          if (name !== undefined && !(name in bundle))
            this.emitFile({ type: 'asset', fileName: name, source: writeFirstPage(html, path) });
        }
      },
    },
  };
}

/**
 * Returns the name of a screen's HTML page. Screens for users who are not signed in have no layout and use
 * `index.html`. Sign-up is an exception, because users read its page before they fill in the form.
 */
export function nameFirstPage(path: string): string | undefined {
  const screen = SCREEN_MODULES[path]?.at(-1);
  return screen !== undefined && /^\/(account|clone|invitations|projects|signup)(\/|$)/.test(path)
    ? `pages/${screen}.html`
    : undefined;
}

/** @throws when the page does not have exactly one placeholder */
export function writeFirstPage(html: string, path: string): string {
  if (html.split(ROOT).length !== 2) throw new Error(`index.html must contain ${ROOT} exactly once`);
  // Scripts get a lower priority than the style sheet, because users can read the page without scripts.
  const unhurried = html.replace(
    /<script type="module"|<link rel="modulepreload"/g,
    (tag) => `${tag} fetchpriority="low"`,
  );
  return unhurried.replace(ROOT, () => `${drawFrame(path)}\n    ${ROOT}`);
}

function drawFrame(path: string): string {
  const heading = Object.entries(PAGE_HEADINGS).find(
    ([screen]) => screen === SCREEN_MODULES[path]?.at(-1),
  )?.[1];
  const isInProject = path.startsWith('/projects/$projectId');
  const mark = renderToStaticMarkup(createElement(BrandMark, { size: 26 }));
  const title = heading === undefined ? '' : `<p class="rh-first-title">${escapeText(heading.title)}</p>`;
  const lead =
    heading === undefined || !('lead' in heading)
      ? ''
      : `<p class="rh-first-lead">${escapeText(heading.lead).replace(ENVIRONMENT, '<span data-environment></span>')}</p>`;
  const bar = `<div class="rh-first-bar">${mark}<span>Rowhouse</span></div>`;
  if (path === '/signup')
    return `<div id="first" aria-hidden="true" data-door>${bar}<div class="rh-first-page">${title}${lead}</div></div>`;
  return [
    `<div id="first" aria-hidden="true"${isInProject ? ' data-project' : ''}>`,
    bar,
    isInProject ? '<div class="rh-first-side"></div>' : '',
    `<div>${isInProject ? '<div class="rh-first-environments"></div>' : ''}`,
    `<div class="rh-first-page"${heading !== undefined && 'wide' in heading ? ' data-wide' : ''}>${isInProject ? '<div class="rh-first-trail"></div>' : ''}${title}${lead}<div class="rh-first-body"></div></div>`,
    '</div></div>',
  ].join('');
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
