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

/** The reminder of an overdue decision. */
export function reminderMail(to: Member, subject: MailSubject): Mail {
  return mail(to, `Overdue: ${subject.document.title}`, 'A document still needs your decision, which is overdue.', subject);
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
    `Document: ${document.title}`,
    ...(document.number === null ? [] : [`Number: ${document.number}`]),
    `Step: ${stepName}`,
    ...(dueAt === null ? [] : [`Due: ${dueAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`]),
    `Id: ${document.id}`,
  ];
  const text = [`Hello ${name},`, opening, facts.join('\n'), 'You can approve it, reject it or return it for changes.'].join('\n\n');
  return { to: email, subject: subject.replace(/\s+/g, ' '), text: `${text}\n` };
}
