import { BASE, ORGANIZATIONS, samples, TOKEN, type SampleMail } from '../../../../test/contract/sample-mail.js';
import type { Mail } from '../../../kit/index.js';
import { acknowledgementContent, ratingContent, replyContent } from '../mail/outbound/ticket-content.js';

/** Every mail of the module. */
export function mailSamples(): SampleMail[] {
  const organization = ORGANIZATIONS.en;
  const ticket = (content: Mail['content'], subject: string): Mail => ({
    to: 'grace@example.com',
    subject,
    content,
    replyTo: 'help@acme.example',
    permission: 'desk.ticket.manage',
  });
  const reply = replyContent('Hello Grace,\n\nsee https://help.acme.example/1.\nBest', 'Bob', organization, 'T-42');
  return samples([
    ['replyContent', ticket(reply, 'Re: [T-42] Help')],
    ['acknowledgementContent', ticket(acknowledgementContent(organization, 'T-42'), '[T-42] We have received your message')],
    ['ratingContent', ticket(ratingContent(organization, 'T-42', `${BASE}/t/${TOKEN}`), '[T-42] How was our help?')],
  ]);
}
