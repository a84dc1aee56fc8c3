import type { Ticket } from '../model/ticket.entity.js';
import type { Author } from '../model/values.js';

/** Fills in the placeholders of a canned response. Text in braces that is none of them stays. */
export function cannedText(body: string, ticket: Ticket, author: Author): string {
  const values: Record<string, string> = {
    '{{ticket.number}}': ticket.number,
    '{{ticket.subject}}': ticket.subject,
    '{{requester.name}}': ticket.requester_name ?? ticket.requester_email,
    '{{agent.name}}': author.name ?? '',
  };
  return body.replace(/\{\{[a-z.]+\}\}/g, (found) => values[found] ?? found);
}
