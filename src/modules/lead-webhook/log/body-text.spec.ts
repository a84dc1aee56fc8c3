import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { bodyText, MAX_BODY_LENGTH, maskedBody } from './body-text.js';

describe('a logged body', () => {
  it('is bounded and can be stored', () => {
    expect(bodyText(Buffer.from('a\u0000b'))).toBe('a\ufffdb');
    expect(bodyText(Buffer.alloc(MAX_BODY_LENGTH * 2, 'x'))).toHaveLength(MAX_BODY_LENGTH);
    expect(bodyText(Buffer.from([0xff, 0x41]))).toBe('\ufffdA');
  });

  it('is masked except for the fields of the form', () => {
    expect(
      JSON.parse(
        maskedBody(
          '{"full_name":"Ada","utm_source":"x","update_if_exists":true,"consent_email":true,' +
            '"custom_fields":{"a":[1,null]},"source_id":{"x":"Ada"}}',
        ),
      ),
    ).toEqual({
      full_name: '***',
      utm_source: 'x',
      update_if_exists: true,
      consent_email: '***',
      custom_fields: { a: ['***', null] },
      source_id: { x: '***' },
    });
    expect([maskedBody('Ada <ada@example.com>'), maskedBody('["ada@example.com"]'), maskedBody('"Ada"')]).toEqual(['***', '***', '***']);
  });

  it('contains no personal data after masking', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const secret = 'sécret-value';
        expect(maskedBody(JSON.stringify({ value, email: secret, custom_fields: { deep: [{ secret }] } }))).not.toContain(secret);
      }),
    );
  });
});
