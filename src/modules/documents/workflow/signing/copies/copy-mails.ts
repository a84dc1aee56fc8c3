import type { Mail, MailedFile, MailPart } from '../../../../../kit/index.js';
import type { SignatureParty } from '../../../model/records/signature-party.entity.js';
import { fileTextsIn } from '../../../pages/texts/file-texts.js';
import {
  confidential,
  factsOf,
  mail,
  openDocument,
  repliesTo,
  toCopied,
  toSender,
  type MailSubject,
  type Person,
} from '../../deliveries/document-mails.js';
import { fromSender, messageOf } from '../parties/signing-mails.js';

/** How a person took part in a document that all parties have signed. */
export type Reader = 'signer' | 'copied' | 'sender';

/**
 * Why a person hears that a document ends without all signatures: it was asked to sign and has not, or has, reads it, should get the signed
 * file and knows nothing of the document yet, or sent it.
 */
export type Concern = 'copied' | 'planned' | 'asked' | 'signed' | 'sender';

/** The executed files: where they can be downloaded, and the files themselves unless they are too large for a mail. */
export interface ExecutedFiles {
  /** Null for members, who open them in the console. */
  link: string | null;
  attached: MailedFile[];
  /** Whether the certificate of the signatures is part of the only file. */
  isOne: boolean;
}

/** Tells a person that all parties have signed. */
export function executedMail(to: Person, as: Reader, subject: MailSubject, { link, attached, isOne }: ExecutedFiles): Mail {
  const { document, look } = subject;
  const { executed, copies, reasons } = look.texts.mails;
  const { link: lead, button, keep } = executed;
  const words = isOne ? { attached: copies.attached, link: lead, button, keep } : fileTextsIn(look.language).mail;
  const opening = as === 'signer' ? executed.opening(look.organization) : copies.executed[as](look.organization);
  return {
    ...confidential(to, look, executed.subject(document.title), {
      parts: [opening, { facts: factsOf(subject) }, ...(attached.length === 0 ? [] : [words.attached])],
      action: link === null ? openDocument(document, look) : { url: link, lead: words.link, label: words.button },
      notes: [words.keep],
      reason: as === 'sender' ? reasons.sender : reasons[as === 'signer' ? 'party' : 'copy'](look.organization),
    }),
    ...(attached.length === 0 ? {} : { files: attached }),
    ...(as === 'sender' ? {} : repliesTo(subject)),
  };
}

/** Sends a person who does not sign a link to the document that others are asked to sign. */
export function copyMail(to: Person, subject: MailSubject, link: string): Mail {
  const { document, look } = subject;
  const { copies, reasons } = look.texts.mails;
  return {
    ...confidential(to, look, copies.sent.subject(document.title), {
      parts: [copies.sent.opening(look.organization), ...messageOf(subject), { facts: factsOf(subject) }],
      action: { url: link, lead: copies.sent.link, label: copies.sent.button },
      reason: reasons.copy(look.organization),
    }),
    ...fromSender(subject),
  };
}

/** Tells a person that a party declined; the reason is for the sender and those who signed. */
export function declinedMail(to: Person, as: Concern, party: SignatureParty, subject: MailSubject): Mail {
  const { declined } = subject.look.texts.mails;
  const quote = { quote: party.decline_reason ?? '', by: declined.reason };
  return endedMail(to, as, subject, declined.subject(subject.document.title), [
    declined.opening(party.name, party.label),
    { facts: factsOf(subject) },
    ...(as === 'sender' || as === 'signed' ? [quote] : []),
  ]);
}

/** Tells a person that not all parties signed in time; `unsigned` names those who did not. */
export function expiredMail(to: Person, as: Concern, unsigned: readonly SignatureParty[], subject: MailSubject): Mail {
  const { look, document } = subject;
  const { expired } = look.texts.mails.copies;
  const names = new Intl.ListFormat(look.language, { type: 'conjunction' }).format(unsigned.map(({ name, label }) => `${name} (${label})`));
  return endedMail(to, as, subject, expired.subject(document.title), [
    expired.opening,
    { facts: [...factsOf(subject), [expired.unsigned, names]] },
    ...(as === 'sender' ? [expired.advice] : []),
  ]);
}

function endedMail(to: Person, as: Concern, subject: MailSubject, title: string, parts: readonly MailPart[]): Mail {
  if (as === 'sender') return toSender(to, subject, title, parts);
  if (as === 'copied' || as === 'planned') return toCopied(to, as, subject, title, parts);
  const { organization, texts } = subject.look;
  const { copies, reasons } = texts.mails;
  const content =
    as === 'asked'
      ? { parts: [...parts, copies.nothingToSign], reason: reasons.involved(organization) }
      : { parts, reason: reasons.involved(organization) };
  return { ...mail(to, subject.look, title, content), ...repliesTo(subject) };
}
