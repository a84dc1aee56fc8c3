import type { Mail, MailAction, MailContent, MailPart } from '../../../../kit/index.js';
import type { Document } from '../../model/records/document.entity.js';
import { fileTextsIn } from '../../pages/texts/file-texts.js';
import type { Look } from '../../settings/document-looks.service.js';

/** What a mail about a document is about, and how it looks. */
export interface MailSubject {
  document: Document;
  look: Look;
}

export interface Person {
  name: string;
  email: string;
}

/** Confidential because its link or code lets the reader sign in the party's name, or read the signed document. */
export function confidential(to: Person, look: Look, subject: string, content: DocumentMail): Mail {
  // who may send documents also handles the parties' links
  return { ...mail(to, look, subject, content), confidential: true, permission: 'papers.document.manage' };
}

/** A mail to those who sent the document. */
export function toSender(to: Person, { look, document }: MailSubject, subject: string, parts: readonly MailPart[]): Mail {
  return mail(to, look, subject, { parts, action: openDocument(document, look), reason: look.texts.mails.reasons.sender });
}

/** A mail to a person who gets a copy. The first one about a document says after its news what the document is. */
export function toCopied(
  to: Person,
  as: 'copied' | 'planned',
  subject: MailSubject,
  title: string,
  [news, ...rest]: readonly MailPart[],
): Mail {
  const { organization, texts } = subject.look;
  const { copies, reasons } = texts.mails;
  const parts = [news, ...(as === 'planned' ? [copies.planned(organization)] : []), ...rest];
  return { ...mail(to, subject.look, title, { parts, reason: reasons.copy(organization) }), ...repliesTo(subject) };
}

/** The page of a document in the console: what members do about a mail. */
export function openDocument({ id, mode }: Pick<Document, 'id' | 'mode'>, { baseUrl, texts }: Look): MailAction {
  const { lead, button } = texts.mails.openDocument;
  return { url: `${baseUrl}/console/documents/${id}${mode === 'test' ? '?mode=test' : ''}`, lead, label: button };
}

/** Replies of people outside of the organization go to the sender. */
export function repliesTo({ document: { sending } }: MailSubject): Pick<Mail, 'replyTo'> {
  return sending?.reply_to ? { replyTo: sending.reply_to } : {};
}

type DocumentMail = Omit<MailContent, 'language' | 'greeting'>;

export function mail({ name, email }: Person, { language, texts }: Look, subject: string, content: DocumentMail): Mail {
  return {
    to: email,
    subject,
    content: { language, greeting: texts.mails.hello(name), ...content },
    permission: 'papers.document.view',
  };
}

export function factsOf({ document: { title, number, files }, look }: MailSubject): (readonly [string, string])[] {
  const { mails } = look.texts;
  const names = [title, ...files.map(({ name }) => name)].map(oneLine).join(' · ');
  return [
    [mails.document, oneLine(title)],
    ...(number === null ? [] : [[mails.number, number] as const]),
    ...(files.length === 0 ? [] : [[fileTextsIn(look.language).files, names] as const]),
  ];
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}
