import { describe, expect, it } from '@jest/globals';
import type { ScalarField } from '../../model/core/field-schema.js';
import { matchesOf } from '../../engine/reading/zone-text.js';
import { zoneValue, type ZoneValue } from './zone-values.js';
import type { ZoneDto } from './zones.dto.js';

function read(property: ScalarField, zone: Partial<ZoneDto>, text: string, ticked: boolean | null = null): ZoneValue {
  const whole = { page: 1, x: 0, y: 0, w: 1, h: 1, field: 'value', kind: 'text', ...zone } as const;
  const [match = null] = matchesOf(text === '' ? [] : [text], { ...whole, separator: ' ' });
  return zoneValue(whole, property, { text, ticked, match }, { currency: null, language: 'en' });
}
const box = (text: string, ticked: boolean | null = null, pattern?: string) =>
  read({ type: 'boolean' }, { kind: 'checkbox', pattern }, text, ticked);
const number = (text: string, pattern: string | null) => read({ type: 'number' }, { kind: 'number', pattern }, text);
const no = (text: string) => ({ value: null, problem: expect.stringContaining(text) });

describe('a checkbox zone', () => {
  it.each(['x', 'X', '[x]', '[X]', '[ x ]', '(x)', '[✓]', 'on', 'checked', 'Yes', 'true', '☑', '☑\ufe0f', '☒', '✓', '✔'])(
    '%s is ticked',
    (text) => expect(box(text)).toEqual({ value: true, problem: null }),
  );

  it.each(['[ ]', '[]', '( )', 'no', 'No', 'off', 'false', 'unchecked', '☐', '[☐]'])('%s is not ticked', (text) =>
    expect(box(text)).toEqual({ value: false, problem: null }),
  );

  it.each(['maybe', '[', '☑ Yes ☐ No', '[x] [ ]', 'xx'])('%s has no value but a problem', (text) =>
    expect(box(text)).toEqual(no('does not show whether it is ticked')),
  );

  it('without anything to read has no value but a problem', () => {
    expect(box('')).toEqual(no('has neither a form field nor text'));
  });

  it('has the value of its form field, whatever is printed', () => {
    expect([box('', true).value, box('', false).value, box('[x]', false).value]).toEqual([true, false, false]);
  });

  it('is read by its pattern', () => {
    expect(box('I agree: [x]', null, 'agree: (.+)').value).toBe(true);
    expect(box('I agree', null, 'agree: (.+)')).toEqual(no('does not match the pattern'));
  });
});

describe('a number zone with a pattern', () => {
  const AMOUNT = 'Amount: ([0-9.,]+)';

  it.each([
    ['Amount: 1234', AMOUNT, 1234],
    ['Amount: 12,500.50 EUR', AMOUNT, 12_500.5],
    ['Amount: 12.', AMOUNT, 12],
    ['Amount: 12 2026', AMOUNT, 12],
    ['Weight 10kg', '([0-9]+)kg', 10],
    ['Order AB-77', 'AB-([0-9]+)', 77],
    ['Amount: 1 234', 'Amount: ([0-9 ]+)', 1234],
  ])('%s by %s is %d', (text, pattern, value) => expect(number(text, pattern)).toEqual({ value, problem: null }));

  it.each([
    ['Amount: 1 234', AMOUNT],
    ['Amount: 1\u00a0234', AMOUNT],
    ["Amount: 1'234", AMOUNT],
    ['Amount: 1e3', AMOUNT],
    ['Amount: 1e3', '([0-9]+).*'],
    ['Amount: 12k', AMOUNT],
    ['Amount: 12-', AMOUNT],
    ['Amount: 12-15', AMOUNT],
    ['Amount: 1234', 'Amount: ([0-9]{2})'],
    ['Amount: 1.50', 'Amount: ([0-9]+)'],
    ['Amount: -5', '([0-9]+)'],
  ])('%s by %s would be cut: no value but a problem', (text, pattern) =>
    expect(number(text, pattern)).toEqual(no('is a longer number than the pattern')),
  );
});
