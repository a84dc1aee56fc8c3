import type { Mail, Member } from '../../../kit/index.js';
import type { Document } from '../model/records/document.entity.js';

/** What a mail to an approver is about. */
export interface MailSubject {
  document: Document;
  stepName: string;
  dueAt: Date | null;
}

/** Asks for a decision. */
export function requestMail(to: Member, subject: MailSubject): Mail {
  return mail(to, `Please decide: ${subject.document.title}`, 'A document waits for your decision.', subject);
}

/** Says that a decision is overdue. */
export function reminderMail(to: Member, subject: MailSubject): Mail {
  return mail(to, `Overdue: ${subject.document.title}`, 'A document still waits for your decision; it was due.', subject);
}

/** Asks for a decision that others did not make in time. */
export function escalationMail(to: Member, subject: MailSubject): Mail {
  return mail(to, `Please decide: ${subject.document.title}`, 'A document was not decided in time, so it has come to you.', subject);
}

function mail({ email, name }: Member, subject: string, opening: string, { document, stepName, dueAt }: MailSubject): Mail {
  const facts = [
    `Document: ${document.title}`,
    ...(document.number === null ? [] : [`Number: ${document.number}`]),
    `Step: ${stepName}`,
    ...(dueAt === null ? [] : [`Due: ${dueAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`]),
    `Id: ${document.id}`,
  ];
  const text = [`Hello ${name},`, opening, facts.join('\n'), 'You can approve it, reject it, or return it for changes.'].join('\n\n');
  return { to: email, subject: subject.replace(/\s+/g, ' '), text: `${text}\n` };
}
