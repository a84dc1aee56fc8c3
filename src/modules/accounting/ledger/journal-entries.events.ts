import { event } from '../../../kit/index.js';
import { JournalEntryDto } from './journal-entries.dto.js';

export const JournalEntryEvents = {
  journalEntryPosted: event({
    name: 'journal_entry.posted',
    description: 'A journal entry was posted: by hand, as a reversal, or for an invoice, credit note or payment.',
    permission: 'accounting.ledger.manage',
    scope: 'accounting:ledger:write',
    payload: JournalEntryDto,
  }),
};
