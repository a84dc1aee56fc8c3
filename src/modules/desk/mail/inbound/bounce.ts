import type { Attachment } from 'mailparser';
import type { Bounce } from './inbound-mail.js';
import { messageIdsIn } from './message-id.js';
import { visible } from './visible-text.js';

const MESSAGE_ID = /^(?:Message-ID|X-Microsoft-Original-Message-ID):(.*(?:\n[ \t].*)*)/gim;
const RECIPIENT = /^(?:Original|Final)-Recipient:\s*[\w-]+;\s*<?([^\s<>;]{3,254})>?/gim;
const LONGEST_HEAD = 64 * 1024;

/** Reads a delivery status notification: what it is about, and what the server said. Null if it says neither. */
export function bounceOf(parts: readonly Pick<Attachment, 'contentType' | 'content'>[]): Bounce | null {
  const status = parts.find(({ contentType }) => contentType === 'message/delivery-status');
  const returned = parts.filter(({ contentType }) => contentType === 'message/rfc822' || contentType === 'text/rfc822-headers');
  const heads = visible(returned.map(({ content }) => content.toString('latin1', 0, LONGEST_HEAD)).join('\n'));
  const messageIds = [...new Set([...heads.matchAll(MESSAGE_ID)].flatMap(([, value]) => messageIdsIn(value).slice(0, 1)))];
  if (!status && messageIds.length === 0) return null;
  const fields = visible(status?.content.toString('utf8', 0, LONGEST_HEAD) ?? '').replace(/\n[ \t]+/g, ' ');
  const field = (name: string) => new RegExp(`^${name}:[ \t]*(.{1,500})`, 'im').exec(fields)?.[1].trim();
  const action = field('Action')?.toLowerCase() ?? 'failed';
  const reason = field('Diagnostic-Code')?.replace(/^\w+;\s*/, '') ?? field('Status') ?? 'the mail server returned it';
  const recipients = [...new Set([...fields.matchAll(RECIPIENT)].map(([, address]) => address.toLowerCase()))];
  return { messageIds, recipients, isFinal: action === 'failed', reason: reason.slice(0, 500) };
}
