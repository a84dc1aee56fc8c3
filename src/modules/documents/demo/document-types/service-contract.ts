import { SIGNATORY, SIGNATORY_FIELDS, type DemoDocumentType } from './demo-document-type.js';

const TEMPLATE = `# Dienstleistungsvertrag

Vertrag {{document.number}}

zwischen der **Osei & Lindqvist Trading GmbH**, Lagerstraße 12, 10999 Berlin (Auftraggeberin),

und **{{contractor_name}}**, {{contractor_address}} (Auftragnehmer).

## 1. Leistungen

Der Auftragnehmer erbringt vom {{starts_on}} bis zum {{ends_on}} die folgenden Leistungen:

{{#table services}}

## 2. Vergütung

Die Auftraggeberin zahlt {{sum services.amount}} netto, in Worten: *{{words sum services.amount}}*. Rechnungen sind ohne
Abzug binnen dreißig Tagen zu begleichen.

{{#if travel_costs}}
Reisekosten werden gegen Nachweis erstattet, höchstens jedoch {{travel_costs}}.
{{else}}
Reisekosten sind mit der Vergütung abgegolten.
{{/if}}

## 3. Vertraulichkeit und Rechte

1. Beide Seiten behandeln vertraulich, was sie voneinander erfahren, auch nach dem Ende des Vertrags.
2. Mit der Zahlung gehen die ausschließlichen Nutzungsrechte an den Arbeitsergebnissen auf die Auftraggeberin über.

## 4. Laufzeit und Schluss

1. Jede Seite kann mit einer Frist von vier Wochen zum Monatsende kündigen. Das Recht zur Kündigung aus wichtigem Grund
   bleibt unberührt.
2. Es gilt deutsches Recht. Änderungen bedürfen der Textform.

Berlin, den {{signed_on company}}

{{#signature contractor company}}
`;

/** In German: an amount in words, a section that depends on a value, and signatures in the text. */
export const SERVICE_CONTRACT: DemoDocumentType = {
  type: {
    code: 'service_contract_de',
    name: 'Dienstleistungsvertrag',
    description: 'Services of a contractor, in German, with the amount in words. Needs no approval; both parties sign.',
    language: 'de',
    field_schema: {
      type: 'object',
      required: ['contractor_name', 'contractor_address', 'contact_name', 'contact_email', 'starts_on', 'ends_on', 'services'],
      properties: {
        contractor_name: { type: 'string', minLength: 1, maxLength: 200, 'x-format': 'party', 'x-label': 'Auftragnehmer', 'x-order': 10 },
        contractor_address: { type: 'string', minLength: 1, maxLength: 300, 'x-label': 'Anschrift', 'x-order': 11 },
        contact_name: { type: 'string', minLength: 1, maxLength: 200, 'x-label': 'Unterzeichnet', 'x-order': 12 },
        contact_email: { type: 'string', format: 'email', 'x-label': 'E-Mail', 'x-order': 13 },
        starts_on: { type: 'string', format: 'date', 'x-label': 'Beginn', 'x-order': 20 },
        ends_on: { type: 'string', format: 'date', 'x-label': 'Ende', 'x-order': 21 },
        services: {
          type: 'array',
          minItems: 1,
          maxItems: 100,
          'x-label': 'Leistungen',
          'x-order': 30,
          items: {
            type: 'object',
            required: ['service', 'days', 'amount'],
            properties: {
              service: { type: 'string', minLength: 1, maxLength: 200, 'x-label': 'Leistung', 'x-order': 1 },
              days: { type: 'integer', minimum: 1, 'x-label': 'Tage', 'x-order': 2, 'x-total': true },
              amount: {
                type: 'integer',
                minimum: 0,
                'x-format': 'money',
                'x-currency': 'EUR',
                'x-label': 'Betrag',
                'x-order': 3,
                'x-total': true,
              },
            },
          },
        },
        travel_costs: {
          type: 'integer',
          minimum: 0,
          'x-format': 'money',
          'x-currency': 'EUR',
          'x-label': 'Reisekosten bis',
          'x-order': 40,
        },
        ...SIGNATORY_FIELDS,
      },
    },
    numbering: { pattern: 'DLV-{YYYY}-{SEQ:4}', reset: 'year', assign_at: 'create', gapless: false },
    signature_parties: [
      {
        key: 'contractor',
        label: 'Auftragnehmer',
        order: 1,
        kind: 'external',
        name_from: 'contact_name',
        email_from: 'contact_email',
        required: true,
        auth: 'link',
      },
      {
        key: 'company',
        label: 'Auftraggeberin',
        order: 2,
        kind: 'internal',
        name_from: 'our_signatory',
        email_from: 'our_signatory_email',
        required: true,
        auth: 'link',
      },
    ],
    signing_days: 30,
    template: TEMPLATE,
  },
  sample: {
    contractor_name: 'Studio Kreuzberg',
    contractor_address: 'Oranienstraße 183, 10999 Berlin',
    contact_name: 'Lena Köhler',
    contact_email: 'lena@studio-kreuzberg.example',
    starts_on: '2027-01-11',
    ends_on: '2027-03-31',
    services: [
      { service: 'Gestaltung des Katalogs', days: 12, amount: 960_000 },
      { service: 'Fotografie der Neuheiten', days: 4, amount: 340_000 },
      { service: 'Druckvorbereitung', days: 3, amount: 225_000 },
    ],
    travel_costs: 80_000,
    ...SIGNATORY,
  },
};
