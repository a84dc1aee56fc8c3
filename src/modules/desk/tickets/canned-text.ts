import type { Ticket } from '../model/ticket.entity.js';
import type { Author } from '../model/values.js';

/** What a canned response can contain, and what stands there afterwards. */
export const PLACEHOLDERS = ['{{ticket.number}}', '{{ticket.subject}}', '{{requester.name}}', '{{agent.name}}'] as const;

export function cannedText(body: string, ticket: Ticket, author: Author): string {
  const values: Record<(typeof PLACEHOLDERS)[number], string> = {
    '{{ticket.number}}': ticket.number,
    '{{ticket.subject}}': ticket.subject,
    '{{requester.name}}': ticket.requester_name ?? ticket.requester_email,
    '{{agent.name}}': author.name ?? '',
  };
  return body.replace(/\{\{[a-z.]+\}\}/g, (found) => values[found as keyof typeof values] ?? found);
}
