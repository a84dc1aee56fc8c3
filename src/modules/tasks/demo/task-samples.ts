import type { DemoPerson } from '../../../kit/index.js';

/** A task of the demo. Statuses and labels are the defaults of the tasks module; `starts` and `due` are days from today. */
export interface TaskSample {
  title: string;
  description?: string;
  status: 'Backlog' | 'Todo' | 'In progress' | 'In review' | 'Done' | 'Cancelled';
  priority?: 'low' | 'medium' | 'high' | 'urgent';
  /** The creator; Grace by default. */
  by?: DemoPerson;
  assignees?: DemoPerson[];
  labels?: ('Bug' | 'Feature' | 'Improvement' | 'Documentation' | 'Blocked')[];
  starts?: number;
  due?: number;
  comments?: [DemoPerson, string][];
  subtasks?: TaskSample[];
}

export const LIVE_TASKS: Readonly<Record<string, readonly TaskSample[]>> = {
  ENG: [
    {
      title: 'Checkout without an account',
      status: 'In progress',
      priority: 'high',
      by: 'ada',
      assignees: ['liam'],
      labels: ['Feature'],
      starts: -12,
      due: 9,
      description: 'Guests pay and get their receipt by e-mail; an account is offered afterwards, never asked for before.',
      comments: [
        ['ada', 'Marketing plans the spring campaign on this: tell me early if the date moves.'],
        ['liam', 'Address form and payment are done, the receipt is next.'],
      ],
      subtasks: [
        {
          title: 'Address form for guests',
          status: 'Done',
          priority: 'high',
          assignees: ['liam'],
          labels: ['Feature'],
          starts: -12,
          due: -5,
        },
        {
          title: 'Pay by card as a guest',
          status: 'In review',
          priority: 'high',
          assignees: ['liam'],
          labels: ['Feature'],
          starts: -6,
          due: 1,
          comments: [['grace', 'Looks good. Please add the declined card to the tests.']],
        },
        { title: 'Receipt by e-mail', status: 'Todo', priority: 'medium', assignees: ['liam', 'mei'], labels: ['Feature'], due: 7 },
      ],
    },
    {
      title: 'Orders are charged twice on a double click',
      status: 'In progress',
      priority: 'urgent',
      by: 'mei',
      assignees: ['liam'],
      labels: ['Bug'],
      starts: -1,
      due: 1,
      description: 'Two customers since Monday. Both clicked "Pay" again while the page was loading.\n\nExpected: one order, one charge.',
      comments: [
        ['mei', 'Both have their money back.'],
        ['liam', 'The second request has no idempotency key. Fixing it on the server, so that old pages are safe too.'],
      ],
    },
    {
      title: 'Search ignores umlauts',
      status: 'Todo',
      priority: 'medium',
      by: 'mei',
      assignees: ['liam'],
      labels: ['Bug'],
      due: 6,
      description: '"Mueller" must find "Müller" and the other way round.',
    },
    {
      title: 'Product pages take four seconds on a phone',
      status: 'In review',
      priority: 'high',
      assignees: ['grace'],
      labels: ['Improvement'],
      starts: -8,
      due: 2,
      comments: [['grace', 'Smaller pictures bring it to 1.9 s; the rest is the font.']],
    },
    {
      title: 'Move the database to PostgreSQL 18',
      status: 'Backlog',
      priority: 'medium',
      assignees: ['grace'],
      labels: ['Improvement'],
      description: 'Rehearse on a copy first and note how long it takes.',
      subtasks: [
        { title: 'Rehearse the move on a copy of the data', status: 'Backlog', labels: ['Improvement'] },
        { title: 'Announce the maintenance window', status: 'Backlog', assignees: ['mei'], labels: ['Documentation'] },
      ],
    },
    {
      title: 'Describe the stock import for partners',
      status: 'Todo',
      priority: 'low',
      assignees: ['mei'],
      labels: ['Documentation'],
      due: 14,
    },
    {
      title: 'Alert when the payment provider is down',
      status: 'Done',
      priority: 'high',
      assignees: ['liam'],
      labels: ['Feature'],
      starts: -20,
      due: -10,
      comments: [['liam', 'Rings after three failed payments in a row.']],
    },
    { title: 'Dark mode', status: 'Backlog', priority: 'low', by: 'liam', labels: ['Feature'] },
    { title: 'Rotate the keys of the mail service', status: 'Todo', priority: 'high', by: 'ada', assignees: ['grace'], starts: 1, due: 3 },
    {
      title: 'Session ends while typing a review',
      status: 'Done',
      priority: 'medium',
      by: 'mei',
      assignees: ['liam'],
      labels: ['Bug'],
      due: -15,
    },
    {
      title: 'Gift cards',
      status: 'Cancelled',
      priority: 'low',
      by: 'ada',
      labels: ['Feature'],
      comments: [['ada', 'Not this year: the accountant wants a separate ledger for them.']],
    },
    {
      title: 'Upgrade to the new parcel API',
      status: 'Todo',
      priority: 'high',
      assignees: ['liam'],
      labels: ['Improvement', 'Blocked'],
      due: 20,
      description: 'The old one ends with the year.',
      comments: [['liam', 'Blocked: still waiting for our test account.']],
    },
    {
      title: 'Write down how a release is made',
      status: 'In review',
      priority: 'medium',
      by: 'liam',
      assignees: ['liam'],
      labels: ['Documentation'],
      due: 4,
    },
  ],
  OPS: [
    {
      title: 'Stocktake at the end of the year',
      status: 'Todo',
      priority: 'high',
      by: 'ada',
      assignees: ['mei', 'grace'],
      starts: 10,
      due: 24,
      description: 'Two shifts; the shop stays open, the warehouse does not.',
      subtasks: [
        {
          title: 'Find twelve helpers for two days',
          status: 'In progress',
          priority: 'high',
          assignees: ['mei'],
          starts: -2,
          due: 8,
          comments: [['mei', 'Seven so far.']],
        },
        { title: 'Rent four scanners', status: 'Done', assignees: ['mei'], due: -3 },
        { title: 'Tell customers about slower delivery', status: 'Todo', assignees: ['mei'], labels: ['Documentation'], due: 10 },
      ],
    },
    {
      title: 'Parcel 4711 is lost: send a replacement',
      status: 'In progress',
      priority: 'urgent',
      by: 'mei',
      assignees: ['mei'],
      due: 0,
      comments: [['mei', 'The carrier searches until tomorrow; the customer needs it by Friday, so I send one now.']],
    },
    {
      title: 'Send the October invoice to Acme',
      status: 'Todo',
      priority: 'high',
      by: 'ada',
      assignees: ['mei'],
      due: -2,
      description: 'Net 30, purchase order 4711. They want one PDF per cost center.',
    },
    {
      title: 'New contract with the carrier',
      status: 'In review',
      priority: 'medium',
      assignees: ['ada'],
      starts: -15,
      due: 5,
      comments: [['ada', 'Their price is fine, the notice period is not.']],
    },
    { title: 'Answer the reviews of last month', status: 'Done', priority: 'low', assignees: ['mei'], due: -6 },
    { title: 'Order packaging for the winter season', status: 'Done', priority: 'medium', assignees: ['mei'], starts: -25, due: -12 },
    { title: 'Fire drill in the warehouse', status: 'Todo', priority: 'medium', by: 'ada', assignees: ['grace'], due: 12 },
    {
      title: 'Returns take nine days to refund',
      status: 'In progress',
      priority: 'high',
      by: 'grace',
      assignees: ['grace', 'mei'],
      labels: ['Improvement'],
      starts: -5,
      due: 15,
      description: 'Five of the nine are waiting for the inspection. Try refunding small amounts at once.',
    },
    { title: 'Welcome folder for new colleagues', status: 'Backlog', priority: 'low', labels: ['Documentation'] },
    { title: 'Compare prices for electricity', status: 'Backlog', priority: 'low', assignees: ['ada'] },
    {
      title: 'Second shift on Saturdays',
      status: 'Cancelled',
      priority: 'medium',
      by: 'ada',
      comments: [['ada', 'Orders are back to normal, so this is off.']],
    },
    {
      title: 'Replace the door of dock 2',
      status: 'Todo',
      priority: 'medium',
      by: 'mei',
      assignees: ['grace'],
      labels: ['Blocked'],
      due: -1,
      comments: [['grace', 'The part is ordered; the date is not confirmed.']],
    },
  ],
};

export const TEST_TASKS: Readonly<Record<string, readonly TaskSample[]>> = {
  ENG: [
    {
      title: 'Sample: import of tasks',
      status: 'In progress',
      priority: 'high',
      by: 'liam',
      assignees: ['liam'],
      labels: ['Feature'],
      starts: -3,
      due: 4,
      description: 'Created in test mode, so live keys cannot see it.',
      comments: [['liam', 'Sample comment.']],
      subtasks: [
        { title: 'Sample: read the file', status: 'Done', by: 'liam', assignees: ['liam'] },
        { title: 'Sample: write the rows', status: 'Todo', by: 'liam', assignees: ['liam'], due: 4 },
      ],
    },
    { title: 'Sample: a bug to close', status: 'In review', priority: 'urgent', by: 'liam', assignees: ['grace'], labels: ['Bug'], due: 1 },
    { title: 'Sample: unassigned', status: 'Backlog', by: 'liam' },
    { title: 'Sample: overdue', status: 'Todo', priority: 'medium', by: 'liam', assignees: ['liam', 'mei'], due: -7 },
  ],
  OPS: [
    { title: 'Sample: a reminder', status: 'Todo', priority: 'low', by: 'mei', assignees: ['mei'], due: 2 },
    { title: 'Sample: given up', status: 'Cancelled', by: 'mei', comments: [['mei', 'Sample reason.']] },
  ],
};
