import { timeText, type Mail, type MailPart } from '../../../../../kit/index.js';
import type { SignatureParty } from '../../../model/records/signature-party.entity.js';
import {
  confidential,
  factsOf,
  mail,
  oneLine,
  openDocument,
  repliesTo,
  toSender,
  type MailSubject,
  type Person,
} from '../../deliveries/document-mails.js';

/** Asks a party to sign. */
export function invitationMail(party: SignatureParty, subject: MailSubject, link: string): Mail {
  const { organization, texts } = subject.look;
  const { invitation } = texts.mails;
  const { title, sending } = subject.document;
  return asking(party, subject, link, sending?.subject ?? invitation.subject(title), invitation.opening(organization));
}

/** Asks a party again. */
export function reminderMail(party: SignatureParty, subject: MailSubject, link: string): Mail {
  const { organization, texts } = subject.look;
  const { reminder, approval } = texts.mails;
  const { title, sending } = subject.document;
  const line = sending?.subject ? approval.reminderSubject(sending.subject) : reminder.subject(title);
  return asking(party, subject, link, line, reminder.opening(organization));
}

/** Asks a party again shortly before the time to sign ends. */
export function endingMail(party: SignatureParty, subject: MailSubject, link: string): Mail {
  const { organization, texts } = subject.look;
  const { ending } = texts.mails.copies;
  return asking(party, subject, link, ending.subject(subject.document.title), ending.opening(organization));
}

/** Tells the sender of a document that the time to sign ends soon. */
export function endingSoonMail(to: Person, subject: MailSubject): Mail {
  const { ending } = subject.look.texts.mails.copies;
  return toSender(to, subject, ending.senderSubject(subject.document.title), [
    ending.sender,
    { facts: [...factsOf(subject), ...deadlineOf(subject)] },
  ]);
}

function asking(party: SignatureParty, subject: MailSubject, link: string, title: string, opening: string): Mail {
  const { look } = subject;
  const { mails } = look.texts;
  return {
    ...confidential(party, look, title, {
      parts: [opening, ...passedOnBy(party, subject), ...messageOf(subject), { facts: [...factsOf(subject), ...deadlineOf(subject)] }],
      action: { url: link, lead: mails.invitation.link, label: mails.invitation.button },
      notes: [mails.invitation.warning],
      reason: mails.reasons.party(look.organization),
    }),
    ...fromSender(subject),
  };
}

/** Who named this person: the mail of an organization that they do not know would look like fraud. */
function passedOnBy({ earlier_signers }: SignatureParty, { look }: MailSubject): string[] {
  const earlier = earlier_signers.at(-1);
  return earlier?.replaced_by === 'party' ? [look.texts.mails.invitation.passedOn(earlier.name, earlier.email)] : [];
}

function deadlineOf({ document: { signing_deadline_at: deadline }, look }: MailSubject): (readonly [string, string])[] {
  return deadline === null ? [] : [[look.texts.mails.signBy, timeText(deadline, look.language, look.timeZone)]];
}

/** The personal message of the sender. */
export function messageOf({ document: { sending }, look }: MailSubject): MailPart[] {
  if (!sending?.message) return [];
  return [{ quote: sending.message, by: look.texts.mails.copies.message(sending.sender_name ?? look.organization) }];
}

/** The sender's name, always beside that of the organization, and where replies go. */
export function fromSender({
  document: { sending },
  look: { organization },
}: MailSubject): Pick<Mail, 'senderName' | 'replyTo' | 'autoSubmitted'> {
  const { sender_name, message, reply_to } = sending ?? {};
  return {
    ...(sender_name && { senderName: `${sender_name} (${organization})` }),
    ...(reply_to && { replyTo: reply_to }),
    // a personal mail, to which an absent reader may answer automatically
    ...(reply_to && (sender_name || message) && { autoSubmitted: 'no' as const }),
  };
}

/** The one-time code, as a second proof that the signer can read the party's mail. */
export function codeMail(party: SignatureParty, { document, look }: MailSubject, code: string, minutes: number): Mail {
  const { mails } = look.texts;
  // The subject must not contain the code, because notifications show it on locked screens.
  return {
    ...confidential(party, look, mails.code.subject(document.title), {
      parts: [{ code, text: mails.code.text(oneLine(document.title), code, minutes) }],
      notes: [mails.code.warning],
      reason: mails.reasons.party(look.organization),
    }),
    ...repliesTo({ document, look }),
  };
}

/** What a person had to do with a document: was asked to sign it, signed one that all parties signed, approved it, or got a copy. */
export type Involvement = 'asked' | 'signed' | 'approved' | 'copied';

/** Tells a person that the document was withdrawn, or that one in force was revoked. */
export function revokedMail(to: Person, as: Involvement, subject: MailSubject): Mail {
  const { organization, texts } = subject.look;
  const { revoked, reasons } = texts.mails;
  const { document, look } = subject;
  const content = { parts: [revoked[as](organization), { facts: factsOf(subject) }], reason: reasons.involved(organization) };
  if (as === 'approved') return mail(to, look, revoked.subject(document.title), { ...content, action: openDocument(document, look) });
  return { ...mail(to, look, revoked.subject(document.title), content), ...repliesTo(subject) };
}

/** Tells a person that another one was asked to sign instead. */
export function replacedMail(to: Person, subject: MailSubject): Mail {
  const { organization, texts } = subject.look;
  const { replaced, reasons } = texts.mails;
  return {
    ...mail(to, subject.look, replaced.subject(subject.document.title), {
      parts: [replaced.opening(organization), { facts: factsOf(subject) }],
      reason: reasons.involved(organization),
    }),
    ...repliesTo(subject),
  };
}

/** Tells the sender of a document that a party passed it on. */
export function delegatedMail(to: Person, from: Person, delegate: Person, subject: MailSubject): Mail {
  const { delegated } = subject.look.texts.mails;
  return toSender(to, subject, delegated.subject(subject.document.title), [
    delegated.opening(from.name, delegate.name, delegate.email),
    { facts: factsOf(subject) },
  ]);
}

/** Tells the sender of a document that its last signature failed, because its file cannot be sealed. */
export function unsealableMail(to: Person, subject: MailSubject): Mail {
  const { unsealable } = subject.look.texts.mails;
  return toSender(to, subject, unsealable.subject(subject.document.title), [
    unsealable.text,
    { facts: factsOf(subject) },
    unsealable.advice,
  ]);
}
