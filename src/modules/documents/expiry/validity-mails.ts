import type { Mail, Member } from '../../../kit/index.js';
import type { Document } from '../model/records/document.entity.js';

/** Says that a document's validity is about to end. */
export function endingMail(to: Member, document: Document): Mail {
  return mail(
    to,
    `Valid until ${document.valid_until_on}: ${document.title}`,
    'the validity of a document ends soon. If it is to go on, now is the time to renew it.',
    document,
  );
}

/** Says that it has ended. */
export function endedMail(to: Member, document: Document): Mail {
  return mail(to, `No longer valid: ${document.title}`, 'the validity of a document has ended, so it has expired.', document);
}

function mail({ name, email }: Member, subject: string, opening: string, { id, title, number, valid_until_on }: Document): Mail {
  const facts = [
    `Document: ${title.replace(/\s+/g, ' ')}`,
    ...(number === null ? [] : [`Number: ${number}`]),
    `Valid until: ${valid_until_on}`,
    `Id: ${id}`,
  ];
  return { to: email, subject: subject.replace(/\s+/g, ' '), text: `${[`Hello ${name},`, opening, facts.join('\n')].join('\n\n')}\n` };
}
