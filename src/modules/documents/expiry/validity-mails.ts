import type { Mail, Member } from '../../../kit/index.js';
import type { Document } from '../model/records/document.entity.js';

/** The reminder that a document's validity ends soon. */
export function endingMail(to: Member, document: Document): Mail {
  return mail(
    to,
    `Valid until ${document.valid_until_on}: ${document.title}`,
    'The validity of a document ends soon. Renew it now if it should stay in force.',
    document,
  );
}

/** The notice that a document is no longer valid. */
export function endedMail(to: Member, document: Document): Mail {
  return mail(to, `No longer valid: ${document.title}`, 'The validity of a document has ended, so it has expired.', document);
}

function mail({ name, email }: Member, subject: string, opening: string, { id, title, number, valid_until_on }: Document): Mail {
  const facts = [
    `Document: ${title.replace(/\s+/g, ' ')}`,
    ...(number === null ? [] : [`Number: ${number}`]),
    `Valid until: ${valid_until_on}`,
    `Id: ${id}`,
  ];
  return {
    to: email,
    subject: subject.replace(/\s+/g, ' '),
    text: `${[`Hello ${name},`, opening, facts.join('\n')].join('\n\n')}\n`,
    permission: 'papers.document.view',
  };
}
