import { dayText, type Mail, type Member } from '../../../../kit/index.js';
import type { Document } from '../../model/records/document.entity.js';
import { openDocument } from '../deliveries/document-mails.js';
import type { Look } from '../../settings/document-looks.service.js';

/** The reminder that a document's validity ends soon. */
export function endingMail(to: Member, document: Document, look: Look): Mail {
  const { validity } = look.texts.mails;
  const day = dayText(document.valid_until_on as string, look.language);
  return mail(to, validity.endingSubject(day, document.title), validity.ending, document, look);
}

/** The notice that a document is no longer valid. */
export function endedMail(to: Member, document: Document, look: Look): Mail {
  const { validity } = look.texts.mails;
  return mail(to, validity.endedSubject(document.title), validity.ended, document, look);
}

function mail({ name, email }: Member, subject: string, opening: string, document: Document, look: Look): Mail {
  const { mails } = look.texts;
  const { title, number, valid_until_on } = document;
  return {
    to: email,
    subject,
    content: {
      language: look.language,
      greeting: mails.hello(name),
      parts: [
        opening,
        {
          facts: [
            [mails.document, title],
            ...(number === null ? [] : [[mails.number, number] as const]),
            [mails.validity.until, dayText(valid_until_on as string, look.language)],
          ],
        },
      ],
      action: openDocument(document, look),
      reason: mails.reasons.sender,
    },
    permission: 'papers.document.view',
  };
}
