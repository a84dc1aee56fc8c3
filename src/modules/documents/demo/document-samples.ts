import type { DemoPerson, Mode } from '../../../kit/index.js';
import { CUSTOMER_AGREEMENT } from './document-types/customer-agreement.js';
import { JAPANESE_ORDER } from './document-types/japanese-order.js';
import { MUTUAL_NDA } from './document-types/mutual-nda.js';
import { SALES_QUOTE } from './document-types/sales-quote.js';
import { SERVICE_CONTRACT } from './document-types/service-contract.js';
import { SUPPLIER_INTAKE } from './document-types/supplier-intake.js';

/** A step of the approval process that the seed performs on a document. */
export type DocumentStep = { submit: string | null } | { decide: 'APPROVE' | 'REJECT' | 'RETURN'; as: DemoPerson; comment?: string };

export interface DocumentSample {
  type: string;
  title: string;
  by: DemoPerson;
  values: Record<string, unknown>;
  steps?: readonly DocumentStep[];
  /** Obligations of the document; days count from today. */
  obligations?: readonly { title: string; kind: 'delivery' | 'notice'; side: 'us' | 'counterparty'; dueInDays: number }[];
}

/** Of the test data: a draft that is complete. */
export const DRAFT_TO_SUBMIT = 'Sample: an NDA to finalize';

const AGREEMENT = CUSTOMER_AGREEMENT.type.code;
const NDA = MUTUAL_NDA.type.code;
const SUPPLIER = SUPPLIER_INTAKE.type.code;

const agreement = CUSTOMER_AGREEMENT.sample;
const nda = MUTUAL_NDA.sample;

const DUTY = { title: 'Send the samples', kind: 'delivery', side: 'us', dueInDays: 10 } as const;

const CASA_AZUL = {
  customer_name: 'Casa Azul Hotels Lda.',
  customer_address: 'Rua do Norte 14, 1200-286 Lisboa, Portugal',
  contact_name: 'Tomás Ferreira',
  contact_email: 'tomas@casa-azul-hotels.example',
};
const HORIZONT = {
  customer_name: 'Horizont Sport s.r.o.',
  customer_address: 'Vinohradská 60, 130 00 Praha 3, Czechia',
  contact_name: 'Milan Novák',
  contact_email: 'milan@horizont-sport.example',
};
const LOTUS = {
  customer_name: 'Lotus Retail Pvt. Ltd.',
  customer_address: '22 Residency Road, Bengaluru 560025, India',
  contact_name: 'Priya Raman',
  contact_email: 'priya@lotus-retail.example',
};

/** Samples in the most common states, so that no list is empty. None is finalized, because generating a PDF would slow the start down. */
export const DOCUMENT_SAMPLES: Readonly<Record<Mode, readonly DocumentSample[]>> = {
  live: [
    {
      type: AGREEMENT,
      title: 'Yearly maintenance for Horizont Sport',
      by: 'mei',
      values: {
        ...agreement,
        ...HORIZONT,
        contact_phone: '+420221111222',
        subject: 'Yearly maintenance of 40 displays',
        amount: 360_000,
        deliveries: [{ item: 'Inspection visit', quantity: 4 }],
      },
      steps: [{ submit: 'Same terms as last year.' }],
    },
    {
      type: NDA,
      title: 'NDA with Hoshi Ceramics',
      by: 'mei',
      values: { ...nda },
      steps: [{ submit: null }],
      obligations: [
        { title: 'Send the drawings of the tableware', kind: 'delivery', side: 'us', dueInDays: 10 },
        { title: 'Name the people who may see the drawings', kind: 'notice', side: 'counterparty', dueInDays: -3 },
      ],
    },
    {
      type: SUPPLIER,
      title: 'Application of Brightside Logistics',
      by: 'grace',
      values: {
        company_name: 'Brightside Logistics Ltd',
        address: '5 Wharf Road, London N1 7GR, United Kingdom',
        contact_name: 'Samuel Adeyemi',
        contact_email: 'samuel@brightside-logistics.example',
        category: 'transport',
        offer: 'Groupage to the United Kingdom and Ireland, twice a week, customs clearance included.',
        iso_9001: true,
        iso_14001: false,
        accepts_code_of_conduct: true,
      },
      steps: [{ submit: null }],
    },
    {
      type: AGREEMENT,
      title: 'Opening assortment for Lotus Retail',
      by: 'mei',
      values: { ...agreement, ...LOTUS, contact_phone: '+918022110000', subject: 'Opening assortment for 30 stores', amount: 12_400_000 },
      steps: [
        { submit: 'They want to open in March.' },
        { decide: 'APPROVE', as: 'grace', comment: 'Margin is fine; the amount needs Ada too.' },
      ],
    },
    {
      type: AGREEMENT,
      title: 'Gift boxes for Casa Azul',
      by: 'mei',
      values: {
        ...agreement,
        ...CASA_AZUL,
        contact_phone: null,
        subject: 'Gift boxes for guests',
        amount: 215_000,
        deliveries: [{ item: 'Gift box, printed', quantity: 500 }],
      },
      steps: [{ submit: null }, { decide: 'RETURN', as: 'grace', comment: 'Please add the date of delivery to the schedule.' }],
    },
    {
      type: AGREEMENT,
      title: 'Consignment stock for Casa Azul',
      by: 'mei',
      values: { ...agreement, ...CASA_AZUL, contact_phone: null, subject: 'Consignment stock in three hotels', amount: 900_000 },
      steps: [{ submit: null }, { decide: 'REJECT', as: 'grace', comment: 'We do not leave stock on consignment.' }],
    },
    {
      type: AGREEMENT,
      title: 'Framework agreement for spare parts',
      by: 'mei',
      values: { ...CASA_AZUL, subject: 'Spare parts on call', amount: 1_200_000, currency: 'EUR' },
    },
    {
      type: NDA,
      title: 'NDA with Maison Dupont',
      by: 'grace',
      values: { counterparty_name: 'Maison Dupont SARL', contact_name: 'Clara Dupont', purpose: 'planning a shop in Lyon' },
    },
    { type: SERVICE_CONTRACT.type.code, title: 'Katalog mit Studio Kreuzberg', by: 'grace', values: { ...SERVICE_CONTRACT.sample } },
    { type: SALES_QUOTE.type.code, title: 'Tents and rope for Nordlys Outdoor', by: 'mei', values: { ...SALES_QUOTE.sample } },
    { type: JAPANESE_ORDER.type.code, title: '星窯業 屋外用食器', by: 'mei', values: { ...JAPANESE_ORDER.sample } },
  ],
  test: [
    {
      type: AGREEMENT,
      title: 'Sample: an agreement to approve',
      by: 'mei',
      values: { ...agreement },
      steps: [{ submit: null }],
      obligations: [DUTY],
    },
    { type: NDA, title: DRAFT_TO_SUBMIT, by: 'mei', values: { ...nda } },
    { type: SUPPLIER, title: 'Sample: an incomplete application', by: 'grace', values: { company_name: 'Sample supplier' } },
  ],
};
