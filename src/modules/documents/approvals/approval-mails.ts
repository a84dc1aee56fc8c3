import type { Mail, Member } from '../../../kit/index.js';
import type { Document } from '../model/records/document.entity.js';

/** The subject of a mail to an approver. */
export interface MailSubject {
  document: Document;
  stepName: string;
  dueAt: Date | null;
}

/** The request for a decision. */
export function requestMail(to: Member, subject: MailSubject): Mail {
  return mail(to, `Please decide: ${subject.document.title}`, 'A document needs your decision.', subject);
}

/** The request to a step's fallback, because the submitter may not decide on their own document. */
export function substituteMail(to: Member, subject: MailSubject): Mail {
  return mail(
    to,
    `Please decide: ${subject.document.title}`,
    'A document needs your decision. You are asked because its submitter is an approver of this step and may not decide.',
    subject,
  );
}

/** Tells an approver that someone else decided in their name. */
export function decidedForMail(
  to: Member,
  { document, stepName }: Omit<MailSubject, 'dueAt'>,
  { decision, comment, by }: { decision: string; comment: string | null; by: Member },
): Mail {
  const text = [
    `Hello ${to.name},`,
    `${by.name} (${by.email}) has decided on a document in your name, through an API key.`,
    [
      ...factsOf(document, stepName),
      `Decision: ${decision}`,
      ...(comment === null ? [] : [`Comment: ${comment}`]),
      `Id: ${document.id}`,
    ].join('\n'),
    'If you did not agree to this, contact an administrator of your organization.',
  ].join('\n\n');
  return {
    to: to.email,
    subject: `Decided in your name: ${document.title}`.replace(/\s+/g, ' '),
    text: `${text}\n`,
    permission: 'papers.document.view',
  };
}

/** The reminder of an overdue decision. */
export function overdueMail(to: Member, subject: MailSubject): Mail {
  return mail(to, `Overdue: ${subject.document.title}`, 'A document still needs your decision, which is overdue.', subject);
}

/** The reminder of a decision that a caller asked for. */
export function reminderMail(to: Member, subject: MailSubject): Mail {
  return mail(to, `Reminder: ${subject.document.title}`, 'A document still needs your decision.', subject);
}

/** The request for a decision that was escalated. */
export function escalationMail(to: Member, subject: MailSubject): Mail {
  return mail(
    to,
    `Please decide: ${subject.document.title}`,
    'A document was not decided in time, so the decision was escalated to you.',
    subject,
  );
}

function mail({ email, name }: Member, subject: string, opening: string, { document, stepName, dueAt }: MailSubject): Mail {
  const facts = [
    ...factsOf(document, stepName),
    ...(dueAt === null ? [] : [`Due: ${dueAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`]),
    `Id: ${document.id}`,
  ];
  const text = [`Hello ${name},`, opening, facts.join('\n'), 'You can approve it, reject it or return it for changes.'].join('\n\n');
  return { to: email, subject: subject.replace(/\s+/g, ' '), text: `${text}\n`, permission: 'papers.document.view' };
}

function factsOf({ title, number }: Document, stepName: string): string[] {
  return [`Document: ${title}`, ...(number === null ? [] : [`Number: ${number}`]), `Step: ${stepName}`];
}
