import type { Mail } from '../../../../../kit/index.js';
import type { Document } from '../../../model/records/document.entity.js';
import type { SignatureParty } from '../../../model/records/signature-party.entity.js';
import { timeText } from '../../../pages/local-times.js';
import { mailBody, type MailPart } from '../../../pages/mail-body.js';
import type { Look } from '../../../settings/document-looks.service.js';

/** The subject of a mail about a signature. */
export interface SigningSubject {
  document: Document;
  look: Look;
}

interface Person {
  name: string;
  email: string;
}

/** Asks a party to sign. */
export function invitationMail(party: SignatureParty, subject: SigningSubject, link: string): Mail {
  const { organization, texts } = subject.look;
  const { invitation } = texts.mails;
  return asking(party, subject, link, invitation.subject(subject.document.title), invitation.opening(organization));
}

/** Asks a party again, with a new link. */
export function reminderMail(party: SignatureParty, subject: SigningSubject, link: string): Mail {
  const { organization, texts } = subject.look;
  const { reminder } = texts.mails;
  return asking(party, subject, link, reminder.subject(subject.document.title), reminder.opening(organization));
}

function asking(party: SignatureParty, subject: SigningSubject, link: string, title: string, opening: string): Mail {
  const { document, look } = subject;
  const { mails } = look.texts;
  const deadline = document.signing_deadline_at;
  return confidential(party, look, title, [
    opening,
    { facts: [...factsOf(subject), ...(deadline ? [[mails.signBy, timeText(deadline, look.language, look.timeZone)] as const] : [])] },
    { link, lead: mails.invitation.link, button: mails.invitation.button },
    { small: mails.invitation.warning },
  ]);
}

/** The one-time code, as a second proof that the signer can read the party's mail. */
export function codeMail(party: SignatureParty, { document, look }: SigningSubject, code: string, minutes: number): Mail {
  const { mails } = look.texts;
  // The subject must not contain the code, because notifications show it on locked screens.
  return confidential(party, look, mails.code.subject(document.title), [
    mails.code.text(oneLine(document.title), code, minutes),
    { small: mails.code.warning },
  ]);
}

/** Tells a signer that all parties have signed, with a link to the executed file. */
export function executedMail(party: SignatureParty, subject: SigningSubject, link: string): Mail {
  const { document, look } = subject;
  const { executed } = look.texts.mails;
  return confidential(party, look, executed.subject(document.title), [
    executed.opening(look.organization),
    { facts: factsOf(subject) },
    { link: `${link}/pdf`, lead: executed.link, button: executed.button },
    { small: executed.keep },
  ]);
}

/** Tells the author, or a party that has already signed, that another party declined. */
export function declinedMail(to: Person, party: SignatureParty, subject: SigningSubject): Mail {
  const { declined } = subject.look.texts.mails;
  return mail(to, subject.look, declined.subject(subject.document.title), [
    declined.opening(party.name, party.label),
    { facts: factsOf(subject) },
    `${declined.reason}\n${party.decline_reason}`,
  ]);
}

/** What a person had to do with a document: was asked to sign it, signed one that all parties signed, or approved it. */
export type Involvement = 'asked' | 'signed' | 'approved';

/** Tells a person that the document was withdrawn, or that one in force was revoked. */
export function revokedMail(to: Person, as: Involvement, subject: SigningSubject): Mail {
  const { organization, texts } = subject.look;
  const { revoked } = texts.mails;
  return mail(to, subject.look, revoked.subject(subject.document.title), [revoked[as](organization), { facts: factsOf(subject) }]);
}

/** Tells a person that another one was asked to sign instead. */
export function replacedMail(to: Person, subject: SigningSubject): Mail {
  const { organization, texts } = subject.look;
  const { replaced } = texts.mails;
  return mail(to, subject.look, replaced.subject(subject.document.title), [replaced.opening(organization), { facts: factsOf(subject) }]);
}

/** Tells the sender of a document that a party passed it on. */
export function delegatedMail(to: Person, from: Person, delegate: Person, subject: SigningSubject): Mail {
  const { delegated } = subject.look.texts.mails;
  return mail(to, subject.look, delegated.subject(subject.document.title), [
    delegated.opening(from.name, delegate.name, delegate.email),
    { facts: factsOf(subject) },
  ]);
}

/** Tells the sender of a document that an invitation could not be delivered. */
export function undeliveredMail(to: Person, party: SignatureParty, subject: SigningSubject, error: string): Mail {
  const { undelivered } = subject.look.texts.mails;
  return mail(to, subject.look, undelivered.subject(subject.document.title), [
    undelivered.opening(party.name, party.label, party.email),
    { facts: factsOf(subject) },
    `${undelivered.said}\n${error}`,
    undelivered.advice,
  ]);
}

/** Tells the sender of a document that its last signature failed, because its file cannot be sealed. */
export function unsealableMail(to: Person, subject: SigningSubject): Mail {
  const { unsealable } = subject.look.texts.mails;
  return mail(to, subject.look, unsealable.subject(subject.document.title), [
    unsealable.text,
    { facts: factsOf(subject) },
    unsealable.advice,
  ]);
}

/** Confidential because its link or code lets the reader sign in the party's name, or read the signed document. */
function confidential(to: Person, look: Look, subject: string, parts: readonly MailPart[]): Mail {
  // who may send documents also handles the parties' links
  return { ...mail(to, look, subject, parts), confidential: true, permission: 'papers.document.manage' };
}

function mail({ name, email }: Person, look: Look, subject: string, parts: readonly MailPart[]): Mail {
  return {
    to: email,
    ...mailBody(look, subject, [look.texts.mails.hello(name), ...parts]),
    permission: 'papers.document.view',
  };
}

function factsOf({ document: { title, number }, look }: SigningSubject): (readonly [string, string])[] {
  const { mails } = look.texts;
  return [[mails.document, oneLine(title)], ...(number === null ? [] : [[mails.number, number] as const])];
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}
