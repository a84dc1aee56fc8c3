import type { Mail } from '../../../../kit/index.js';
import type { Document } from '../../model/records/document.entity.js';
import type { SignatureParty } from '../../model/records/signature-party.entity.js';

/** The subject of a mail about a signature. */
export interface SigningSubject {
  document: Document;
  /** Name of the organization that sent the document. */
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
    'The link is for you only: anyone who has it can sign in your name. ' +
      'If you did not expect this document, ignore this mail, or open the link and decline with a reason.',
  ]);
}

/** The one-time code, as a second proof that the signer can read the party's mail. */
export function codeMail(party: SignatureParty, { document }: SigningSubject, code: string, minutes: number): Mail {
  // The subject must not contain the code, because notifications show it on locked screens.
  return confidential(party.email, `Your code to sign: ${document.title}`, [
    `Hello ${party.name},`,
    `your code to sign "${oneLine(document.title)}" is ${code}. It is valid for ${minutes} minutes.`,
    'If you did not request it, somebody else has your link. Do not share the code.',
  ]);
}

/** Tells a signer that all parties have signed, with a link to the executed file. */
export function executedMail(party: SignatureParty, { document, organization }: SigningSubject, link: string): Mail {
  return confidential(party.email, `Signed by all: ${document.title}`, [
    `Hello ${party.name},`,
    `all parties have signed the document that ${organization} sent you.`,
    factsOf(document).join('\n'),
    `The signed PDF:\n${link}/pdf`,
    'Keep the file. It contains all signatures and a seal that shows whether the file was changed.',
  ]);
}

/** Tells the author, or a party that has already signed, that another party declined. */
export function declinedMail(to: { name: string; email: string }, party: SignatureParty, { document }: SigningSubject): Mail {
  return mail(to.email, `Declined: ${document.title}`, [
    `Hello ${to.name},`,
    `${party.name} (${party.label}) has declined to sign, so the document will not come into force.`,
    factsOf(document).join('\n'),
    `Reason:\n${party.decline_reason}`,
  ]);
}

/** Tells the sender of a document that an invitation could not be delivered. */
export function undeliveredMail(
  to: { name: string; email: string },
  party: SignatureParty,
  { document }: SigningSubject,
  error: string,
): Mail {
  return mail(to.email, `Not delivered: ${document.title}`, [
    `Hello ${to.name},`,
    `${party.name} (${party.label}) could not be asked to sign, because the mail to ${party.email} was rejected.`,
    factsOf(document).join('\n'),
    `The mail server said:\n${error}`,
    'If the address is right, remind the party once its mailbox accepts mail again. ' +
      'Otherwise revoke the document and send one with the right address. ' +
      'If no party could be asked, send the document again.',
  ]);
}

/** Confidential because its link or code lets the reader sign in the party's name, or read the signed document. */
function confidential(to: string, subject: string, paragraphs: readonly string[]): Mail {
  // who may send documents also handles the parties' links
  return { ...mail(to, subject, paragraphs), confidential: true, permission: 'papers.document.manage' };
}

function mail(to: string, subject: string, paragraphs: readonly string[]): Mail {
  return { to, subject: oneLine(subject), text: `${paragraphs.join('\n\n')}\n`, permission: 'papers.document.view' };
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
