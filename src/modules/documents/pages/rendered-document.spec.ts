import { expect, it } from '@jest/globals';
import { renderedDocument } from './rendered-document.js';

it('embeds the main part of a rendered document and nothing around it', () => {
  expect(renderedDocument('<html><style>x</style><main>\n<h1>A</h1></main></html>').markup).toBe(
    '<article class="paper" id="document" aria-label="The document">\n<h1>A</h1></article>',
  );
  expect(() => renderedDocument('<html></html>')).toThrow('no main part');
});
