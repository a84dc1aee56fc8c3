import { expect, it } from '@jest/globals';
import { paper } from './paper.js';

it('embeds the main part of a rendered document and nothing around it', () => {
  expect(paper('<html><style>x</style><main>\n<h1>A</h1></main></html>').markup).toBe(
    '<article class="paper" id="document" aria-label="The document">\n<h1>A</h1></article>',
  );
  expect(() => paper('<html></html>')).toThrow('no main part');
});
