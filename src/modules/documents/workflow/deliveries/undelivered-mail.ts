import type { Mail } from '../../../../kit/index.js';
import { factsOf, toCopied, toSender, type MailSubject, type Person } from './document-mails.js';

/** A mail that a server has rejected: what became of it, what the server said, and what to do. */
export interface Rejection {
  happened: string;
  error: string;
  advice: string;
}

/** Tells the sender of a document that a mail about it could not be delivered. */
export function undeliveredMail(to: Person, subject: MailSubject, { happened, error, advice }: Rejection): Mail {
  const { undelivered } = subject.look.texts.mails;
  return toSender(to, subject, undelivered.subject(subject.document.title), [
    happened,
    { facts: factsOf(subject) },
    { quote: error, by: undelivered.said },
    advice,
  ]);
}

/** Tells a person who gets a copy of a document that a mail about it could not be delivered; what to do is for the sender. */
export function undeliveredCopyMail(to: Person, as: 'copied' | 'planned', subject: MailSubject, happened: string): Mail {
  const { undelivered } = subject.look.texts.mails;
  const title = undelivered.subject(subject.document.title);
  return toCopied(to, as, subject, title, [happened, { facts: factsOf(subject) }, undelivered.known]);
}
