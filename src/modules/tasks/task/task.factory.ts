import type { CreateTaskDto } from './tasks.dto.js';
import { PRIORITIES } from '../lookups/task-priority.js';

/** Realistic titles with their descriptions. */
const SAMPLES: readonly [title: string, description: string | null][] = [
  ['Send the October invoice to Acme', 'Net 30, purchase order 4711. They want one PDF per cost center.'],
  ['Renew the TLS certificate of the shop', 'It expires at the end of the month; the reminder went to a colleague who left.'],
  [
    'Fix the rounding in the VAT summary',
    'Three lines of 0.335 add up to 1.00 instead of 1.01.\n\nSteps: create an invoice with three such lines, open the summary.',
  ],
  ['Prepare the quarterly review', 'Figures until Friday, slides until Monday.'],
  ['Call Brightside about the late delivery', null],
  ['Move the nightly backup to the new region', 'Restore one table as proof before the old bucket is emptied.'],
  ['Write the onboarding guide for warehouse staff', 'Scanner, returns, count. Screenshots from the test shop.'],
  ['Customers cannot reset their password on Safari', 'The link opens, the form stays empty. Safari 19 on iOS only.'],
  ['Compare three carriers for parcels to Switzerland', 'Price, customs paperwork, returns.'],
  ['Interview candidates for the support team', null],
  ['Translate the booking page into French', 'The texts are in the sheet that marketing shares.'],
  ['Remove the unused coupon feature', 'Nobody has made a coupon for a year; ask finance before the table goes.'],
  ['Plan the stocktake in December', 'Two shifts, shop closed on the 29th.'],
  ['Answer the data protection questionnaire of Northwind', "Due with the contract; legal has last year's answers."],
  ['Speed up the search for customers', 'More than two seconds with 100,000 customers.'],
  ['Order new label printers', 'Four, the same model as in hall 2.'],
];

/** The body of a realistic task. The same number always yields the same body, so that tests are reproducible. */
export function taskBody(number: number, over: Partial<CreateTaskDto> = {}): CreateTaskDto {
  const [title, description] = SAMPLES[number % SAMPLES.length];
  const round = Math.floor(number / SAMPLES.length);
  return {
    title: round === 0 ? title : `${title} (${round + 1})`,
    description,
    priority: PRIORITIES[(number * 7) % PRIORITIES.length],
    ...over,
  };
}
