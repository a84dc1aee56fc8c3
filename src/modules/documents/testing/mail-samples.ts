import { BASE, NOW, ORGANIZATIONS, TITLES, TOKEN, samples, type SampleMail } from '../../../../test/contract/sample-mail.js';
import type { Mail, Member } from '../../../kit/index.js';
import type { Document } from '../model/records/document.entity.js';
import type { SignatureParty } from '../model/records/signature-party.entity.js';
import { textsIn } from '../pages/texts/texts.js';
import type { Look } from '../settings/document-looks.service.js';
import { askMail, decidedForMail, refusedMail } from '../workflow/approvals/approval-mails.js';
import { endedMail, endingMail as validityEndsMail } from '../workflow/expiry/validity-mails.js';
import type { Obligation } from '../workflow/obligations/obligation.entity.js';
import { reminderMail as obligationMail } from '../workflow/obligations/obligation-mail.js';
import { copyMail, declinedMail, executedMail, expiredMail } from '../workflow/signing/copies/copy-mails.js';
import {
  codeMail,
  delegatedMail,
  endingMail,
  endingSoonMail,
  invitationMail,
  reminderMail,
  replacedMail,
  revokedMail,
  unsealableMail,
} from '../workflow/signing/parties/signing-mails.js';
import { undeliveredCopyMail, undeliveredMail } from '../workflow/deliveries/undelivered-mail.js';

/** Every mail of the module, in each language. */
export function mailSamples(): SampleMail[] {
  return ['en', 'de', 'fr', 'es'].flatMap((language) => samples(inLanguage(language), language));
}

function inLanguage(language: string): [string, Mail][] {
  const title = TITLES[language];
  const organization = ORGANIZATIONS[language];
  const look: Look = {
    organization,
    language,
    timeZone: 'Europe/Berlin',
    texts: textsIn(language),
    brand: { color: null, logo: null },
    embedOrigins: [],
    baseUrl: BASE,
  };
  const document = {
    id: '0192f0c1-7a52-7cc1-9b1d-3f0c6a0f8a11',
    title,
    number: 'VERTRAG-2026-000042',
    files: [{ name: 'Annex A, <prices> & terms.pdf' }],
    signing_deadline_at: new Date('2026-12-24T17:00:00Z'),
    valid_until_on: '2027-03-31',
    sending: {
      message: 'Dear Grace,\nplease look at section 4 first: https://evil.example/<script>\n\nThank you!',
      sender_name: 'Ada Lovelace',
      reply_to: 'ada@acme.example',
      subject: null,
    },
  } as unknown as Document;
  const party = {
    name: 'Grace Hopper',
    email: 'grace.hopper-with-a-long-mailbox-name@international-customers.example',
    label: 'Auftragnehmerin',
    decline_reason: 'Section 6 is too long for us.\nPlease shorten it.',
    earlier_signers: [] as SignatureParty['earlier_signers'],
  } as SignatureParty;
  const passedOn = { name: 'Bob Builder', email: 'bob@acme.example', replaced_by: 'party', replaced_at: NOW.toISOString() };
  const subject = { document, look };
  const member = { id: 'member', name: 'Ada Lovelace', email: 'ada@acme.example' } as Member;
  const link = `${BASE}/s/${TOKEN}`;
  const attached = { fileName: 'contract.pdf', mediaType: 'application/pdf', bytes: Buffer.from('%PDF') };
  const summary = {
    amounts: [['Net', '€1,234,567.89'] as const],
    submitter: 'Bob Builder',
    comment: 'Urgent: the customer waits.',
    changes: {
      heading: look.texts.changes.sinceSubmission,
      fields: [{ label: 'Kündigungsfrist', before: '3 months', after: '6 months' }],
    },
  } as never;
  const ask = (kind: Parameters<typeof askMail>[2], more: object = {}) =>
    askMail(member, { document, stepName: 'Legal', dueAt: NOW, summary, ...more }, kind, look, `${BASE}/a/${TOKEN}`);
  const obligation = { id: document.id, title: 'Renew the insurance', due_on: '2026-12-31', responsible_name: null } as Obligation;
  return [
    ['invitationMail', invitationMail(party, subject, link)],
    ['invitationMail passed on', invitationMail({ ...party, earlier_signers: [passedOn] } as SignatureParty, subject, link)],
    ['reminderMail', reminderMail(party, subject, link)],
    ['endingMail', endingMail(party, subject, link)],
    ['endingSoonMail', endingSoonMail(member, subject)],
    ['codeMail', codeMail(party, subject, '042137', 15)],
    ...(['asked', 'signed', 'approved', 'copied'] as const).map((as): [string, Mail] => [
      `revokedMail ${as}`,
      revokedMail(member, as, subject),
    ]),
    ['replacedMail', replacedMail(party, subject)],
    ['delegatedMail', delegatedMail(member, party, member, subject)],
    ...(['signature', 'copy', 'executed', 'decision'] as const).map((purpose): [string, Mail] => {
      const { opening, advice } = look.texts.mails.undelivered[purpose];
      const rejection = { happened: opening(party.name, party.email), error: '550 5.1.1 <grace@example.com>: no such mailbox', advice };
      return [`undeliveredMail ${purpose}`, undeliveredMail(member, subject, rejection)];
    }),
    ...(['copied', 'planned'] as const).map((as): [string, Mail] => [
      `undeliveredCopyMail ${as}`,
      undeliveredCopyMail(member, as, subject, look.texts.mails.undelivered.copy.opening(party.name, party.email)),
    ]),
    ['unsealableMail', unsealableMail(member, subject)],
    ['executedMail signer', executedMail(party, 'signer', subject, { link: `${link}/pdf`, attached: [attached], isOne: true })],
    ['executedMail copied', executedMail(party, 'copied', subject, { link: `${link}/pdf`, attached: [], isOne: true })],
    ['executedMail sender', executedMail(member, 'sender', subject, { link: `${link}/pdf`, attached: [attached], isOne: true })],
    ['copyMail', copyMail(party, subject, `${BASE}/d/${TOKEN}`)],
    ...(['copied', 'planned', 'asked', 'signed', 'sender'] as const).flatMap((as): [string, Mail][] => [
      [`declinedMail ${as}`, declinedMail(member, as, party, subject)],
      [`expiredMail ${as}`, expiredMail(member, as, [party], subject)],
    ]),
    ['endingMail validity', validityEndsMail(member, document, look)],
    ['endedMail', endedMail(member, document, look)],
    ['askMail request', ask('request')],
    ['askMail in place of', ask('request', { inPlaceOf: { ...member, name: 'Carol Absent' } })],
    ['askMail substitute', ask('substitute')],
    ['askMail overdue', ask('overdue')],
    ['askMail reminder', ask('reminder')],
    ['askMail escalation', ask('escalation')],
    [
      'decidedForMail',
      decidedForMail(member, { document, stepName: 'Legal' }, { decision: 'approved', comment: 'Fine.', by: member, as: 'key' }, look),
    ],
    ...(['rejected', 'returned'] as const).map((decision): [string, Mail] => [
      `refusedMail ${decision}`,
      refusedMail(
        member,
        { document, stepName: 'Legal' },
        { decision, comment: 'Section 6 is missing.', by: member, inPlaceOf: null },
        look,
      ),
    ]),
    ['reminderMail obligation', obligationMail('ada@acme.example', obligation, document, look)],
  ];
}
