import { cursorOf, definePage, definitions, emptyState, paging, table, timeOf, type Values, type Visit } from '../../../console/index.js';
import { FileResponse, html, PRIVATE_HEADERS, redirect, type Html } from '../../../kit/index.js';
import { partiesTable, type Party } from './document-parties.js';
import { actionText, actorText, concernedIn, words } from './history-words.js';
import { stateBadge, waitsFor, type ShownDocument } from './documents.page.js';

/** `list_org_document_audit_entries`. */
interface Entry {
  created_at: string;
  action: string;
  actor: { email: string | null; type: string };
  acted_for: string | null;
  to_state: string | null;
  status: string;
  error: string | null;
  detail: Readonly<Record<string, unknown>>;
}

/** Of a mail that was rejected. */
interface Undelivered extends Entry {
  detail: { name: string; email: string; purpose: string; error: string };
}

export const documentPage = definePage({
  path: '/documents/:id',
  title: 'Document',
  permission: 'papers.document.view',
  operations: ['get_org_document', 'list_org_document_parties', 'list_org_document_audit_entries', 'get_org_document_content'],
  hasMode: true,
  parameters: { file: { label: 'File', isView: true } },
  notices: { asked: 'The mail is on its way.' },
  async show(visit) {
    const path = `/papers/documents/${visit.param('id')}`;
    const file = visit.query.get('file');
    if (file !== null) {
      const { bytes, filename } = await visit.file(`${path}/content`, { format: 'pdf', file });
      return new FileResponse('application/pdf', bytes, { filename, download: true, headers: PRIVATE_HEADERS });
    }
    const document = await visit.get<ShownDocument>(path);

    const [parties, undelivered, history] = await Promise.all([
      visit.list<Party>(`${path}/parties`, {}),
      visit.all<Undelivered>(`${path}/audit-entries`, { action: 'papers.undelivered' }),
      visit.listOfPage<Entry>(`${path}/audit-entries`, { sort: '-created_at', ...cursorOf(visit) }),
    ]);
    const waited = waitsFor(document);
    return {
      title: document.title,
      above: [{ path: '/documents', label: 'Documents' }],
      lead: stateBadge(document),
      body: html`${definitions([
        ['Number', document.number ?? 'None yet'],
        ['Type', document.type.name],
        ['Waits for', waited.length > 0 ? waited.join(', ') : 'Nobody'],
        ['Last day to sign', document.signature.deadline_at === null ? 'None' : timeOf(document.signature.deadline_at)],
        ...sendingFacts(document),
        ...customFacts(document),
      ])}
<h2>Files</h2>${filesTable(visit, document)}
<h2>Parties</h2>${
        parties.data.length > 0
          ? partiesTable(visit, parties.data, document.state === 'sent' || document.state === 'partially_signed')
          : emptyState({ heading: 'It was not sent', text: 'Its parties are listed here once it is.' })
      }
${copiesPart(document)}${undeliveredPart(undelivered.data)}
<h2>History</h2>${historyTable(history.data)}${paging(visit, history)}`,
    };
  },
  actions: {
    again: {
      operations: ['remind_org_document_party'],
      permission: 'papers.document.manage',
      refusal: 'The mail was not sent',
      async run(visit, values) {
        await visit.post(`${partyPath(visit, values)}/remind`);
        return redirect(visit.link(`/documents/${visit.param('id')}`, { done: 'asked' }));
      },
    },
    change: {
      operations: ['update_org_document_party'],
      permission: 'papers.document.manage',
      refusal: 'The party was not changed',
      async run(visit, values) {
        await visit.patch(partyPath(visit, values), { name: values.text('name'), email: values.text('email') });
        return redirect(visit.link(`/documents/${visit.param('id')}`, { done: 'asked' }));
      },
    },
  },
});

function partyPath(visit: Visit, values: Values): string {
  return `/papers/documents/${visit.param('id')}/parties/${encodeURIComponent(values.text('form'))}`;
}

/** As it is now: sealed once all parties have signed. */
function filesTable(visit: Visit, document: ShownDocument): Html {
  const parts = partsOf(document);
  const isExecuted = document.state === 'executed';
  return html`${table<(typeof parts)[number]>({
    caption: isExecuted ? 'Signed files' : 'Files, in the order of signing',
    columns: [
      { label: 'File', cell: ({ id: part, name }) => html`<a href="${visit.here({ file: part })}" download>${name}</a>` },
      { label: 'Download', cell: () => (isExecuted ? 'Signed PDF' : 'PDF') },
    ],
    rows: parts,
  })}${isExecuted && parts.length === 1 && html`<p class="soft">The signed PDF contains the certificate of the signatures.</p>`}${
    parts.length > 1 &&
    html`<div class="row paging">
<a class="button quiet" href="${visit.here({ file: 'all' })}" download>Download all as one PDF</a></div>`
  }`;
}

/** Its files in their order; the certificate of the signatures is one of several. */
function partsOf({ id, title, files, state }: ShownDocument): { id: string; name: string }[] {
  const parts = [{ id, name: title }, ...files];
  if (state === 'executed' && files.length > 0) parts.push({ id: 'certificate', name: 'Certificate of the signatures' });
  return parts;
}

function copiesPart({ sending }: ShownDocument): Html | false {
  const copies = sending?.cc ?? [];
  if (copies.length === 0) return false;
  return html`<h2>Copies</h2>${table<(typeof copies)[number]>({
    caption: 'People who get a copy',
    columns: [
      { label: 'Person', cell: ({ name, email }) => html`${name}<br>${email}` },
      { label: 'Gets', cell: ({ when }) => (when === 'sent' ? 'A link to read from the beginning, and the signed PDF' : 'The signed PDF') },
    ],
    rows: copies,
  })}`;
}

const MAILS: Readonly<Record<string, string>> = {
  signature: 'Request to sign',
  code: 'Code to sign',
  copy: 'Copy to read',
  executed: 'Signed PDF',
  decision: 'Request for a decision',
};

function undeliveredPart(entries: readonly Undelivered[]): Html | false {
  if (entries.length === 0) return false;
  return html`<h2>Rejected mails</h2>${table<Undelivered>({
    caption: 'Mails that a mail server rejected',
    columns: [
      { label: 'Address', cell: ({ detail: { name, email } }) => html`${name}<br>${email}` },
      { label: 'Mail', cell: ({ detail: { purpose } }) => MAILS[purpose] ?? purpose },
      { label: 'Reason', cell: ({ detail: { error } }) => error },
      { label: 'Time', cell: ({ created_at }) => timeOf(created_at) },
    ],
    rows: entries,
  })}`;
}

const days = (count: number) => (count === 1 ? '1 day' : `${count} days`);

/** What the document says about its mails; the rest is as the settings of documents say. */
function sendingFacts({ sending }: ShownDocument): [string, Html | string][] {
  const { message, remind_after_days: after, remind_every_days: every, warn_days: warning } = sending ?? {};
  const first = after ?? every;
  const reminders = [
    ...(first ? [`first after ${days(first)}`] : []),
    ...(every ? [`then every ${days(every)}`] : []),
    ...(warning ? [`${days(warning)} before the last day`] : []),
  ];
  return [
    ...(reminders.length > 0 ? [['Reminders', words(reminders.join(', '))] satisfies [string, string]] : []),
    ...(message ? [['Message', message] satisfies [string, string]] : []),
  ];
}

/** The fields that administrators added to documents. */
function customFacts({ custom_fields }: ShownDocument): [string, string][] {
  const textOf = (value: unknown) => (typeof value === 'boolean' ? (value ? 'Yes' : 'No') : [value].flat().join(', '));
  return Object.entries(custom_fields).map(([key, value]) => [words(key), textOf(value)]);
}

function historyEntry({ action, status, error, detail }: Entry): Html {
  const concerned = concernedIn(detail);
  return html`${actionText(action)}${concerned !== null && html`<br><span class="soft">${concerned}</span>`}${
    status === 'failed' && html`<p>${error}</p>`
  }`;
}

function historyTable(data: readonly Entry[]): Html {
  return table<Entry>({
    caption: 'History, latest first',
    columns: [
      { label: 'Time', cell: ({ created_at }) => timeOf(created_at) },
      { label: 'Action', cell: historyEntry },
      {
        label: 'By',
        cell: ({ actor, acted_for }) => html`${actorText(actor)}${acted_for !== null && html`<br>for ${acted_for}`}`,
      },
      { label: 'State', cell: ({ to_state }) => (to_state === null ? '' : words(to_state)) },
    ],
    rows: data,
  });
}
