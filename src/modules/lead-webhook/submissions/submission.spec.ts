import { describe, expect, it } from '@jest/globals';
import { leadInputOf, requireIdentity } from './submission.js';

describe('a submission', () => {
  it('drops null and blank text, but never false or zero', () => {
    expect(
      leadInputOf({
        full_name: 'Ada',
        email: null,
        phone: ' ',
        consent_email: false,
        consent_sms: null,
        custom_fields: { a: 0, b: null, c: '' },
        update_if_exists: true,
        project_id: 'p',
      }),
    ).toEqual({ full_name: 'Ada', consent_email: false, custom_fields: { a: 0, c: '' } });
  });

  it.each([
    [{ email: 'a@b.example' }, 'full_name is required, or first_name and last_name'],
    [{ last_name: 'B', phone: '1' }, 'full_name is required, or first_name and last_name'],
    [{ full_name: 'A' }, 'email or phone is required'],
    [{ full_name: 'A', email: 'a@', phone: '1' }, 'email must be an e-mail address'],
  ])('%j is rejected', (input, message) => {
    expect(() => requireIdentity(input)).toThrow(message);
  });
});
