import { describe, expect, it } from '@jest/globals';
import { NO_CONSENT, withConsent } from '../person/consent.js';
import { scoreOf, type ScoredLead } from './lead-scoring.js';

describe('the score', () => {
  const bare: ScoredLead = {
    email: null,
    phone_normalized: '123',
    company_name: null,
    job_title: null,
    source_id: null,
    utm_campaign: null,
    submission_count: 1,
    status_kind: 'open',
    consent: NO_CONSENT,
    custom_fields: {},
  };
  const full: ScoredLead = {
    email: 'ada@acme.de',
    phone_normalized: '+4930901820',
    company_name: 'Acme',
    job_title: 'Head of Purchasing',
    source_id: 'x',
    utm_campaign: 'x',
    submission_count: 5,
    status_kind: 'open',
    consent: withConsent(NO_CONSENT, { consent_email: true }, new Date()),
    custom_fields: { a: 1 },
  };

  it('is between 0 and 100, and 0 for an unqualified lead', () => {
    expect([scoreOf(bare), scoreOf(full), scoreOf({ ...full, status_kind: 'lost' })]).toEqual([0, 100, 0]);
    expect(scoreOf({ ...full, email: 'ada@gmail.com' })).toBe(85);
  });
});
