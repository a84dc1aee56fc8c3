import { describe, expect, it } from '@jest/globals';
import { NO_CONSENT, withConsent } from './consent.js';

describe('consent', () => {
  it('distinguishes true, false and never asked', () => {
    const now = new Date('2026-11-21T09:30:00.000Z');
    const consent = withConsent(NO_CONSENT, { consent_email: false, consent_source: 'Form' }, now);
    expect(consent).toEqual({ ...NO_CONSENT, email: { granted: false, timestamp: '2026-11-21T09:30:00.000Z', source: 'Form' } });
    expect(withConsent(consent, { consent_source: 'Later' }, now)).toEqual(consent);
  });
});
