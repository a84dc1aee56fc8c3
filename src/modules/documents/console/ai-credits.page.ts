import {
  badge,
  count,
  cursorOf,
  definePage,
  emptyState,
  figures,
  filterForm,
  filterQuery,
  isFiltered,
  paging,
  table,
  timeOf,
  type Tone,
  type Visit,
} from '../../../console/index.js';
import { html, redirect, type Actor, type Html } from '../../../kit/index.js';

/** `get_org_ai_credits`. */
interface CreditAccount {
  balance: number;
  reserved: number;
  available: number;
  prices: { kind: string; credits: number; characters: number }[];
}

/** `list_org_ai_credit_entries`. */
interface CreditEntry {
  created_at: string;
  kind: string;
  amount: number;
  balance: number;
  actor: Actor;
  note: string | null;
}

const KINDS: Readonly<Record<string, readonly [label: string, tone: Tone, sign: string]>> = {
  grant: ['Granted', 'good', '+'],
  reserve: ['Reserved', 'neutral', ''],
  capture: ['Charged', 'warn', '−'],
  release: ['Released', 'neutral', ''],
};
const ACTORS: Readonly<Record<Actor['type'], string>> = {
  user: 'A member',
  api_key: 'An API key',
  system: 'The suite',
  guest: 'A visitor',
};
const ANALYSES: Readonly<Record<string, string>> = { summary: 'Summary of a document', risks: 'Risks of a document' };

export const aiCreditsPage = definePage({
  path: '/ai-credits',
  title: 'AI credits',
  permission: 'papers.setup.manage',
  operations: ['get_org_ai_credits', 'list_org_ai_credit_entries'],
  nav: 'Automation',
  icon: 'coins',
  parameters: { kind: { label: 'Kind' } },
  notices: { granted: 'The credits were added.' },
  async show(visit) {
    // the first read opens the account with an entry
    const account = await visit.get<CreditAccount>('/papers/ai/credits');
    const entries = await visit.list<CreditEntry>('/papers/ai/credits/entries', { ...filterQuery(visit), ...cursorOf(visit) });
    return {
      title: 'AI credits',
      lead: 'Summaries and risks of documents cost credits. Results that are repeated, and test calls, are free.',
      tools: html`<a class="button" href="#grant">Grant credits</a>`,
      body: html`${figures([
        { label: 'Available', value: count(account.available) },
        { label: 'Reserved', value: count(account.reserved), hint: 'for analyses that are running' },
        { label: 'In the account', value: count(account.balance) },
      ])}
<h2>What a call costs</h2>${prices(account)}
<h2>Entries</h2>${filterForm(visit, [
        { name: 'kind', options: Object.entries(KINDS).map(([value, [label]]) => ({ value, label })) },
      ])}${entries.data.length > 0 ? entriesTable(entries.data) : nothing(visit)}${paging(visit, entries)}
<h2 id="grant">Grant credits</h2>${grantForm(visit)}`,
    };
  },
  actions: {
    grant: {
      operations: ['grant_org_ai_credits'],
      refusal: 'No credits were added',
      async run(visit, values) {
        await visit.post('/papers/ai/credits/grants', { amount: values.number('amount'), note: values.optional('note') });
        return redirect(visit.link('/ai-credits', { done: 'granted' }));
      },
    },
  },
});

function prices({ prices: given }: CreditAccount): Html {
  return table<CreditAccount['prices'][number]>({
    caption: 'Prices of analyses',
    columns: [
      { label: 'Call', cell: ({ kind }) => ANALYSES[kind] ?? kind },
      { label: 'Credits', isNumber: true, cell: ({ credits }) => credits },
      { label: 'For', cell: ({ characters }) => `each started ${count(characters)} characters of text` },
    ],
    rows: given,
  });
}

function entriesTable(entries: readonly CreditEntry[]): Html {
  return table<CreditEntry>({
    caption: 'Entries of the account, latest first',
    columns: [
      { label: 'Time', cell: ({ created_at }) => timeOf(created_at) },
      {
        label: 'Kind',
        cell: ({ kind }) => {
          const [label, tone] = KINDS[kind] ?? [kind, 'neutral'];
          return badge(label, tone);
        },
      },
      {
        label: 'Credits',
        isNumber: true,
        cell: ({ kind, amount }) => `${KINDS[kind]?.[2] ?? ''}${count(amount)}`,
      },
      { label: 'Balance after', isNumber: true, cell: ({ balance }) => count(balance) },
      { label: 'By', cell: ({ actor }) => actor.email ?? ACTORS[actor.type] },
      { label: 'Note', cell: ({ note }) => note ?? '' },
    ],
    rows: entries,
  });
}

function nothing(visit: Visit): Html {
  return isFiltered(visit)
    ? emptyState({
        heading: 'No entry of this kind',
        text: 'There are entries, but none of this kind.',
        step: html`<a class="button quiet" href="${visit.link('/ai-credits')}">Show all entries</a>`,
      })
    : emptyState({ heading: 'No entries yet', text: 'Every credit that is granted or charged is listed here.' });
}

function grantForm(visit: Visit): Html {
  const form = visit.form('grant');
  return form.render({
    className: 'narrow',
    body: html`${form.text({ name: 'amount', label: 'Credits', type: 'number', attributes: html` min="1" max="1000000"` })}
${form.text({ name: 'note', label: 'Note', hint: 'Such as the number of an order. It is recorded in the entry.', isOptional: true })}`,
    submit: { label: 'Grant credits' },
  });
}
