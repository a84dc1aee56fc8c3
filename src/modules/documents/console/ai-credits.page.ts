import {
  actorNames,
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
import type { ShownDocument } from './documents.page.js';

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
  document_id: string | null;
  note: string | null;
}

const KINDS: Readonly<Record<string, readonly [label: string, tone: Tone, sign: string]>> = {
  grant: ['Granted', 'good', '+'],
  reserve: ['Reserved', 'neutral', ''],
  capture: ['Charged', 'warn', '−'],
  release: ['Released', 'neutral', ''],
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
    const entries = await visit.listOfPage<CreditEntry>('/papers/ai/credits/entries', { ...filterQuery(visit), ...cursorOf(visit) });
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
      ])}${entries.data.length > 0 ? await entriesTable(visit, entries.data) : nothing(visit)}${paging(visit, entries)}
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
      { label: 'Unit', cell: ({ characters }) => `${count(characters)} characters of text, rounded up` },
    ],
    rows: given,
  });
}

async function entriesTable(visit: Visit, entries: readonly CreditEntry[]): Promise<Html> {
  const [nameOf, titleOf] = await Promise.all([
    actorNames(
      visit,
      entries.map(({ actor }) => actor),
    ),
    documentTitles(visit, entries),
  ]);
  return table<CreditEntry>({
    caption: 'Entries of the account, latest first',
    columns: [
      { label: 'Time', cell: ({ created_at }) => timeOf(created_at) },
      {
        label: 'Kind',
        isState: true,
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
      { label: 'By', cell: ({ actor }) => nameOf(actor) },
      { label: 'Document', cell: ({ document_id }) => document_id !== null && titleOf(document_id) },
      { label: 'Note', cell: ({ note }) => note ?? '' },
    ],
    rows: entries,
  });
}

/** Analyses of live data cost credits only, so the documents are live. They may be gone, or closed to the member. */
async function documentTitles(visit: Visit, entries: readonly CreditEntry[]): Promise<(id: string) => Html> {
  const ids = new Set(entries.flatMap(({ document_id }) => document_id ?? []));
  const found = await Promise.all(Array.from(ids, (id) => visit.find<ShownDocument>(`/papers/documents/${id}`)));
  return (id) => {
    const document = found.find((one) => one?.id === id);
    if (!document) return html`<code title="${id}">...${id.slice(-8)}</code>`;
    return html`<a href="${visit.link(`/documents/${id}`)}">${document.number ?? document.title}</a>`;
  };
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
