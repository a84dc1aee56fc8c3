import { isFormAddress, isFormName } from './form-mails.js';
import type { InboundMail, MailAddress } from './inbound-mail.js';

/** The organization's own addresses, by which a mail comes back, or comes through. */
export interface OwnAddresses {
  isOwn: (email: string) => boolean;
  /** The domain is the organization's, or one that the mailbox trusts. */
  isOwnDomain: (email: string) => boolean;
  /** A member writes in their own name, whatever their Reply-To says. */
  isMember: (email: string) => boolean;
}

/** Who wrote a mail. */
export interface Writer extends MailAddress {
  /** From names somebody else: a group, a list or a form through which it came. */
  isNamedOnly: boolean;
  /**
   * The address that counts as a participant of tickets. Anybody can write the other headers, and a form repeats what its visitor
   * enters, so that they never make somebody a participant unless the organization's own group wrote them.
   */
  participant: string;
}

/** How groups and lists write the name of who wrote, before their own. */
const VIA = /^(.{1,200}?)\s+(?:via|über|par l.intermédiaire de|a través de|através de|tramite|przez|через|経由)\s+\S/iu;

/**
 * Null if the mail has no sender.
 *
 * Reply-To is followed only where From is not who wrote: that of a group, of the organization's own address that is no member's, of a form,
 * or of a script of a website, which may send with any address, a member's as well. What a script or somebody with the name of a form
 * writes to an existing conversation is theirs, because a form answers nothing. A person's mail program may name whom it likes in Reply-To:
 * the mail is that person's. More than one other address is nobody.
 */
export function writerOf(mail: InboundMail, own: OwnAddresses): Writer | null {
  const { from, originalSenders, replyTo, lists, to, cc, references, isOfScript } = mail;
  if (from === null) return null;
  const isOfGroup = own.isOwn(from.email) || lists.addresses.includes(from.email) || (from.name !== null && VIA.test(from.name));
  const sender = originalSenders.find(({ email }) => email !== from.email && !own.isOwn(email));
  if (sender && isOfGroup) return named(from, sender, own.isOwn(from.email) || own.isOwnDomain(from.email) ? sender.email : from.email);
  const isOfForm = isFormAddress(from.email) || (own.isOwnDomain(from.email) && !own.isMember(from.email));
  const isFirstOfForm = references.length === 0 && (isOfScript || isFormName(from.name));
  const groups = new Set(mail.automatic === 'list' ? [...lists.addresses, ...[...to, ...cc].map(({ email }) => email)] : lists.addresses);
  const answers = replyTo.filter(({ email }) => email !== from.email && !own.isOwn(email) && !groups.has(email));
  if (answers.length === 1 && (isOfGroup || isOfForm || isFirstOfForm)) return named(from, answers[0], from.email);
  return { ...from, isNamedOnly: false, participant: from.email };
}

function named(from: MailAddress, { email, name }: MailAddress, participant: string): Writer {
  const shown = from.name === null ? null : (VIA.exec(from.name)?.[1].replace(/^['"‘“]+|['"’”]+$/g, '') ?? null);
  return { email, name: name ?? shown, isNamedOnly: true, participant };
}
