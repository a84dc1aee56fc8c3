import type { AutomaticReason } from '../mail/inbound/inbound-mail.js';

/** Why a mail is kept without any effect. */
export const FILING_REASONS = [
  'auto_submitted',
  'bounce',
  'calendar_reply',
  'empty_return_path',
  'list',
  'no_sender',
  'out_of_office',
  'own_mail',
  'receipt',
  'repeated',
  'ticket_closed',
] as const satisfies readonly (AutomaticReason | string)[];
export type FilingReason = (typeof FILING_REASONS)[number];
