import { expect, test } from '@jest/globals';
import { documentContent } from './content.factory.js';
import { executedHtml } from './executed-html.js';
import { textOfHtml } from './plain-text.js';
import { renderFileHtml, renderHtml } from './render-html.js';

const SIGNERS = [
  { key: 'customer', label: 'Customer', name: 'Ada $& <Lovelace>', day: 'March 1, 2026', entries: [] },
  {
    key: 'supplier',
    label: 'Supplier',
    name: 'Grace Hopper',
    day: 'March 2, 2026',
    entries: [{ key: 'place', label: 'Place', text: 'Köln & $1' }],
  },
];

test('an executed page names the signers in place of the lines', () => {
  const template = 'Signed on {{signed_on customer}}.\n\n{{#signature customer supplier}}';
  const page = renderHtml(documentContent({ template, finished: true }));
  expect(page.match(/_{10,}/g)).toHaveLength(3);
  const executed = executedHtml(page, SIGNERS);
  expect(executed).not.toMatch(/__/);
  const text = textOfHtml(executed);
  for (const part of ['Signed on March 1, 2026.', 'Ada $& <Lovelace>, March 1, 2026\nCustomer', 'Grace Hopper, March 2, 2026\nSupplier'])
    expect(text).toContain(part);
});

test('an executed page lists the signers at its end if it has no line for them', () => {
  const page = renderFileHtml(documentContent(), [['A lease', '________________________']]);
  expect(textOfHtml(executedHtml(page, SIGNERS))).toMatch(
    /^A lease\n\n_+\n\nAda \$& <Lovelace>, March 1, 2026\nCustomer\n\nGrace Hopper, March 2, 2026\nSupplier\n\nPlace: Köln & \$1$/,
  );
});
