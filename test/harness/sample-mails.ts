import type { Mail, Member } from '../../src/kit/index.js';
import { overdueMail } from '../../src/modules/accounting/jobs/overdue-mail.js';
import { acknowledgementContent, ratingContent, replyContent } from '../../src/modules/desk/mail/outbound/ticket-content.js';
import type { Document } from '../../src/modules/documents/model/records/document.entity.js';
import type { SignatureParty } from '../../src/modules/documents/model/records/signature-party.entity.js';
import { textsIn } from '../../src/modules/documents/pages/texts/texts.js';
import type { Look } from '../../src/modules/documents/settings/document-looks.service.js';
import { askMail, decidedForMail, refusedMail } from '../../src/modules/documents/workflow/approvals/approval-mails.js';
import { endedMail, endingMail as validityEndsMail } from '../../src/modules/documents/workflow/expiry/validity-mails.js';
import type { Obligation } from '../../src/modules/documents/workflow/obligations/obligation.entity.js';
import { reminderMail as obligationMail } from '../../src/modules/documents/workflow/obligations/obligation-mail.js';
import { copyDeclinedMail, copyMail, executedMail, expiredMail } from '../../src/modules/documents/workflow/signing/copies/copy-mails.js';
import {
  codeMail,
  declinedMail,
  delegatedMail,
  endingMail,
  endingSoonMail,
  invitationMail,
  reminderMail,
  replacedMail,
  revokedMail,
  unsealableMail,
} from '../../src/modules/documents/workflow/signing/parties/signing-mails.js';
import { undeliveredMail } from '../../src/modules/documents/workflow/deliveries/undelivered-mail.js';
import { bookingCodeMail } from '../../src/modules/schedule/bookings/lifecycle/booking-code-mail.js';
import { hostNotice } from '../../src/modules/schedule/bookings/lifecycle/booking-mails.js';
import { eventMail } from '../../src/modules/schedule/invitations/event-mails.js';
import { guestMail, type GuestNotice } from '../../src/modules/schedule/invitations/guest-mails.js';
import type { Booking } from '../../src/modules/schedule/model/records/booking.entity.js';
import type { ScheduleEvent } from '../../src/modules/schedule/model/records/event.entity.js';
import type { BookingPage } from '../../src/modules/schedule/model/setup/booking-page.entity.js';
import type { Calendar } from '../../src/modules/schedule/model/setup/calendar.entity.js';
import { shipmentMail } from '../../src/modules/storefront/shipping/shipment-mail.js';
import type { Order } from '../../src/modules/storefront/model/order.entity.js';
import type { ShownFulfillment, ShownLine } from '../../src/modules/storefront/model/shown-parts.js';
import { memberInvitationMail, newPasswordMail, passwordChangedMail } from '../../src/platform/account/mails/account-mails.js';
import { endingKeyMail } from '../../src/platform/key-expiry/ending-key-mail.js';
import { secondFactorMail } from '../../src/platform/people/second-factor/second-factor-mail.js';
import { disabledEndpointMail } from '../../src/platform/webhooks/endpoints/disabled-endpoint-mail.js';

/** A mail of the suite with awkward data, by the function that writes it. */
export interface SampleMail {
  /** The function, and which of its mails it is. */
  name: string;
  language: string;
  mail: Mail;
}

const BASE = 'https://suite.example.com';
const TOKEN = 'k7Qw2bXyE0sVnR4tLm9ZpA1cUdF6hJgI3oKeWxYzB5v';
const NOW = new Date('2026-11-28T09:30:00Z');
/** Long words, a language from right to left, markup, and an unbroken name. */
const TITLES: Readonly<Record<string, string>> = {
  en: 'Master services agreement, شركة النور',
  de: 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsvereinbarung mit Datenschutzgrundverordnungsanlage',
  fr: 'Contrat de prestation de services <b>n° 12</b>',
  es: 'Contrato_de_prestacion_de_servicios_version_definitiva_2_firmado.pdf',
};
const ORGANIZATIONS: Readonly<Record<string, string>> = {
  en: 'Acme & Sons Ltd.',
  de: 'Donaudampfschifffahrtsgesellschaft mbH',
  fr: 'Boulangerie L’Épi d’Or',
  es: 'شركة النور للتجارة',
};

/** Every mail that a module or the platform sends; those about documents in each language. */
export function sampleMails(): SampleMail[] {
  const english = (name: string, mail: Mail) => ({ name, language: 'en', mail });
  return [
    ...['en', 'de', 'fr', 'es'].flatMap((language) => documentMails(language).map(([name, mail]) => ({ name, language, mail }))),
    ...scheduleMails().map(([name, mail]) => english(name, mail)),
    ...otherMails().map(([name, mail]) => english(name, mail)),
  ];
}

/** The name of the organization of a sample. */
export const organizationOf = ({ language }: SampleMail): string => ORGANIZATIONS[language];

function documentMails(language: string): [string, Mail][] {
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
  } as SignatureParty;
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
    ['reminderMail', reminderMail(party, subject, link)],
    ['endingMail', endingMail(party, subject, link)],
    ['endingSoonMail', endingSoonMail(member, subject)],
    ['codeMail', codeMail(party, subject, '042137', 15)],
    ['declinedMail', declinedMail(member, party, subject)],
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
    ['unsealableMail', unsealableMail(member, subject)],
    ['executedMail signer', executedMail(party, 'signer', subject, { link: `${link}/pdf`, attached })],
    ['executedMail copied', executedMail(party, 'copied', subject, { link: `${link}/pdf`, attached: null })],
    ['executedMail sender', executedMail(member, 'sender', subject, { link: `${link}/pdf`, attached })],
    ['copyMail', copyMail(party, subject, `${BASE}/d/${TOKEN}`)],
    ['copyDeclinedMail', copyDeclinedMail(member, party, subject)],
    ['expiredMail sender', expiredMail(member, 'sender', [party], subject)],
    ['expiredMail copied', expiredMail(member, 'copied', [party], subject)],
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
      refusedMail(member, { document, stepName: 'Legal' }, { decision, comment: 'Section 6 is missing.', by: member }, look),
    ]),
    ['reminderMail obligation', obligationMail('ada@acme.example', obligation, document, look)],
  ];
}

function scheduleMails(): [string, Mail][] {
  const organization = ORGANIZATIONS.en;
  const calendar = { id: 'calendar', timezone: 'Europe/Berlin', visibility: 'organization', owner_member_id: null } as unknown as Calendar;
  const event = {
    id: '0192f0c1-7a52-7cc1-9b1d-3f0c6a0f8a12',
    title: 'Jahreshauptversammlungsvorbereitungsbesprechung',
    description: 'Agenda:\n1. Budget\n2. Anything else',
    location: 'Room 4, https://meet.example.com/a-very-long-meeting-address-without-any-break-0123456789',
    start_at: new Date('2026-12-01T09:00:00Z'),
    end_at: new Date('2026-12-01T10:00:00Z'),
    start_local: '2026-12-01T10:00:00',
    timezone: 'Europe/Berlin',
    all_day: false,
    rrule: null,
    exdates: [],
    status: 'confirmed',
    show_as: 'busy',
    sequence: 1,
    ical_uid: 'event@suite.example.com',
    organizer: { name: 'Ada Lovelace', email: 'ada@acme.example' },
  } as unknown as ScheduleEvent;
  const subject = { event, instance: null, instances: [], organization, onlyReader: null };
  const link = { url: `${BASE}/r/${TOKEN}`, button: 'Accept, decline, or say maybe', note: 'The link is for you only.' };
  const invited = { to: 'grace@example.com', replyTo: 'ada@acme.example', link };
  const page = {
    title: 'Consulting',
    questions: [{ key: 'topic', label: 'What is it about?' }],
  } as unknown as BookingPage;
  const booking = {
    guest_email: 'guest@example.com',
    guest_name: 'Grace Hopper',
    guest_phone: '+49 30 123456',
    guest_notes: 'See https://guest.example',
    guest_timezone: 'America/New_York',
    answers: { topic: 'Compilers' },
    status: 'confirmed',
    start_at: event.start_at,
    end_at: event.end_at,
  } as unknown as Booking;
  const guest = (notice: GuestNotice): [string, Mail] => [
    `guestMail ${notice}`,
    guestMail(notice, {
      booking,
      event: notice === 'requested' ? null : event,
      page,
      organization,
      mailFrom: 'suite@example.com',
      calendar,
      isCertain: true,
      link: `${BASE}/b/manage/${TOKEN}`,
      answerUrl: null,
      attendees: [],
      reason: notice === 'rejected' ? 'We are closed on that day.' : null,
    }),
  ];
  return [
    ['eventMail invited', eventMail(subject, { ...invited, subject: `Invitation: ${event.title}`, opening: 'Ada Lovelace invites you.' })],
    ['eventMail canceled', eventMail(subject, { ...invited, link: null, subject: `Canceled: ${event.title}`, opening: 'Canceled.' })],
    ...(['requested', 'booked'] as const).map((notice): [string, Mail] => [
      `eventMail host ${notice}`,
      eventMail(subject, { to: 'ada@acme.example', as: 'host', ...hostNotice(notice, booking, page), replyTo: booking.guest_email }),
    ]),
    ...(['requested', 'booked', 'changed', 'moved', 'reminder', 'cancelled', 'rejected', 'lapsed'] as const).map(guest),
    ['bookingCodeMail', bookingCodeMail('guest@example.com', { page, calendar, organization }, '042137', 15)],
  ];
}

function otherMails(): [string, Mail][] {
  const organization = ORGANIZATIONS.en;
  const member = 'ada@acme.example';
  const key = { name: 'Website', module: 'crm', mode: 'live', last_four: '9f3a', expires_at: new Date('2026-12-12T09:30:00Z') };
  const ticket = (content: Mail['content'], subject: string): Mail => ({
    to: 'grace@example.com',
    subject,
    content,
    replyTo: 'help@acme.example',
    permission: 'desk.ticket.manage',
  });
  const order = { id: 'order', number: 'S-1042', name: 'Grace Hopper', email: 'grace@example.com' } as Order;
  const lines = [{ id: 'line', title: 'T-shirt with logo', option_values: ['Blue', 'XL'] }] as unknown as ShownLine[];
  const tracking = { carrier: 'DHL', number: '00340434161094042557', url: 'https://track.example.com/00340434161094042557' };
  const fulfillment = { lines: [{ line_id: 'line', quantity: 2 }], tracking } as unknown as ShownFulfillment;
  const values = { NUMBER: 'INV-2026-17', BALANCE: 'EUR 214.20', DUE_ON: '2026-11-14', CUSTOMER: 'Hopper Inc.' };
  const step = {
    after_days: 14,
    subject: 'Reminder: invoice {NUMBER}',
    text: 'Dear {CUSTOMER},\n\n{NUMBER} of {BALANCE} was due on {DUE_ON}. Pay at https://pay.acme.example/{NUMBER}.\n\nKind regards',
  };
  return [
    [
      'memberInvitationMail',
      memberInvitationMail(
        { email: 'grace@example.com', name: 'Grace', role: 'member', inviter: member },
        organization,
        `${BASE}/i?token=${TOKEN}`,
        7,
      ),
    ],
    ['newPasswordMail', newPasswordMail(member, organization, `${BASE}/console/reset?token=${TOKEN}`, 60)],
    ['passwordChangedMail', passwordChangedMail(member, 'was changed in the developer area', `${BASE}/console/reset`)],
    ['secondFactorMail', secondFactorMail(member, 'Your recovery codes were replaced', 'has new recovery codes')],
    [
      'disabledEndpointMail',
      disabledEndpointMail(member, 'https://hooks.example.com/in', 'it responded with 410 Gone', `${BASE}/console/webhooks/1`),
    ],
    ['endingKeyMail', endingKeyMail(member, key, NOW, `${BASE}/console/keys/1`, 'org.developer.keys.manage')],
    [
      'replyContent',
      ticket(replyContent('Hello Grace,\n\nsee https://help.acme.example/1.\nBest', 'Bob', organization, 'T-42'), 'Re: [T-42] Help'),
    ],
    ['acknowledgementContent', ticket(acknowledgementContent(organization, 'T-42'), '[T-42] We have received your message')],
    ['ratingContent', ticket(ratingContent(organization, 'T-42', `${BASE}/t/${TOKEN}`), '[T-42] How was our help?')],
    ['shipmentMail', shipmentMail(order, lines, fulfillment, organization)],
    ['overdueMail', overdueMail('grace@example.com', step, values, { name: 'Acme & Sons Ltd.', email: 'books@acme.example' })],
  ];
}
