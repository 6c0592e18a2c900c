import { expect, it } from 'vitest';
import { wordsOf } from '../first/first-words.js';
import { nameFirstPage, writeFirstPage } from './write-first-pages.js';

const HTML = '<body><div id="root"></div></body>';
const KEYS = '/projects/$projectId/$environment/keys';

it('draws the frame with the words of the screen, the environment left to the address', () => {
  const page = writeFirstPage(HTML, KEYS);
  expect(page).toContain('<p class="rh-first-title">API keys</p><p class="rh-first-lead">Keys of <span data-environment></span>. A key works');
  expect(page).toMatch(/<div id="first" aria-hidden="true" data-project>.*<\/div>\n *<div id="root"><\/div>/s);
  expect(page).not.toMatch(/\$environment|<script/);
  expect(wordsOf('keys', 'staging').lead).toMatch(/^Keys of staging\. A key works/);
});

it('draws only what a screen need not read first, and no project around what is in none', () => {
  expect(writeFirstPage(HTML, '/projects/$projectId/$environment')).toContain('<p class="rh-first-title"></p><p class="rh-first-lead">How to call the <span data-environment></span> database');
  expect(writeFirstPage(HTML, '/invitations/$token')).not.toMatch(/rh-first-title|rh-first-lead/);
  expect(writeFirstPage(HTML, '/account')).toContain('<p class="rh-first-title">Your account</p><div');
  expect(writeFirstPage(HTML, '/account')).not.toMatch(/rh-first-lead|data-project/);
  expect(writeFirstPage(HTML, '/projects')).toContain('<p class="rh-first-title">Projects</p>');
});

it('draws the door of a new account without a frame, and none for whom comes back', () => {
  expect(writeFirstPage(HTML, '/signup')).toMatch(/<div id="first" aria-hidden="true" data-door>.*<p class="rh-first-title">Create your account<\/p><p class="rh-first-lead">Two fields/s);
  expect(writeFirstPage(HTML, '/signup')).not.toMatch(/rh-first-side|rh-first-body/);
  expect(nameFirstPage('/signup')).toBe('pages/sign-up.html');
});

it('lets scripts wait for the sheet', () => {
  expect(writeFirstPage(`<script type="module" src="/a.js"></script><link rel="modulepreload" href="/b.js"><script>c</script>${HTML}`, '/account')).toMatch(/^<script type="module" fetchpriority="low" src="\/a\.js"><\/script><link rel="modulepreload" fetchpriority="low" href="\/b\.js"><script>c<\/script>/);
});

it('is for whom is signed in, or about to be, one page for a screen with two addresses', () => {
  expect(nameFirstPage('/login')).toBeUndefined();
  expect(nameFirstPage('/reset/$token')).toBeUndefined();
  expect(nameFirstPage('/projects/$projectId/$environment/api/$table')).toBe(nameFirstPage('/projects/$projectId/$environment/api'));
  expect(nameFirstPage(KEYS)).toBe('pages/keys.html');
});

it('refuses a page that has no place for it', () => {
  expect(() => writeFirstPage('<body></body>', KEYS)).toThrow('root');
});
