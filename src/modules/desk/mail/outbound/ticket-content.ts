import type { MailContent } from '../../../../kit/index.js';

/** An agent's reply. It looks like a mail that a person wrote, and answers are part of the ticket. */
export function replyContent(body: string, agent: string | null, organization: string, number: string): MailContent {
  return {
    heading: null,
    parts: [{ letter: body }, ...(agent === null ? [] : [agent])],
    reason: `You receive this mail because of your request ${number} to ${organization}.`,
  };
}

/**
 * Tells the requester the number of a new ticket. It repeats nothing that the requester wrote: senders can be forged, so it would deliver
 * their words to a stranger.
 */
export function acknowledgementContent(organization: string, number: string): MailContent {
  return {
    heading: 'We have received your message',
    parts: [`Thank you for your message. Its number is ${number}; we answer by mail.`, 'To add something, answer this mail.'],
    reason: `You receive this mail, which was written automatically, because a message from your address reached ${organization}.`,
  };
}

/** Asks how a solved ticket was handled. */
export function ratingContent(organization: string, number: string, url: string): MailContent {
  return {
    heading: 'How was our help?',
    parts: [`Your request ${number} is solved. Please rate our support; it takes a moment.`],
    action: { url, label: 'Rate our help' },
    reason:
      `You receive this mail, which was written automatically, because your request ${number} to ${organization} was solved. ` +
      'We ask once for each request.',
  };
}
