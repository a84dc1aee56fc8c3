import type { Mail } from '../../../kit/index.js';
import type { Document } from '../model/records/document.entity.js';
import type { Obligation } from './obligation.entity.js';

/** Reminds of an obligation that is due soon. */
export function reminderMail(to: string, obligation: Obligation, document: Document): Mail {
  const facts = [
    `What: ${obligation.title}`,
    `Due: ${obligation.due_on}`,
    `Document: ${document.title}`,
    ...(document.number === null ? [] : [`Number: ${document.number}`]),
    `Id: ${obligation.id}`,
  ];
  const greeting = obligation.responsible_name && to === obligation.responsible_email ? `Hello ${obligation.responsible_name},` : 'Hello,';
  const text = [greeting, 'this is a reminder of an obligation that is due soon.', facts.join('\n')].join('\n\n');
  return {
    to,
    subject: `Due on ${obligation.due_on}: ${obligation.title}`.replace(/\s+/g, ' '),
    text: `${text}\n`,
    permission: 'papers.document.view',
  };
}
