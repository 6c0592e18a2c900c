import { expect, it } from 'vitest';
import { headingOf } from '../first/page-headings.js';
import { nameFirstPage, writeFirstPage } from './write-first-pages.js';

const HTML = '<body><div id="root"></div></body>';
const KEYS = '/projects/$projectId/$environment/keys';

it('a prerendered page contains the layout and texts of its screen', () => {
  const page = writeFirstPage(HTML, KEYS);
  expect(page).toContain(
    '<p class="rh-first-title">API keys</p><p class="rh-first-lead">API keys for <span data-environment></span>. Each key works',
  );
  expect(page).toMatch(
    /<div id="first" aria-hidden="true" data-project>.*<\/div>\n *<div id="root"><\/div>/s,
  );
  expect(page).not.toMatch(/\$environment|<script/);
  expect(headingOf('keys', 'staging').lead).toMatch(/^API keys for staging\. Each key works/);
});

it('a prerendered page contains only the parts that need no data', () => {
  expect(writeFirstPage(HTML, '/projects/$projectId/$environment')).toContain(
    '<p class="rh-first-title"></p><p class="rh-first-lead">Call your API',
  );
  expect(writeFirstPage(HTML, '/invitations/$token')).not.toMatch(/rh-first-title|rh-first-lead/);
  expect(writeFirstPage(HTML, '/account')).toContain('<p class="rh-first-title">Your account</p><div');
  expect(writeFirstPage(HTML, '/account')).not.toMatch(/rh-first-lead|data-project/);
  expect(writeFirstPage(HTML, '/projects')).toContain('<p class="rh-first-title">Projects</p>');
});

it('the prerendered sign-up page has no layout', () => {
  expect(writeFirstPage(HTML, '/signup')).toMatch(
    /<div id="first" aria-hidden="true" data-door>.*<p class="rh-first-title">Create your account<\/p><p class="rh-first-lead">Get a MySQL database/s,
  );
  expect(writeFirstPage(HTML, '/signup')).not.toMatch(/rh-first-side|rh-first-body/);
  expect(nameFirstPage('/signup')).toBe('pages/sign-up.html');
});

it('the scripts of a prerendered page wait for the style sheet', () => {
  expect(
    writeFirstPage(
      `<script type="module" src="/a.js"></script><link rel="modulepreload" href="/b.js"><script>c</script>${HTML}`,
      '/account',
    ),
  ).toMatch(
    /^<script type="module" fetchpriority="low" src="\/a\.js"><\/script><link rel="modulepreload" fetchpriority="low" href="\/b\.js"><script>c<\/script>/,
  );
});

it('prerendered pages for signed-in users include one for a screen with two URLs', () => {
  expect(nameFirstPage('/login')).toBeUndefined();
  expect(nameFirstPage('/reset/$token')).toBeUndefined();
  expect(nameFirstPage('/projects/$projectId/$environment/api/$table')).toBe(
    nameFirstPage('/projects/$projectId/$environment/api'),
  );
  expect(nameFirstPage(KEYS)).toBe('pages/keys.html');
});

it('writeFirstPages rejects a page without its placeholder', () => {
  expect(() => writeFirstPage('<body></body>', KEYS)).toThrow('root');
});
