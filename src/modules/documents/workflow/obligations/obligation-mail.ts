import { dayText, type Mail } from '../../../../kit/index.js';
import type { Document } from '../../model/records/document.entity.js';
import type { Look } from '../../settings/document-looks.service.js';
import type { Obligation } from './obligation.entity.js';

/** Reminds of an obligation that is due soon. */
export function reminderMail(to: string, obligation: Obligation, { title, number }: Document, look: Look): Mail {
  const { mails } = look.texts;
  const day = dayText(obligation.due_on, look.language);
  const isNamed = obligation.responsible_name !== null && to === obligation.responsible_email;
  return {
    to,
    subject: mails.obligation.subject(day, obligation.title),
    content: {
      language: look.language,
      greeting: isNamed ? mails.hello(obligation.responsible_name as string) : mails.helloAll,
      parts: [
        mails.obligation.opening,
        {
          facts: [
            [mails.obligation.what, obligation.title],
            [mails.due, day],
            [mails.document, title],
            ...(number === null ? [] : [[mails.number, number] as const]),
          ],
        },
      ],
      reason: mails.reasons.responsible,
    },
    permission: 'papers.document.view',
  };
}
