import { timeText, type Mail, type MailPart, type Member } from '../../../../kit/index.js';
import type { Document } from '../../model/records/document.entity.js';
import type { Decision } from '../../model/records/shown-request.js';
import { openDocument } from '../deliveries/document-mails.js';
import type { Texts } from '../../pages/texts/en.js';
import type { Look } from '../../settings/document-looks.service.js';
import type { ChangeTexts } from '../../pages/texts/change-texts.js';
import type { SubmissionSummary } from './submissions.service.js';

const MOST_AMOUNTS = 3;
const MOST_CHANGES = 10;

/** What an approver is asked to decide. */
export interface MailSubject {
  document: Document;
  stepName: string;
  dueAt: Date | null;
  /** The member who is away, if their substitute is asked. */
  inPlaceOf?: Member;
  summary: SubmissionSummary;
}

/**
 * Why an approver gets a mail. `substitute`: the submitter may not decide on their own document; `overdue`: it was not decided in time;
 * `reminder`: a caller requested it; `escalation`: others did not decide in time.
 */
export type AskKind = 'request' | 'substitute' | 'overdue' | 'reminder' | 'escalation';

/** Asks for a decision, with the approver's own link to the page for it. */
export function askMail(
  to: Member,
  { document, stepName, dueAt, inPlaceOf, summary }: MailSubject,
  kind: AskKind,
  look: Look,
  link: string,
): Mail {
  const { mails } = look.texts;
  const { title, number } = document;
  const { approve, changes: words } = look.texts;
  const facts: (readonly [string, string])[] = [
    ...factsOf(mails, title, number, stepName),
    ...summary.amounts.slice(0, MOST_AMOUNTS),
    ...(summary.submitter === null ? [] : [[approve.submittedBy, summary.submitter] as const]),
    ...(summary.comment === null ? [] : [[mails.decidedFor.comment, summary.comment] as const]),
    ...(dueAt === null ? [] : [[mails.due, timeText(dueAt, look.language, look.timeZone)] as const]),
  ];
  return {
    to: to.email,
    subject: subjectOf(mails.approval, kind)(title),
    content: {
      language: look.language,
      greeting: mails.hello(to.name),
      parts: [
        ...(inPlaceOf && kind === 'request' ? [] : [mails.approval[kind]]),
        ...(inPlaceOf ? [mails.substitutes.asked(inPlaceOf.name)] : []),
        { facts },
        ...changesOf(summary, words),
        mails.approval.can,
      ],
      action: { url: link, lead: mails.approval.link, label: mails.approval.button },
      notes: [mails.approval.warning],
      reason: mails.reasons.approver,
    },
    permission: 'papers.document.view',
    // the link lets its reader decide in the approver's name
    onlyReader: to.id,
    confidential: true,
  };
}

/** What has changed since the last submission. The page has all of it. */
function changesOf({ changes }: SubmissionSummary, texts: ChangeTexts): MailPart[] {
  if (changes === null) return [];
  const { heading, fields } = changes;
  if (fields.length === 0) return [`${heading}\n${texts.none}`];
  const facts = fields.slice(0, MOST_CHANGES).map(({ label, before, after }) => [label, `${before} → ${after}`] as const);
  return [{ title: heading, facts }, ...(fields.length > MOST_CHANGES ? [texts.more(fields.length - MOST_CHANGES)] : [])];
}

function subjectOf(texts: Texts['mails']['approval'], kind: AskKind): (title: string) => string {
  if (kind === 'overdue') return texts.overdueSubject;
  return kind === 'reminder' ? texts.reminderSubject : texts.subject;
}

/** What another member, `by`, decided in the approver's name. */
export interface DecidedFor {
  decision: Decision;
  comment: string | null;
  by: Member;
  /** How: by a key that acts for others, or as the substitute of the approver. */
  as: 'key' | 'substitute';
}

/** Tells an approver that someone else decided in their name. */
export function decidedForMail(
  to: Member,
  { document, stepName }: Pick<MailSubject, 'document' | 'stepName'>,
  { decision, comment, by, as }: DecidedFor,
  look: Look,
): Mail {
  const { mails, approve } = look.texts;
  const { title, number } = document;
  const facts: (readonly [string, string])[] = [
    ...factsOf(mails, title, number, stepName),
    [mails.decidedFor.decision, approve.decisions[decision]],
    ...(comment === null ? [] : [[mails.decidedFor.comment, comment] as const]),
  ];
  return {
    to: to.email,
    subject: mails.decidedFor.subject(title),
    content: {
      language: look.language,
      greeting: mails.hello(to.name),
      parts: [(as === 'key' ? mails.decidedFor.opening : mails.substitutes.decided)(by.name, by.email), { facts }],
      action: openDocument(document, look),
      notes: [mails.decidedFor.warning],
      reason: mails.reasons.approver,
    },
    permission: 'papers.document.view',
  };
}

/** What ended an approval, and who decided it. */
export interface Refusal {
  decision: 'rejected' | 'returned';
  comment: string | null;
  by: Member;
  /** The approver for whom they decided. */
  inPlaceOf: Member | null;
}

/** Tells those who submitted a document that an approver rejected it or returned it for changes. */
export function refusedMail(
  to: Member,
  { document, stepName }: Pick<MailSubject, 'document' | 'stepName'>,
  { decision, comment, by, inPlaceOf }: Refusal,
  look: Look,
): Mail {
  const { mails, approve, colon } = look.texts;
  const { title, number } = document;
  const { subject, opening, advice } = mails.refusal[decision];
  return {
    to: to.email,
    subject: subject(title),
    content: {
      language: look.language,
      greeting: mails.hello(to.name),
      parts: [
        opening(inPlaceOf ? approve.inPlaceOf(by.name, inPlaceOf.name) : by.name),
        ...(comment === null ? [] : [{ quote: comment, by: `${mails.decidedFor.comment}${colon}` }]),
        { facts: factsOf(mails, title, number, stepName) },
      ],
      action: openDocument(document, look),
      notes: [advice],
      reason: mails.reasons.sender,
    },
    replyTo: by.email,
    permission: 'papers.document.view',
  };
}

function factsOf(mails: Texts['mails'], title: string, number: string | null, step: string): (readonly [string, string])[] {
  return [[mails.document, title], ...(number === null ? [] : [[mails.number, number] as const]), [mails.step, step]];
}
