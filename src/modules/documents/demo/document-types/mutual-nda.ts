import { SIGNATORY, SIGNATORY_FIELDS, type DemoDocumentType } from './demo-document-type.js';

const TEMPLATE = `# Mutual Non-Disclosure Agreement

{{document.number}}, effective {{effective_on}}

between

**Osei & Lindqvist Trading GmbH**, Lagerstraße 12, 10999 Berlin, Germany

and

**{{counterparty_name}}**, {{counterparty_address}}

(each a "Party", together the "Parties").

## 1. Purpose

The Parties intend to exchange confidential information for the following purpose (the "Purpose"): {{purpose}}.

## 2. Confidential information

1. "Confidential Information" means all information that one Party (the "Discloser") makes available to the other (the
   "Recipient") in connection with the Purpose, in whatever form, that is marked as confidential or that a reasonable
   person would regard as confidential.
2. It does not include information which the Recipient can show that it
   - was or became public without a breach of this agreement,
   - was known to the Recipient before it was disclosed,
   - was lawfully received from a third party that was free to disclose it, or
   - was developed by the Recipient independently.

## 3. Obligations

1. The Recipient uses Confidential Information for the Purpose only, protects it with at least the care it applies to
   its own, and discloses it only to employees and advisers who need it for the Purpose and are bound to
   confidentiality.
2. The Recipient is responsible for what those persons do with it.
3. Where the law or an authority compels disclosure, the Recipient informs the Discloser beforehand as far as permitted,
   and discloses no more than it must.
4. The Recipient shall not reverse engineer samples or software that it receives.

## 4. Return and destruction

Within thirty days after a request, and without a request once this agreement ends, the Recipient returns or destroys
all Confidential Information and confirms this in text form. Copies in routine backups may remain until they are
overwritten; this agreement continues to apply to them.

## 5. No licence, no warranty

No right to Confidential Information is granted beyond the Purpose. It is provided as it is; neither Party is obliged to
disclose anything or to enter into a further agreement.

## 6. Term

1. This agreement takes effect on {{effective_on}} and runs for three years from the last signature. Either Party may
   end it earlier with thirty days' notice in text form.
2. The obligations of section 3 continue for three years after the end; for trade secrets as long as they remain such.

## 7. Liability

Each Party is liable for a breach of this agreement in accordance with the law. Because damages alone may not suffice,
the Discloser may also seek an injunction.

## 8. General

1. German law applies. Place of jurisdiction for merchants is Berlin.
2. Amendments must be in text form. If a provision is invalid, the others remain in force.

## Signatures

{{#signature partner company}}
`;

/** Needs no approval: its author finalizes it and sends it to both parties at the same time. */
export const MUTUAL_NDA: DemoDocumentType = {
  type: {
    code: 'mutual_nda',
    name: 'Mutual non-disclosure agreement',
    description: 'For the exchange of confidential information with a partner. Needs no approval; both parties sign.',
    field_schema: {
      type: 'object',
      required: [
        'counterparty_name',
        'counterparty_address',
        'contact_name',
        'contact_email',
        'purpose',
        'effective_on',
        'our_signatory',
        'our_signatory_email',
      ],
      properties: {
        counterparty_name: { type: 'string', minLength: 1, maxLength: 200, 'x-format': 'party', 'x-label': 'Partner', 'x-order': 10 },
        counterparty_address: { type: 'string', minLength: 1, maxLength: 300, 'x-label': 'Address', 'x-order': 11 },
        contact_name: { type: 'string', minLength: 1, maxLength: 200, 'x-label': 'Signs for the partner', 'x-order': 12 },
        contact_email: { type: 'string', format: 'email', 'x-label': 'Their e-mail', 'x-order': 13 },
        purpose: { type: 'string', minLength: 1, maxLength: 500, 'x-label': 'Purpose', 'x-order': 20 },
        effective_on: { type: 'string', format: 'date', 'x-label': 'Effective from', 'x-order': 21 },
        ...SIGNATORY_FIELDS,
      },
    },
    numbering: { pattern: 'NDA-{YYYY}-{SEQ:4}', reset: 'year', assign_at: 'finalize', gapless: false },
    signature_parties: [
      {
        key: 'partner',
        label: 'Partner',
        order: 1,
        kind: 'external',
        name_from: 'contact_name',
        email_from: 'contact_email',
        required: true,
        auth: 'link',
      },
      {
        key: 'company',
        label: 'Osei & Lindqvist',
        order: 1,
        kind: 'internal',
        name_from: 'our_signatory',
        email_from: 'our_signatory_email',
        required: true,
        auth: 'link',
      },
    ],
    signing_days: 30,
    obligation_rules: [
      {
        title: 'Return or destroy what {{counterparty_name}} disclosed',
        kind: 'other',
        side: 'us',
        due_after_days: 1_095,
        name_from: 'our_signatory',
        email_from: 'our_signatory_email',
        reminder_days: [60, 14],
      },
    ],
    validity_months: 36,
    template: TEMPLATE,
  },
  sample: {
    counterparty_name: 'Hoshi Ceramics K.K.',
    counterparty_address: '3-14 Nishijin, Kamigyo-ku, Kyoto, Japan',
    contact_name: 'Yuki Watanabe',
    contact_email: 'yuki@hoshi-ceramics.example',
    purpose: 'evaluating a joint collection of outdoor tableware',
    effective_on: '2026-12-01',
    ...SIGNATORY,
  },
};
