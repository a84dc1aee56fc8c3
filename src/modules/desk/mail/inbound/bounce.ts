import type { Attachment } from 'mailparser';
import { ticketNumberIn } from '../conversation/message-ids.js';
import type { Bounce } from './inbound-mail.js';
import { messageIdsIn } from './message-id.js';
import { returnedAt } from './returned-mail.js';
import { visible } from './visible-text.js';

type Part = Pick<Attachment, 'contentType' | 'content'>;

/** What a report about a mail consists of. */
export interface Report {
  subject: string;
  text: string;
  parts: readonly Part[];
  /** The Message-IDs that it answers, the nearest first. */
  references: readonly string[];
  /** The values of X-Failed-Recipients, which Exim and Gmail write. */
  failedRecipients: readonly string[];
}

const MESSAGE_ID = /^[>\s]{0,8}(?:Message-ID|X-Microsoft-Original-Message-ID):(.*(?:\n[ \t].*)*)/gim;
const RECIPIENT = /^(?:Original|Final)-Recipient:\s*[\w-]+;\s*<?([^\s<>;]{3,254})>?/gim;
const ADDRESS = /[^\s<>()[\]:;,"'|]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g;
const LONGEST_HEAD = 64 * 1024;
const MOST_RECIPIENTS = 100;

/** What servers write while they still try; some write it in the same words as a final refusal, and add that they try again. */
const DELAYED = new RegExp(
  [
    ...['(?:will|is going to) (?:keep|continue) (?:on )?trying', 'will (?:be retried|retry|try again)', 'still being retried'],
    ...['delivery (?:status notification )?\\(?delay', 'delivery (?:has been|is|was) delayed', 'message (?:has been )?delayed'],
    ...['delayed mail', 'warning: (?:could not send|message .{1,80} delayed)', 'do not need to (?:resend|send)', 'not yet been delivered'],
    ...['delivery incomplete', 'delayed \\d+ hours', 'weitere zustellversuche', 'zustellung verzögert', 'wird weiter versucht'],
  ].join('|'),
  'i',
);
const GIVEN_UP = /(?:giving up|i(?:'| ha)ve given up|will not be retried|permanent (?:fatal )?error|could not be delivered for \d)/i;
/** The line in which a server says why: its code, or that it had none. */
const REASON = new RegExp(
  `(?:${[
    '\\b[45]\\d\\d[ -](?:#?[45]\\.\\d{1,3}\\.\\d{1,3}\\b)?',
    '\\b[45]\\.\\d{1,3}\\.\\d{1,3}\\b',
    'unknown (?:user|recipient)|user (?:unknown|not found)|no such (?:user|mailbox|address)|does(?: not|n.t) exist',
    'mailbox (?:is )?(?:full|unavailable)|quota|invalid (?:recipient|mailbox)|unrouteable|(?:host|domain) not found',
    'couldn.t find any host|retry time(?:out)? exceeded|недоступен|не существует|переполнен',
  ].join('|')})`,
  'i',
);

/** Reads a report about a mail that was not delivered: which mail, to whom, and why. Null if it does not say which. */
export function bounceOf(report: Report): Bounce | null {
  const status = report.parts.find(({ contentType }) => contentType === 'message/delivery-status');
  const bounce = status ? ofStatus(report, textIn([status])) : ofText(report);
  return bounce.messageIds.length > 0 || bounce.ticketNumber !== null || status ? bounce : null;
}

/** A delivery status notification (RFC 3464), with a group of fields for each recipient. */
function ofStatus(report: Report, status: string): Bounce {
  const groups = status.split(/\n[ \t]*\n/).map((group) => group.replace(/\n[ \t]+/g, ' '));
  const ofRecipients = groups.filter((group) => fieldOf(group, 'Final-Recipient') ?? fieldOf(group, 'Original-Recipient'));
  const told = ofRecipients.length > 0 ? ofRecipients : groups;
  const failed = told.filter((group) => (fieldOf(group, 'Action')?.toLowerCase() ?? 'failed') === 'failed');
  const [first] = failed.length > 0 ? failed : told;
  const reason = fieldOf(first, 'Diagnostic-Code')?.replace(/^\w+;\s*/, '') ?? fieldOf(first, 'Status');
  const recipients = (failed.length > 0 ? failed : told).flatMap((group) => [...group.matchAll(RECIPIENT)].map(([, address]) => address));
  return { ...aboutOf(report, ''), ...sayingOf(recipients, reason), isFinal: failed.length > 0 };
}

/** A report in prose. The mail it is about is below it, in a part of its own, or only named. */
function ofText(report: Report): Bounce {
  const at = returnedAt(report.text);
  const prose = report.text.slice(0, at).slice(0, LONGEST_HEAD);
  const failed = report.failedRecipients.flatMap((value) => value.match(ADDRESS) ?? []);
  const recipients = failed.length > 0 ? failed : (prose.match(ADDRESS) ?? []);
  const lines = prose.split('\n').map((line) => line.trim());
  const isDelayed = !GIVEN_UP.test(prose) && (DELAYED.test(report.subject) || DELAYED.test(prose));
  return {
    ...aboutOf(report, report.text.slice(at)),
    ...sayingOf(recipients, lines.find((line) => REASON.test(line)) ?? report.subject),
    isFinal: !isDelayed,
  };
}

/** Only the Message-ID of the returned mail itself: its References name mails that did arrive. */
function aboutOf({ parts, references, text, subject }: Report, below: string): Pick<Bounce, 'messageIds' | 'ticketNumber'> {
  const returned = textIn(parts.filter(({ contentType }) => contentType === 'message/rfc822' || contentType === 'text/rfc822-headers'));
  const found = [returned, below.slice(0, LONGEST_HEAD), text.slice(0, LONGEST_HEAD)].map((heads) =>
    [...heads.matchAll(MESSAGE_ID)].flatMap(([, value]) => messageIdsIn(value).slice(0, 1)),
  );
  const messageIds = found.find((ids) => ids.length > 0) ?? references.slice(0, 1);
  return { messageIds: [...new Set(messageIds)], ticketNumber: ticketNumberIn(`${subject}\n${returned}\n${text.slice(0, LONGEST_HEAD)}`) };
}

function sayingOf(recipients: readonly string[], reason: string | undefined): Pick<Bounce, 'recipients' | 'reason'> {
  return {
    recipients: [...new Set(recipients.map((address) => address.toLowerCase().replace(/\.+$/, '')))].slice(0, MOST_RECIPIENTS),
    reason: (reason || 'the mail server returned it').slice(0, 500),
  };
}

function textIn(parts: readonly Part[]): string {
  return visible(parts.map(({ content }) => content.toString('latin1', 0, LONGEST_HEAD)).join('\n'));
}

function fieldOf(group: string, name: string): string | undefined {
  return new RegExp(`^${name}:[ \t]*(.{1,500})`, 'im').exec(group)?.[1].trim();
}
