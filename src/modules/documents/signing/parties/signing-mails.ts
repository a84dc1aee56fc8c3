import type { Mail } from '../../../../kit/index.js';
import type { Document } from '../../model/records/document.entity.js';
import type { SignatureParty } from '../../model/records/signature-party.entity.js';

/** What a mail about a signature speaks of. */
export interface SigningSubject {
  document: Document;
  /** The organisation that sent the document. */
  organization: string;
}

/** Asks a party to sign, for the first time or again. */
export function invitationMail(party: SignatureParty, { document, organization }: SigningSubject, link: string): Mail {
  const deadline = document.signing_deadline_at;
  return confidential(party.email, `Please sign: ${document.title}`, [
    `Hello ${party.name},`,
    `${organization} asks you to sign a document.`,
    [...factsOf(document), ...(deadline ? [`Sign by: ${moment(deadline)}`] : [])].join('\n'),
    `Read and sign it here:\n${link}`,
    'The link is for you alone: whoever has it can sign in your name. If you do not know what this is about, leave it, or decline there and say why.',
  ]);
}

/** A second proof that who signs reads the party's mail. */
export function codeMail(party: SignatureParty, { document }: SigningSubject, code: string, minutes: number): Mail {
  // no code in the subject: that is shown in places where the text is not
  return confidential(party.email, `Your code to sign: ${document.title}`, [
    `Hello ${party.name},`,
    `the code with which you sign "${oneLine(document.title)}" is ${code}. It is valid for ${minutes} minutes.`,
    'If you did not ask for it, somebody else has your link: do not pass the code on.',
  ]);
}

/** Tells who signed that all have, and where the executed file is. */
export function executedMail(party: SignatureParty, { document, organization }: SigningSubject, link: string): Mail {
  return confidential(party.email, `Signed by all: ${document.title}`, [
    `Hello ${party.name},`,
    `all parties have signed the document that ${organization} sent you.`,
    factsOf(document).join('\n'),
    `The signed PDF:\n${link}/pdf`,
    'Keep the file: it holds all signatures, and a seal that shows whether it was changed since.',
  ]);
}

/** Tells the author, or a party that signed already, that another party declined. */
export function declinedMail(to: { name: string; email: string }, party: SignatureParty, { document }: SigningSubject): Mail {
  return mail(to.email, `Declined: ${document.title}`, [
    `Hello ${to.name},`,
    `${party.name} (${party.label}) has declined to sign, so the document will not come into force.`,
    factsOf(document).join('\n'),
    `The reason given:\n${party.decline_reason}`,
  ]);
}

/** Tells who sent the document that a party could not be asked. */
export function undeliveredMail(
  to: { name: string; email: string },
  party: SignatureParty,
  { document }: SigningSubject,
  error: string,
): Mail {
  return mail(to.email, `Not delivered: ${document.title}`, [
    `Hello ${to.name},`,
    `${party.name} (${party.label}) could not be asked to sign, for the mail to ${party.email} was not taken.`,
    factsOf(document).join('\n'),
    `The mail server said:\n${error}`,
    'If the address is right, remind the party once its mailbox takes mails again. If it is not, revoke the document and send one with the right address.',
  ]);
}

/** Whoever reads it can sign in the party's name, or read what it signed. */
function confidential(to: string, subject: string, paragraphs: readonly string[]): Mail {
  return { ...mail(to, subject, paragraphs), confidential: true };
}

function mail(to: string, subject: string, paragraphs: readonly string[]): Mail {
  return { to, subject: oneLine(subject), text: `${paragraphs.join('\n\n')}\n` };
}

function factsOf({ title, number }: Document): string[] {
  return [`Document: ${oneLine(title)}`, ...(number === null ? [] : [`Number: ${number}`])];
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}

function moment(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
