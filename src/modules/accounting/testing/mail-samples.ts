import { amountText, dayText } from '../../../kit/index.js';
import { samples, type SampleMail } from '../../../../test/contract/sample-mail.js';
import { overdueMail } from '../jobs/overdue-mail.js';

/** Every mail of the module. */
export function mailSamples(): SampleMail[] {
  const values = { NUMBER: 'INV-2026-17', BALANCE: amountText(21_420, 'EUR'), DUE_ON: dayText('2026-11-14'), CUSTOMER: 'Hopper Inc.' };
  const step = {
    after_days: 14,
    subject: 'Reminder: invoice {NUMBER}',
    text:
      'Dear {CUSTOMER},\n\n{NUMBER} of {BALANCE} was due on {DUE_ON}. Pay at https://pay.acme.example/{NUMBER}.\n\n' +
      'Kind regards\nGrace Hopper, accounts',
  };
  return samples([
    ['overdueMail', overdueMail('grace@example.com', step, values, { name: 'Acme & Sons Ltd.', email: 'books@acme.example' })],
  ]);
}
