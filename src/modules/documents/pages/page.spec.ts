import { describe, expect, it } from '@jest/globals';
import { html, Html } from './html.js';
import { page } from './page.js';
import { paper } from './paper.js';

describe('markup', () => {
  it('escapes every value in text and attributes, but not nested markup', () => {
    const evil = `<img src=x onerror='a("b")'>&`;
    expect(html`<p title="${evil}">${evil}</p>`.markup).toBe(
      '<p title="&lt;img src=x onerror=&#39;a(&quot;b&quot;)&#39;&gt;&amp;">&lt;img src=x onerror=&#39;a(&quot;b&quot;)&#39;&gt;&amp;</p>',
    );
    expect(html`${[html`<b>${1}</b>`, '<', null, false, [0]]}`.markup).toBe('<b>1</b>&lt;0');
  });
});

describe('a page', () => {
  it('allows its own style and script with a nonce that is unique to the page', () => {
    const pages = [1, 2].map(() => page({ title: '<t>', body: html`x`, script: 'let a = 1 < 2;' }));
    const nonces = pages.map(({ content, options }) => {
      const found = [...String(content).matchAll(/nonce="([^"]+)"/g)].map(([, nonce]) => nonce);
      expect(options.headers?.['Content-Security-Policy']).toContain(`script-src 'nonce-${found[0]}'`);
      expect(found).toEqual([found[0], found[0]]);
      return found[0];
    });
    expect(nonces[0]).not.toBe(nonces[1]);
    expect(pages[0].content).toContain('<title>&lt;t&gt;</title>');
    expect(pages[0].content).toContain('let a = 1 < 2;');
    expect(page({ title: 't', body: new Html('') }).options.headers?.['Content-Security-Policy']).not.toContain('script-src');
  });

  it('embeds the main part of a rendered document and nothing around it', () => {
    expect(paper('<html><style>x</style><main>\n<h1>A</h1></main></html>').markup).toBe(
      '<article class="paper" aria-label="The document">\n<h1>A</h1></article>',
    );
    expect(() => paper('<html></html>')).toThrow('no main part');
  });
});
