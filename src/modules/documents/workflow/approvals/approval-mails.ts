import type { Mail, Member } from '../../../../kit/index.js';
import type { Document } from '../../model/records/document.entity.js';
import type { Decision } from '../../model/records/shown-request.js';
import { timeText } from '../../pages/local-times.js';
import { mailBody } from '../../pages/mail-body.js';
import type { Texts } from '../../pages/texts/en.js';
import type { Look } from '../../settings/document-looks.service.js';

/** What an approver is asked to decide. */
export interface MailSubject {
  document: Document;
  stepName: string;
  dueAt: Date | null;
  /** The member who is away, if their substitute is asked. */
  inPlaceOf?: Member;
}

/**
 * Why an approver gets a mail. `substitute`: the submitter may not decide on their own document; `overdue`: it was not decided in time;
 * `reminder`: a caller requested it; `escalation`: others did not decide in time.
 */
export type AskKind = 'request' | 'substitute' | 'overdue' | 'reminder' | 'escalation';

/** Asks for a decision, with the approver's own link to the page for it. */
export function askMail(to: Member, { document, stepName, dueAt, inPlaceOf }: MailSubject, kind: AskKind, look: Look, link: string): Mail {
  const { mails } = look.texts;
  const { title, number, id } = document;
  const facts: (readonly [string, string])[] = [
    ...factsOf(mails, title, number, stepName),
    ...(dueAt === null ? [] : [[mails.due, timeText(dueAt, look.language, look.timeZone)] as const]),
    [mails.id, id],
  ];
  return {
    to: to.email,
    ...mailBody(look, subjectOf(mails.approval, kind)(title), [
      mails.hello(to.name),
      inPlaceOf ? mails.substitutes.asked(inPlaceOf.name) : mails.approval[kind],
      { facts },
      mails.approval.can,
      { link, lead: mails.approval.link, button: mails.approval.button },
      { small: mails.approval.warning },
    ]),
    permission: 'papers.document.view',
    // the link lets its reader decide in the approver's name
    onlyReader: to.id,
    confidential: true,
  };
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
  { document, stepName }: Omit<MailSubject, 'dueAt' | 'inPlaceOf'>,
  { decision, comment, by, as }: DecidedFor,
  look: Look,
): Mail {
  const { mails, approve } = look.texts;
  const { title, number, id } = document;
  const facts: (readonly [string, string])[] = [
    ...factsOf(mails, title, number, stepName),
    [mails.decidedFor.decision, approve.decisions[decision]],
    ...(comment === null ? [] : [[mails.decidedFor.comment, comment] as const]),
    [mails.id, id],
  ];
  return {
    to: to.email,
    ...mailBody(look, mails.decidedFor.subject(title), [
      mails.hello(to.name),
      (as === 'key' ? mails.decidedFor.opening : mails.substitutes.decided)(by.name, by.email),
      { facts },
      mails.decidedFor.warning,
    ]),
    permission: 'papers.document.view',
  };
}

function factsOf(mails: Texts['mails'], title: string, number: string | null, step: string): (readonly [string, string])[] {
  return [[mails.document, title], ...(number === null ? [] : [[mails.number, number] as const]), [mails.step, step]];
}
