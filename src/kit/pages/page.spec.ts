import { describe, expect, it, test } from '@jest/globals';
import { html, Html } from './html.js';
import { page } from './page.js';
import { paragraphs } from './page-parts.js';

describe('markup', () => {
  it('escapes every value in text and attributes, but not nested markup', () => {
    const evil = `<img src=x onerror='a("b")'>&`;
    expect(html`<p title="${evil}">${evil}</p>`.markup).toBe(
      '<p title="&lt;img src=x onerror=&#39;a(&quot;b&quot;)&#39;&gt;&amp;">&lt;img src=x onerror=&#39;a(&quot;b&quot;)&#39;&gt;&amp;</p>',
    );
    expect(html`${[html`<b>${1}</b>`, '<', null, false, [0]]}`.markup).toBe('<b>1</b>&lt;0');
  });
});

it('keeps the lines of plain text', () => {
  const text = paragraphs('Agenda:\r\n1. <Numbers>\n2. Plans\n\n\nBring a pen.\n');
  expect(html`${text}`.markup).toBe('<p>Agenda:<br>1. &lt;Numbers&gt;<br>2. Plans</p><p>Bring a pen.</p>');
});

const HOST = { name: '<Acme>', purpose: 'Forms' };

describe('a page', () => {
  it('allows its own style and script with a nonce that is unique to the page', () => {
    const pages = [1, 2].map(() => page({ title: '<t>', host: HOST, body: html`x`, script: 'let a = 1 < 2;' }));
    const nonces = pages.map(({ content, options }) => {
      const found = [...String(content).matchAll(/nonce="([^"]+)"/g)].map(([, nonce]) => nonce);
      expect(options.headers?.['Content-Security-Policy']).toContain(`script-src 'nonce-${found[0]}'`);
      expect(found).toEqual([found[0], found[0]]);
      return found[0];
    });
    expect(nonces[0]).not.toBe(nonces[1]);
    expect(pages[0].content).toContain('<title>&lt;t&gt; - &lt;Acme&gt;</title>');
    expect(pages[0].content).toContain('let a = 1 < 2;');
    expect(page({ title: 't', host: null, body: new Html('') }).options.headers?.['Content-Security-Policy']).not.toContain('script-src');
  });

  test.each([
    ['#0057a8', '#0057a8', '#0057a8'],
    ['#ffd400', '#ffd400', '#ffd400'],
    ['#ffffff', 'var(--accent)', '#ffffff'],
    ['#101010', '#101010', 'var(--accent)'],
  ])('shows the brand %s where it can be seen: %s on light pages, %s on dark ones', (color, light, dark) => {
    const { content } = page({ title: 't', host: { ...HOST, brand: { color, logo: null } }, body: html`x` });
    expect([...String(content).matchAll(/--brand: ([^;]+);/g)].map(([, value]) => value)).toEqual([light, dark]);
  });
});
