import { badge, cursorOf, definePage, definitions, emptyState, paging, table, timeOf, type Visit } from '../../../console/index.js';
import { FileResponse, html, PRIVATE_HEADERS, type Html } from '../../../kit/index.js';
import { fileNameOf } from '../workflow/content/file-names.js';
import { stateBadge, waitsFor, type ShownDocument } from './documents.page.js';

/** `list_org_document_parties`. */
interface Party {
  name: string;
  email: string;
  label: string;
  status: string;
  signed_at: string | null;
  viewed_at: string | null;
  decline_reason: string | null;
  reminders: number;
  invitation: { status: string; error: string | null } | null;
}

/** `list_org_document_audit_entries`. */
interface Entry {
  created_at: string;
  action: string;
  actor: { email: string | null; type: string };
  acted_for: string | null;
  to_state: string | null;
  status: string;
  error: string | null;
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
  async show(visit) {
    const path = `/papers/documents/${visit.param('id')}`;
    const file = visit.query.get('file');
    const document = await visit.get<ShownDocument>(path);
    if (file !== null) return pdfOf(document, file, await visit.file(`${path}/content`, { format: 'pdf', file }));
    const [parties, undelivered, history] = await Promise.all([
      visit.list<Party>(`${path}/parties`, {}),
      visit.all<Undelivered>(`${path}/audit-entries`, { action: 'papers.undelivered' }),
      visit.list<Entry>(`${path}/audit-entries`, { sort: '-created_at', ...cursorOf(visit) }),
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
      ])}
<h2>Files</h2>${filesTable(visit, document)}
<h2>Parties</h2>${
        parties.data.length > 0
          ? partiesTable(parties.data)
          : emptyState({ heading: 'It was not sent', text: 'Its parties are listed here once it is.' })
      }
${copiesPart(document)}${undeliveredPart(undelivered.data)}
<h2>History</h2>${historyTable(history.data)}${paging(visit, history)}`,
    };
  },
});

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

function pdfOf(document: ShownDocument, file: string, bytes: Buffer): FileResponse {
  const at = partsOf(document).findIndex(({ id }) => id === file);
  const part = file === 'all' ? file : { position: at + 1, name: partsOf(document)[at].name };
  return new FileResponse('application/pdf', bytes, { filename: fileNameOf(document, part), download: true, headers: PRIVATE_HEADERS });
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

function partiesTable(data: readonly Party[]): Html {
  return table<Party>({
    caption: 'Parties, in the order of signing',
    columns: [
      { label: 'Party', cell: ({ name, email, label }) => html`${name} <span class="soft">(${label})</span><br>${email}` },
      {
        label: 'Status',
        cell: ({ status, decline_reason }) => html`${badge(status)}${decline_reason !== null && html`<p>${decline_reason}</p>`}`,
      },
      {
        label: 'Mail',
        cell: ({ invitation, reminders }) =>
          invitation === null
            ? ''
            : html`${badge(invitation.status, invitation.error === null ? 'neutral' : 'bad')}${
                invitation.error !== null && html`<p>${invitation.error}</p>`
              }${reminders > 0 && html`<p class="soft">Reminders: ${String(reminders)}</p>`}`,
      },
      { label: 'Opened', cell: ({ viewed_at }) => (viewed_at === null ? '' : timeOf(viewed_at)) },
      { label: 'Signed', cell: ({ signed_at }) => (signed_at === null ? '' : timeOf(signed_at)) },
    ],
    rows: data,
  });
}

function historyTable(data: readonly Entry[]): Html {
  return table<Entry>({
    caption: 'History, latest first',
    columns: [
      { label: 'Time', cell: ({ created_at }) => timeOf(created_at) },
      { label: 'Action', cell: ({ action, status, error }) => html`<code>${action}</code>${status === 'failed' && html`<p>${error}</p>`}` },
      {
        label: 'By',
        cell: ({ actor, acted_for }) => html`${actor.email ?? actor.type}${acted_for !== null && html`<br>for ${acted_for}`}`,
      },
      { label: 'State', cell: ({ to_state }) => to_state ?? '' },
    ],
    rows: data,
  });
}
